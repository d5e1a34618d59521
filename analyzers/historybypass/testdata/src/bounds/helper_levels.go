package bounds

import (
	"context"
	"fmt"
	"strings"

	"github.com/openai/openai-go/v3"
)

// shorten is one level deep …
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return s[:limit] + fmt.Sprintf("\n… %d bytes more", len(s)-limit)
}

// … shortenDefault is two …
func shortenDefault(s string) string { return shorten(s, maxOutput) }

// … and render three.
func render(stdout, stderr string, err error) string {
	stdout, stderr = shortenDefault(stdout), shortenDefault(stderr)
	if err != nil {
		stderr += "\n" + err.Error()
	}
	switch {
	case stdout != "" && stderr != "":
		return stdout + "\n" + stderr
	case stderr != "":
		return stderr
	}
	return stdout
}

func okOneLevel(ctx context.Context, command, id string) message {
	return openai.ToolMessage(shorten(shell(ctx, command), 8000), id)
}

func okTwoLevels(ctx context.Context, command, id string) message {
	return openai.ToolMessage(shortenDefault(shell(ctx, command)), id)
}

func okThreeLevels(ctx context.Context, command, id string) message {
	out := render(shell(ctx, command), shell(ctx, "dmesg"), ctx.Err())
	if out == "" {
		out = "no output"
	}
	out += fmt.Sprintf("\n\n<cwd>%s</cwd>", "/srv")
	return openai.ToolMessage(out, id)
}

// headOf returns whether it cut as well.
func headOf(s string, limit int) (string, bool) {
	if len(s) > limit {
		return s[:limit], true
	}
	return s, false
}

func okTwoResults(ctx context.Context, command, id string) message {
	out, cut := headOf(shell(ctx, command), 16<<10)
	if cut {
		out += "\n(truncated)"
	}
	return openai.ToolMessage(out, id)
}

// window is what a reader tool does: some lines, each of them cut.
func window(text string, first, count int) string {
	lines := strings.Split(text, "\n")
	first = min(first, len(lines))
	last := min(first+min(count, 200), len(lines))
	picked := lines[first:last]
	var b strings.Builder
	for _, line := range picked {
		b.WriteString(shorten(line, 300))
		b.WriteByte('\n')
	}
	return b.String()
}

func okWindow(path, id string, first, count int) message {
	return openai.ToolMessage(window(file(path), first, count), id)
}

// tidy looks like the others from the outside.
func tidy(s string) string {
	if len(s) <= maxOutput {
		return strings.TrimSpace(s)
	}
	return strings.ReplaceAll(s, "\r", "")
}

func notShorter(ctx context.Context, command, id string) message {
	return openai.ToolMessage(tidy(shell(ctx, command)), id) // want "BC1001.*process"
}

// Only one of the two streams is shortened.
func oneOfTwo(ctx context.Context, command, id string) message {
	out := shorten(shell(ctx, command), 1000) + shell(ctx, "dmesg")
	return openai.ToolMessage(out, id) // want "BC1001.*process"
}

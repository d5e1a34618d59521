package bounds

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/openai/openai-go/v3"
)

// A helper with a limit for the number of paths.
func globLimited(pattern string, limit int) ([]string, bool, error) {
	matches, err := filepath.Glob(pattern)
	if err != nil {
		return nil, false, err
	}
	slices.Sort(matches)
	if len(matches) > limit {
		return matches[:limit], true, nil
	}
	return matches, false, nil
}

func okGlobLimited(pattern, id string) (message, error) {
	files, truncated, err := globLimited(pattern, 100)
	if err != nil {
		return message{}, err
	}
	output := strings.Join(files, "\n")
	if truncated {
		output += "\n(there are more)"
	}
	return openai.ToolMessage(output, id), nil
}

// First ten findings, each with a short text.
func okFirstTen(ctx context.Context, command, id string) message {
	var b strings.Builder
	lines := strings.Split(shell(ctx, command), "\n")
	for _, line := range lines[:min(10, len(lines))] {
		if len(line) > 120 {
			line = line[:120]
		}
		b.WriteString(line + "\n")
	}
	return openai.ToolMessage(b.String(), id)
}

// Page and page of each extract.
type extracts struct {
	top, chars int
}

func (e extracts) okJoin(paths []string, id string) message {
	result := ""
	for i, path := range paths {
		if i == e.top {
			break
		}
		text := file(path)
		if len(text) >= e.chars {
			result += text[0:e.chars]
			continue
		}
		result += text
	}
	return openai.ToolMessage(result, id)
}

func okDirNames(dir, id string) (message, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return message{}, err
	}
	var names []string
	for _, e := range entries {
		if len(names) == 50 {
			break
		}
		names = append(names, e.Name())
	}
	return openai.ToolMessage(strings.Join(names, "\n"), id), nil
}

// All lines but the first.
func withoutHeader(ctx context.Context, command, id string) message {
	lines := strings.Split(shell(ctx, command), "\n")
	return openai.ToolMessage(strings.Join(lines[1:], "\n"), id) // want "BC1001.*process"
}

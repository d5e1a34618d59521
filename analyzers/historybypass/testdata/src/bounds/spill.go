package bounds

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/openai/openai-go/v3"
)

// backend keeps what is too long to be shown.
type backend interface {
	Write(ctx context.Context, path, content string) error
}

// A large output goes to a file, and its name into the history.
func okSpillToFile(ctx context.Context, command, id string) (message, error) {
	out := shell(ctx, command)
	var result strings.Builder
	if len(out) > maxOutput {
		f, err := os.CreateTemp("", "output-*.txt")
		if err != nil {
			return message{}, err
		}
		if _, err := f.WriteString(out); err != nil {
			return message{}, err
		}
		if err := f.Close(); err != nil {
			return message{}, err
		}
		fmt.Fprintf(&result, "The output is long (%d bytes).\n", len(out))
		fmt.Fprintf(&result, "It has been saved to %s.", f.Name())
	} else {
		result.WriteString("Output:\n")
		result.WriteString(out)
	}
	return openai.ToolMessage(result.String(), id), nil
}

// offload leaves a sample of ten short lines.
func offload(ctx context.Context, b backend, id, result string) (string, error) {
	if len(result) <= maxOutput {
		return result, nil
	}
	path := "/results/" + id
	if err := b.Write(ctx, path, result); err != nil {
		return "", err
	}
	var sample []string
	for line := range strings.SplitSeq(result, "\n") {
		if len(sample) == 10 {
			break
		}
		if len(line) > 200 {
			line = line[:200]
		}
		sample = append(sample, line)
	}
	return fmt.Sprintf("The result is in %s. It begins:\n%s", path, strings.Join(sample, "\n")), nil
}

func okOffload(ctx context.Context, b backend, command, id string) (message, error) {
	text, err := offload(ctx, b, id, shell(ctx, command))
	if err != nil {
		return message{}, err
	}
	return openai.ToolMessage(text, id), nil
}

// summarize asks a model.
type summarizer interface {
	Summarize(ctx context.Context, text string) (string, error)
}

func okSummarized(ctx context.Context, s summarizer, command, id string) (message, error) {
	out := shell(ctx, command)
	if len(out) > maxOutput {
		summary, err := s.Summarize(ctx, out)
		if err != nil {
			return message{}, err
		}
		out = summary
	}
	return openai.ToolMessage(out, id), nil
}

// The file is written, and the output is shown as well.
func spillAndShow(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	note := ""
	if len(out) > maxOutput {
		if err := os.WriteFile("output.txt", []byte(out), 0o600); err == nil {
			note = "\n(also in output.txt)"
		}
	}
	return openai.ToolMessage(out+note, id) // want "BC1001.*process"
}

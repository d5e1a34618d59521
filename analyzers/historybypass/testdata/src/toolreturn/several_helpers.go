package toolreturn

import (
	"context"
	"encoding/json"
	"os/exec"
	"strings"
)

type reviewer struct {
	dir string
}

func (r *reviewer) tests(ctx context.Context) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", "test", "-json", "./...")
	cmd.Dir = r.dir
	return cmd.Output()
}

func (r *reviewer) failures(ctx context.Context) ([]string, error) {
	out, err := r.tests(ctx)
	if err != nil {
		return nil, err
	}
	var failed []string
	for line := range strings.SplitSeq(string(out), "\n") {
		if strings.Contains(line, `"fail"`) {
			failed = append(failed, line)
		}
	}
	return failed, nil
}

// review joins what several helpers found.
func (r *reviewer) review(ctx context.Context, input json.RawMessage) (string, error) {
	var messages []string
	failed, err := r.failures(ctx)
	if err != nil {
		messages = append(messages, "the tests cannot be run")
	}
	messages = append(messages, failed...)
	if len(messages) == 0 {
		return "all is well", nil
	}
	var b strings.Builder
	b.WriteString("# Findings\n\n")
	b.WriteString(strings.Join(messages, "\n\n"))
	return b.String(), nil // want "BC1002.*process"
}

func (r *reviewer) okVerdict(ctx context.Context, input json.RawMessage) (string, error) {
	failed, err := r.failures(ctx)
	switch {
	case err != nil:
		return "unknown", nil
	case len(failed) > 0:
		return "failed", nil
	}
	return "passed", nil
}

func reviewTools(r *reviewer) []ToolDefinition {
	return []ToolDefinition{{Name: "review", Function: r.review}, {Name: "verdict", Function: r.okVerdict}}
}

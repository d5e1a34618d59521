package caps

import (
	"context"

	"example.com/agent/caps/runner"
)

// looseTool says nothing of a limit.
type looseTool struct{}

func (looseTool) Spec() runner.Spec { return runner.Spec{Name: "loose", MaxPages: 3} }

func (looseTool) Run(ctx context.Context, input string) (string, error) {
	out, err := print(input)
	if err != nil {
		return "", err
	}
	return out, nil // want "BC1002.*process"
}

// okSpecTool says in its spec where it is to be cut.
type okSpecTool struct{}

func (okSpecTool) Spec() runner.Spec { return runner.Spec{Name: "spec", MaxChars: 8000} }

func (okSpecTool) Run(ctx context.Context, input string) (string, error) {
	out, err := print(input)
	if err != nil {
		return "", err
	}
	return out, nil
}

// okMadeTool is made with its spec.
type okMadeTool struct {
	spec runner.Spec
}

func newMadeTool(s Settings) *okMadeTool {
	limit := s.MaxChars
	if limit <= 0 {
		limit = 4000
	}
	return &okMadeTool{spec: runner.Spec{Name: "made", MaxChars: limit}}
}

func (t *okMadeTool) Spec() runner.Spec { return t.spec }

func (t *okMadeTool) Run(ctx context.Context, input string) (string, error) {
	out, err := print(input)
	if err != nil {
		return "", err
	}
	return out, nil
}

func typedTools(s Settings) []runner.Tool {
	return []runner.Tool{looseTool{}, okSpecTool{}, newMadeTool(s)}
}

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

// settingTool is made with a setting that nobody has to make.
type settingTool struct {
	spec runner.Spec
}

func newSettingTool(s Settings) *settingTool {
	return &settingTool{spec: runner.Spec{Name: "setting", MaxChars: s.MaxChars}}
}

func (t *settingTool) Spec() runner.Spec { return t.spec }

func (t *settingTool) Run(ctx context.Context, input string) (string, error) {
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

// okFieldTool puts into its spec what it was made with.
type okFieldTool struct {
	max int
}

func (t *okFieldTool) Spec() runner.Spec { return runner.Spec{Name: "field", MaxChars: t.max} }

func (t *okFieldTool) Run(ctx context.Context, input string) (string, error) {
	out, err := print(input)
	if err != nil {
		return "", err
	}
	return out, nil
}

func typedTools(s Settings) []runner.Tool {
	return []runner.Tool{looseTool{}, newSettingTool(s), okSpecTool{}, newMadeTool(s), &okFieldTool{max: 4000}}
}

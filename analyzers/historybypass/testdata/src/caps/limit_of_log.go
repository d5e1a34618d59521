package caps

import (
	"context"

	"example.com/agent/caps/runner"
)

// The limit is one of what is shown in the log, and not of what is returned.
func shownLimit() *runner.ShownTool {
	return &runner.ShownTool{Name: "print", Preview: 200, Run: func(ctx context.Context, input string) (string, error) {
		out, err := print(input)
		if err != nil {
			return "", err
		}
		return out, nil // want "BC1002.*process"
	}}
}

// sometimesTool is made with a limit and without one.
type sometimesTool struct {
	spec runner.Spec
}

func newLimitedTool() *sometimesTool {
	return &sometimesTool{spec: runner.Spec{Name: "limited", MaxChars: 4000}}
}

func newUnlimitedTool() *sometimesTool {
	return &sometimesTool{spec: runner.Spec{Name: "unlimited"}}
}

func (t *sometimesTool) Spec() runner.Spec { return t.spec }

func (t *sometimesTool) Run(ctx context.Context, input string) (string, error) {
	out, err := print(input)
	if err != nil {
		return "", err
	}
	return out, nil // want "BC1002.*process"
}

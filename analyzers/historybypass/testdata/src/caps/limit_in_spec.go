package caps

import (
	"context"

	"example.com/agent/caps/runner"
)

// The spec has a number that nobody enforces.
func otherNumber() runner.SpecTool {
	return runner.SpecTool{
		Spec: runner.Spec{Name: "print", MaxPages: 3},
		Run: func(ctx context.Context, input string) (string, error) {
			out, err := print(input)
			if err != nil {
				return "", err
			}
			return out, nil // want "BC1002.*process"
		},
	}
}

// The limit stands in the spec, which is a literal in the literal of the tool.
func okLimitInSpec() runner.SpecTool {
	return runner.SpecTool{
		Spec: runner.Spec{Name: "print", MaxChars: 8000},
		Run: func(ctx context.Context, input string) (string, error) {
			out, err := print(input)
			if err != nil {
				return "", err
			}
			return out, nil
		},
	}
}

package caps

import (
	"context"

	"example.com/agent/caps/runner"
)

// A limit of 0 is none.
func zeroLimit() *runner.LimitTool {
	return &runner.LimitTool{Name: "print", Limit: 0, Run: func(ctx context.Context, input string) (string, error) {
		out, err := print(input)
		if err != nil {
			return "", err
		}
		return out, nil // want "BC1002.*process"
	}}
}

// Without a limit nothing is cut.
func noLimit() *runner.LimitTool {
	return &runner.LimitTool{Name: "print", Run: func(ctx context.Context, input string) (string, error) {
		out, err := print(input)
		if err != nil {
			return "", err
		}
		return out, nil // want "BC1002.*process"
	}}
}

// A setting that nobody has to make may be 0.
func settingLimit(s Settings) *runner.LimitTool {
	return &runner.LimitTool{Name: "print", Limit: s.MaxChars, Run: func(ctx context.Context, input string) (string, error) {
		out, err := print(input)
		if err != nil {
			return "", err
		}
		return out, nil // want "BC1002.*process"
	}}
}

// The limit is a constant, which the runner enforces in line.
func okConstantLimit() *runner.LimitTool {
	return &runner.LimitTool{Name: "print", Limit: 8000, Run: func(ctx context.Context, input string) (string, error) {
		out, err := print(input)
		if err != nil {
			return "", err
		}
		return out, nil
	}}
}

// The limit is a setting with a default.
func okDefaultLimit(s Settings) *runner.LimitTool {
	limit := s.MaxChars
	if limit <= 0 {
		limit = 4000
	}
	return &runner.LimitTool{Name: "print", Limit: limit, Run: func(ctx context.Context, input string) (string, error) {
		out, err := print(input)
		if err != nil {
			return "", err
		}
		return out, nil
	}}
}

// limitOf is a setting, or what is usual.
func limitOf(s Settings) int {
	if s.MaxChars > 0 && s.MaxChars < 50000 {
		return s.MaxChars
	}
	return 4000
}

// The limit is what a function makes of a setting.
func okComputedLimit(s Settings) *runner.LimitTool {
	return &runner.LimitTool{Name: "print", Limit: limitOf(s), Run: func(ctx context.Context, input string) (string, error) {
		out, err := print(input)
		if err != nil {
			return "", err
		}
		return out, nil
	}}
}

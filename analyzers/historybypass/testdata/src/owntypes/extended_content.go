package owntypes

import (
	"context"
	"strings"
)

// SkillResult is a result that is put together bit by bit.
type SkillResult struct {
	Name    string
	Content string
}

// SkillTool gives such results.
type SkillTool interface {
	Run(ctx context.Context, input string) (SkillResult, error)
}

// What is added may be output.
func extended(ctx context.Context, tool Tool, call Call) SkillResult {
	r := SkillResult{Name: tool.Name(), Content: "output:"}
	out, err := tool.Call(ctx, call.Input)
	if err != nil {
		return r
	}
	r.Content += out // want "BC100[12].*tool"
	return r
}

// What replaces the content is output of any size, even if it is the content in another form.
func replaced(ctx context.Context, tool SkillTool, call Call) (SkillResult, error) {
	r, err := tool.Run(ctx, call.Input)
	if err != nil {
		return SkillResult{}, err
	}
	r.Content = strings.ToUpper(r.Content) // want "BC100[12].*tool"
	return r, nil
}

// A constant more is no new output.
func okEnded(ctx context.Context, tool SkillTool, call Call) (SkillResult, error) {
	r, err := tool.Run(ctx, call.Input)
	if err != nil {
		return SkillResult{}, err
	}
	if !strings.HasSuffix(r.Content, "\n") {
		r.Content += "\n"
	}
	return r, nil
}

// Nor is one before it.
func okHeaded(ctx context.Context, tool SkillTool, call Call) (SkillResult, error) {
	r, err := tool.Run(ctx, call.Input)
	if err != nil {
		return SkillResult{}, err
	}
	r.Content = "output:\n" + r.Content
	return r, nil
}

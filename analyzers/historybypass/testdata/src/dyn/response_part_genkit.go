package dyn

import (
	"context"

	"github.com/firebase/genkit/go/ai"
)

func genkitPart(ctx context.Context, tool ai.Tool, req *ai.ToolRequest) (*ai.Part, error) {
	out, err := tool.RunRaw(ctx, req.Input)
	if err != nil {
		return nil, err
	}
	return ai.NewToolResponsePart(&ai.ToolResponse{
		Name:   req.Name,
		Ref:    req.Ref,
		Output: out, // want "BC1001.*tool"
	}), nil
}

func genkitAnswer(ctx context.Context, tool ai.Tool, part *ai.Part) (*ai.Part, error) {
	out, err := tool.RunRaw(ctx, part.ToolRequest.Input)
	if err != nil {
		return nil, err
	}
	return ai.NewResponseForToolRequest(part, out), nil // want "BC1001.*tool"
}

func okGenkitApproval(part *ai.Part, approved bool) *ai.Part {
	return ai.NewResponseForToolRequest(part, map[string]bool{"approved": approved})
}

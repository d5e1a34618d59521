package dyn

import (
	"context"

	"google.golang.org/genai"
)

func genaiParts(ctx context.Context, tools map[string]Tool, calls []*genai.FunctionCall) []*genai.Part {
	var parts []*genai.Part
	for _, call := range calls {
		result, err := tools[call.Name].Execute(ctx, "{}")
		if err != nil {
			parts = append(parts, genai.NewPartFromText("the tool failed"))
			continue
		}
		parts = append(parts, &genai.Part{
			FunctionResponse: &genai.FunctionResponse{
				Name:     call.Name,
				Response: map[string]any{"result": result}, // want "BC1001.*tool"
			},
		})
	}
	return parts
}

func genaiContent(ctx context.Context, tool Tool, call *genai.FunctionCall) *genai.Content {
	result, err := tool.Execute(ctx, "{}")
	if err != nil {
		return nil
	}
	return genai.NewContentFromFunctionResponse(call.Name, map[string]any{"result": result}, genai.RoleUser) // want "BC1001.*tool"
}

func genaiPart(ctx context.Context, tool Tool, call *genai.FunctionCall) *genai.Part {
	result, err := tool.Execute(ctx, "{}")
	if err != nil {
		return nil
	}
	return genai.NewPartFromFunctionResponse(call.Name, map[string]any{"result": result}) // want "BC1001.*tool"
}

func okGenaiLength(ctx context.Context, tool Tool, call *genai.FunctionCall) *genai.Part {
	result, err := tool.Execute(ctx, "{}")
	return genai.NewPartFromFunctionResponse(call.Name, map[string]any{"bytes": len(result), "ok": err == nil})
}

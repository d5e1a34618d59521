package owntypes

import "context"

// PartType says what a part is.
type PartType string

const (
	PartText       PartType = "text"
	PartToolResult PartType = "tool_result"
)

// TypedPart is marked by nothing but the constant in its type.
type TypedPart struct {
	Type       PartType
	ID         string
	Text       string
	ResultText string
}

type executed struct {
	id     string
	result string
}

func typedParts(ctx context.Context, tool Tool, calls []Call) []TypedPart {
	var results []executed
	for _, call := range calls {
		out, err := tool.Call(ctx, call.Input)
		if err != nil {
			out = "the tool failed"
		}
		results = append(results, executed{id: call.ID, result: out})
	}
	parts := make([]TypedPart, 0, len(results))
	for _, r := range results {
		parts = append(parts, TypedPart{
			Type:       PartToolResult,
			ID:         r.id,
			ResultText: r.result, // want "BC1001.*tool"
		})
	}
	return parts
}

func okTypedText(reply string) TypedPart {
	return TypedPart{Type: PartText, Text: reply}
}

package dyn

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/openai/openai-go/v3"
)

// AnyTool returns whatever it likes.
type AnyTool interface {
	Name() string
	Run(ctx context.Context, args map[string]any) (any, error)
}

func anyFormatted(ctx context.Context, tool AnyTool, id string, args map[string]any) openai.ChatCompletionMessageParamUnion {
	out, err := tool.Run(ctx, args)
	if err != nil {
		return openai.ToolMessage("the tool failed", id)
	}
	return openai.ToolMessage(fmt.Sprintf("Result of %s:\n%v", tool.Name(), out), id) // want "BC1001.*tool"
}

func anyMarshalled(ctx context.Context, tool AnyTool, id string, args map[string]any) (openai.ChatCompletionMessageParamUnion, error) {
	out, err := tool.Run(ctx, args)
	if err != nil {
		return openai.ChatCompletionMessageParamUnion{}, err
	}
	data, err := json.Marshal(out)
	if err != nil {
		return openai.ChatCompletionMessageParamUnion{}, err
	}
	return openai.ToolMessage(string(data), id), nil // want "BC1001.*tool"
}

// The type of the result is small, its value is not looked at.
func okAnyType(ctx context.Context, tool AnyTool, id string, args map[string]any) openai.ChatCompletionMessageParamUnion {
	out, err := tool.Run(ctx, args)
	return openai.ToolMessage(fmt.Sprintf("got a %T, failed: %t", out, err != nil), id)
}

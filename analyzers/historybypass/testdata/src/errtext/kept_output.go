package errtext

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"

	"github.com/openai/openai-go/v3"
)

// shelf keeps texts.
type shelf interface {
	Add(ctx context.Context, text string) error
}

// innerTool is a tool that others call.
type innerTool interface {
	Run(ctx context.Context, input string) (string, error)
}

// What a tool says is in the error.
func sayTools(tool innerTool) []ToolDefinition {
	return []ToolDefinition{
		{Name: "said", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			out, err := tool.Run(ctx, string(input))
			if err != nil || out != "" {
				return "", fmt.Errorf("the tool says %s", out) // want "BC1004.*tool"
			}
			return "clean", nil
		}},
		{Name: "wrapped", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			out, err := tool.Run(ctx, string(input))
			if err != nil || out != "" {
				said := fmt.Errorf("the tool says %s", out) // want "BC1004.*tool"
				return "", fmt.Errorf("it cannot be used: %w", said)
			}
			return "clean", nil
		}},
	}
}

// A shelf that cannot take a text says why, and not what the text is.
func okShelfTools(tool innerTool, s shelf) []ToolDefinition {
	return []ToolDefinition{
		{Name: "keep", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			out, err := tool.Run(ctx, string(input))
			if err != nil {
				return "", err
			}
			if err := s.Add(ctx, out); err != nil {
				return "", fmt.Errorf("it cannot be kept: %w", err)
			}
			return "kept", nil
		}},
	}
}

// So does a function of which nothing else is known.
func okFuncTools(tool innerTool, keep func(text string) error) []ToolDefinition {
	return []ToolDefinition{
		{Name: "keep", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			out, err := tool.Run(ctx, string(input))
			if err != nil {
				return "", err
			}
			if err := keep(out); err != nil {
				return "", fmt.Errorf("it cannot be kept: %w", err)
			}
			return "kept", nil
		}},
	}
}

// What a command says is in the history.
func enterSaid(ctx context.Context, id string) openai.ChatCompletionMessageParamUnion {
	out, err := exec.CommandContext(ctx, "lint").CombinedOutput()
	if err != nil {
		return openai.ToolMessage(fmt.Sprintf("failed: %s", out), id) // want "BC100[14].*process"
	}
	return openai.ToolMessage("clean", id)
}

// complaints makes errors of texts.
type complaints interface {
	NewError(text string) error
}

// What makes an error of a text says it, also behind an interface.
func enterComplaint(ctx context.Context, c complaints, id string) openai.ChatCompletionMessageParamUnion {
	out, err := exec.CommandContext(ctx, "lint").CombinedOutput()
	if err != nil {
		return openai.ToolMessage(c.NewError(string(out)).Error(), id) // want "BC100[14].*process"
	}
	return openai.ToolMessage("clean", id)
}

// The error of a shelf is the same in a history.
func okEnterShelfError(ctx context.Context, s shelf, id string) openai.ChatCompletionMessageParamUnion {
	out, err := exec.CommandContext(ctx, "lint").CombinedOutput()
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	if err := s.Add(ctx, string(out)); err != nil {
		return openai.ToolMessage(err.Error(), id)
	}
	return openai.ToolMessage("kept", id)
}

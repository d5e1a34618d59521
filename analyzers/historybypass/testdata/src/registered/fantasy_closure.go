package registered

import (
	"context"
	"fmt"

	"charm.land/fantasy"
)

func newFantasyTool() fantasy.AgentTool {
	return fantasy.NewAgentTool("read", "reads a file", func(ctx context.Context, params PathArgs, call fantasy.ToolCall) (fantasy.ToolResponse, error) {
		text, err := slurp(params.Path)
		if err != nil {
			return fantasy.NewTextErrorResponse("the file cannot be read"), nil
		}
		return fantasy.NewTextResponse(text), nil // want "BC1002.*file"
	})
}

func newFantasyToolWithMetadata() fantasy.AgentTool {
	return fantasy.NewParallelAgentTool("read", "reads a file", func(ctx context.Context, params PathArgs, call fantasy.ToolCall) (fantasy.ToolResponse, error) {
		text, err := slurp(params.Path)
		if err != nil {
			return fantasy.ToolResponse{}, err
		}
		return fantasy.WithResponseMetadata(
			fantasy.NewTextResponse(text), // want "BC1002.*file"
			map[string]int{"bytes": len(text)},
		), nil
	})
}

func newFantasyToolByField() fantasy.AgentTool {
	return fantasy.NewAgentTool("read", "reads a file", func(ctx context.Context, params PathArgs, call fantasy.ToolCall) (fantasy.ToolResponse, error) {
		text, err := slurp(params.Path)
		if err != nil {
			return fantasy.ToolResponse{}, err
		}
		return fantasy.ToolResponse{
			Type:    "text",
			Content: text, // want "BC1002.*file"
		}, nil
	})
}

// Metadata is for the screen and does not reach the model.
func okFantasyMetadata() fantasy.AgentTool {
	return fantasy.NewAgentTool("stat", "looks at a file", func(ctx context.Context, params PathArgs, call fantasy.ToolCall) (fantasy.ToolResponse, error) {
		text, err := slurp(params.Path)
		if err != nil {
			return fantasy.ToolResponse{}, err
		}
		summary := fmt.Sprintf("%d bytes", len(text))
		return fantasy.WithResponseMetadata(fantasy.NewTextResponse(summary), map[string]string{"preview": text}), nil
	})
}

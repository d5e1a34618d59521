package dyn

import (
	"context"

	"charm.land/fantasy"
)

func fantasyMessage(ctx context.Context, tool fantasy.AgentTool, call fantasy.ToolCall) (fantasy.Message, error) {
	resp, err := tool.Run(ctx, call)
	if err != nil {
		return fantasy.Message{}, err
	}
	return fantasy.Message{
		Role: fantasy.MessageRoleTool,
		Content: []fantasy.MessagePart{
			fantasy.ToolResultPart{
				ToolCallID: call.ID,
				Output:     fantasy.ToolResultOutputContentText{Text: resp.Content}, // want "BC1001.*tool"
			},
		},
	}, nil
}

// Reading one short field of the response is not entering its content.
func okFantasyMediaType(ctx context.Context, tool fantasy.AgentTool, call fantasy.ToolCall) fantasy.ToolResultPart {
	_, err := tool.Run(ctx, call)
	text := "an image was shown"
	if err != nil {
		text = "the image could not be shown"
	}
	return fantasy.ToolResultPart{ToolCallID: call.ID, Output: fantasy.ToolResultOutputContentText{Text: text}}
}

package dyn

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
)

func bedrockResult(ctx context.Context, tool Tool, id *string) types.Message {
	result, err := tool.Execute(ctx, "{}")
	if err != nil {
		result = "the tool failed"
	}
	return types.Message{
		Role: types.ConversationRoleUser,
		Content: []types.ContentBlock{
			&types.ContentBlockMemberToolResult{
				Value: types.ToolResultBlock{
					ToolUseId: id,
					Content: []types.ToolResultContentBlock{
						&types.ToolResultContentBlockMemberText{
							Value: result, // want "BC1001.*tool"
						},
					},
				},
			},
		},
	}
}

func bedrockDocument(ctx context.Context, tool Tool, id *string) types.ToolResultBlock {
	result, err := tool.Execute(ctx, "{}")
	if err != nil {
		result = "the tool failed"
	}
	doc := map[string]any{"result": result}
	return types.ToolResultBlock{
		ToolUseId: id,
		Content: []types.ToolResultContentBlock{
			&types.ToolResultContentBlockMemberJson{
				Value: document.NewLazyDocument(doc), // want "BC1001.*tool"
			},
		},
	}
}

// The plain text block next to it is what the user typed.
func okBedrockUserText(question string) types.Message {
	return types.Message{
		Role:    types.ConversationRoleUser,
		Content: []types.ContentBlock{&types.ContentBlockMemberText{Value: question}},
	}
}

package dyn

import (
	"context"
	"fmt"

	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/schema"
)

func einoRun(ctx context.Context, t tool.InvokableTool, call Call) (*schema.Message, error) {
	out, err := t.InvokableRun(ctx, call.Arguments)
	if err != nil {
		return nil, err
	}
	return schema.ToolMessage(out, call.ID, schema.WithToolName(call.Name)), nil // want "BC1001.*tool"
}

func einoRunLiteral(ctx context.Context, t tool.InvokableTool, call Call) (*schema.Message, error) {
	out, err := t.InvokableRun(ctx, call.Arguments)
	if err != nil {
		return nil, err
	}
	return &schema.Message{
		Role:       schema.Tool,
		Content:    out, // want "BC1001.*tool"
		ToolCallID: call.ID,
	}, nil
}

func okTransfer(agentName, id string) *schema.Message {
	return schema.ToolMessage(fmt.Sprintf("handed over to agent %s", agentName), id)
}

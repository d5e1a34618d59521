package stored

import (
	"context"

	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/schema"
)

// The framework calls the closure with each chunk.
func streamed(ctx context.Context, t tool.StreamableTool, call Call) (*schema.StreamReader[*schema.Message], error) {
	stream, err := t.StreamableRun(ctx, call.Args)
	if err != nil {
		return nil, err
	}
	convert := func(chunk string) (*schema.Message, error) {
		return schema.ToolMessage(chunk, call.ID), nil // want "BC1001.*tool"
	}
	return schema.StreamReaderWithConvert(stream, convert), nil
}

// Here the agent reads the chunks itself and keeps them all.
func drained(ctx context.Context, t tool.StreamableTool, call Call) (*schema.Message, error) {
	stream, err := t.StreamableRun(ctx, call.Args)
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	text := ""
	for {
		chunk, err := stream.Recv()
		if err != nil {
			break
		}
		text += chunk
	}
	return schema.ToolMessage(text, call.ID), nil // want "BC1001.*tool"
}

func okStreamStarted(ctx context.Context, t tool.StreamableTool, call Call) *schema.Message {
	if _, err := t.StreamableRun(ctx, call.Args); err != nil {
		return schema.ToolMessage("the stream cannot be opened", call.ID)
	}
	return schema.ToolMessage("the stream is open", call.ID)
}

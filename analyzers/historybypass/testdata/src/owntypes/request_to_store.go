package owntypes

import "context"

// PutRequest is what a store is asked to keep.
type PutRequest struct {
	ToolUseID string
	Content   string
}

// Note is what goes into the history instead.
type Note struct {
	ToolUseID string
	Content   string
}

// Archive keeps texts.
type Archive interface {
	Put(ctx context.Context, req PutRequest) error
}

// A note with the identifier of a call is a result.
func noted(ctx context.Context, tool Tool, call Call, notes []Note) []Note {
	out, err := tool.Call(ctx, call.Input)
	if err != nil {
		return notes
	}
	return append(notes, Note{
		ToolUseID: call.ID,
		Content:   out, // want "BC1001.*tool"
	})
}

// SubmitOutputRequest hands what a tool gave to the service that keeps the history.
type SubmitOutputRequest struct {
	ToolCallID string
	Output     string
}

// A request to a model with what a tool gave is a result, too.
func submitted(ctx context.Context, tool Tool, call Call, submit func(SubmitOutputRequest)) {
	out, err := tool.Call(ctx, call.Input)
	if err != nil {
		return
	}
	submit(SubmitOutputRequest{
		ToolCallID: call.ID,
		Output:     out, // want "BC1001.*tool"
	})
}

// What a store is asked to keep is not shown to the model.
func okArchived(ctx context.Context, tool Tool, call Call, archive Archive) (Note, error) {
	out, err := tool.Call(ctx, call.Input)
	if err != nil {
		return Note{}, err
	}
	if err := archive.Put(ctx, PutRequest{ToolUseID: call.ID, Content: out}); err != nil {
		return Note{}, err
	}
	return Note{ToolUseID: call.ID, Content: "archived"}, nil
}

package owntypes

import "context"

// DoneEvent tells that a tool is done.
type DoneEvent struct {
	ID     string
	Output string
}

// doneCall is a call with what it gave.
type doneCall struct {
	id, output string
}

// Row is a line on the screen, or of a history.
type Row struct {
	ToolCallID string
	Text       string
}

// What a tool gave stands beside the identifier of the call.
func enterRows(ctx context.Context, tool Tool, calls []Call, enter func(Row)) {
	done := make(chan doneCall)
	go func() {
		defer close(done)
		for _, call := range calls {
			if out, err := tool.Call(ctx, call.Input); err == nil {
				done <- doneCall{id: call.ID, output: out}
			}
		}
	}()
	for d := range done {
		enter(Row{
			ToolCallID: d.id,
			Text:       d.output, // want "BC1001.*tool"
		})
	}
}

// CallRecord is a call with what it gave.
type CallRecord struct {
	ID, Output string
}

// RecordedMessage is a message of a history.
type RecordedMessage struct {
	Role       Role
	Content    string
	ToolCallID string
}

// A message of a tool is one, whatever carried its content.
func enterRecords(ctx context.Context, tool Tool, calls []Call, history []RecordedMessage) []RecordedMessage {
	records := make(chan CallRecord)
	go func() {
		defer close(records)
		for _, call := range calls {
			if out, err := tool.Call(ctx, call.Input); err == nil {
				records <- CallRecord{ID: call.ID, Output: out}
			}
		}
	}()
	for r := range records {
		history = append(history, RecordedMessage{
			Role:       RoleTool,
			ToolCallID: r.ID,
			Content:    r.Output, // want "BC1001.*tool"
		})
	}
	return history
}

// Who is told what has happened shows it on a screen.
func okShowRows(ctx context.Context, tool Tool, calls []Call, show func(Row)) {
	events := make(chan DoneEvent)
	go func() {
		defer close(events)
		for _, call := range calls {
			if out, err := tool.Call(ctx, call.Input); err == nil {
				events <- DoneEvent{ID: call.ID, Output: out}
			}
		}
	}()
	for e := range events {
		show(Row{ToolCallID: e.ID, Text: e.Output})
	}
}

// So does who is told by pointer.
func okShowRowsByPointer(ctx context.Context, tool Tool, calls []Call, show func(Row)) {
	events := make(chan *DoneEvent)
	go func() {
		defer close(events)
		for _, call := range calls {
			if out, err := tool.Call(ctx, call.Input); err == nil {
				events <- &DoneEvent{ID: call.ID, Output: out}
			}
		}
	}()
	for e := range events {
		show(Row{ToolCallID: e.ID, Text: e.Output})
	}
}

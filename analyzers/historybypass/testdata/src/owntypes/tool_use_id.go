package owntypes

import "context"

// Block is marked by ToolUseID beside ResultText.
type Block struct {
	Kind       string
	ToolUseID  string
	ResultText string
	Error      bool
}

// Turn holds nested contents as the results of a tool.
type Turn struct {
	ToolUseID  string
	ToolResult []Piece
}

// Piece is one piece of a turn.
type Piece struct {
	Type string
	Text string
}

func blocks(ctx context.Context, tool Tool, calls []Call) []Block {
	var bs []Block
	for _, call := range calls {
		out, err := tool.Call(ctx, call.Input)
		bs = append(bs, Block{
			Kind:       "result",
			ToolUseID:  call.ID,
			ResultText: out, // want "BC1001.*tool"
			Error:      err != nil,
		})
	}
	return bs
}

func turn(ctx context.Context, tool Tool, call Call) Turn {
	t := Turn{ToolUseID: call.ID}
	out, err := tool.Call(ctx, call.Input)
	if err != nil {
		t.ToolResult = []Piece{{Type: "text", Text: "the tool failed"}}
		return t
	}
	t.ToolResult = []Piece{{Type: "text", Text: out}} // want "BC1001.*tool"
	return t
}

// A piece on its own says nothing about a history: this one goes to the screen.
func okScreenPiece(ctx context.Context, tool Tool, call Call, show func(Piece)) {
	out, err := tool.Call(ctx, call.Input)
	if err == nil {
		show(Piece{Type: "text", Text: out})
	}
}

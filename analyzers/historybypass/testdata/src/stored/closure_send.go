package stored

import "context"

// Content is a piece of a message with the result inside.
type Content struct {
	Type       string
	ToolUseID  string
	ToolError  bool
	ToolResult []Content
	Text       string
}

// ToolOut is what a FuncTool returns.
type ToolOut struct {
	LLMContent []Content
	Err        error
}

// FuncTool has its code in a field.
type FuncTool struct {
	Name string
	Run  func(ctx context.Context, input []byte) ToolOut
}

func closureSend(ctx context.Context, tools map[string]*FuncTool, parts []Content) []Content {
	results := make(chan Content, len(parts))
	for _, part := range parts {
		go func() {
			content := Content{Type: "tool_result", ToolUseID: part.ToolUseID}
			sendErr := func(text string) {
				content.ToolError = true
				content.ToolResult = []Content{{Type: "text", Text: text}}
				results <- content
			}
			sendRes := func(out ToolOut) {
				content.ToolResult = out.LLMContent // want "BC1001.*tool"
				results <- content
			}
			tool, ok := tools[part.Text]
			if !ok {
				sendErr("there is no such tool")
				return
			}
			out := tool.Run(ctx, nil)
			if out.Err != nil {
				sendErr("the tool failed")
				return
			}
			sendRes(out)
		}()
	}
	var all []Content
	for range parts {
		all = append(all, <-results)
	}
	return all
}

func okClosureSendsNothing(parts []Content) []Content {
	results := make(chan Content, len(parts))
	for _, part := range parts {
		send := func(text string) {
			results <- Content{ToolUseID: part.ToolUseID, ToolResult: []Content{{Type: "text", Text: text}}}
		}
		send("skipped")
	}
	var all []Content
	for range parts {
		all = append(all, <-results)
	}
	return all
}

package appends

import (
	"context"
	"os/exec"
)

type agent struct {
	history []Message
	tools   map[string]Tool
}

// addResult puts what it is given into the history: that is reported here, and where each caller passes it.
func (a *agent) addResult(id, content string) {
	a.history = append(a.history, Message{Role: "tool", Content: content, ToolCallID: id}) // want "BC1001.*tool"
}

func (a *agent) step(ctx context.Context, call Call) {
	tool, ok := a.tools[call.Name]
	if !ok {
		a.addResult(call.ID, "there is no such tool")
		return
	}
	out, err := tool.Call(ctx, call.Input)
	if err != nil {
		a.addResult(call.ID, "the tool failed")
		return
	}
	a.addResult(call.ID, out) // want "BC1001.*tool"
}

func (a *agent) shell(ctx context.Context, id, command string) {
	out, _ := exec.CommandContext(ctx, "sh", "-c", command).CombinedOutput()
	a.addResult(id, string(out)) // want "BC1001.*process"
}

func (a *agent) okShellHead(ctx context.Context, id, command string) {
	out, _ := exec.CommandContext(ctx, "sh", "-c", command).CombinedOutput()
	if len(out) > 4000 {
		out = out[:4000]
	}
	a.addResult(id, string(out))
}

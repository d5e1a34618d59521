// Package loop runs the conversation between a model and its tools.
package loop

import (
	"context"
	"fmt"
	"os/exec"

	"example.com/agent/chat"
	"example.com/agent/tools"
)

// maxTurns ends a conversation in which the model never stops calling tools.
const maxTurns = 20

// An Agent is a model with tools and a conversation.
type Agent struct {
	Provider chat.Provider
	Tools    []tools.Tool
	History  chat.History
}

// Ask puts a question to the model, runs the tools it wants, and returns its answer.
func (a *Agent) Ask(ctx context.Context, question string) (string, error) {
	a.History.Add(chat.Message{Role: chat.User, Content: question})
	for range maxTurns {
		reply, err := a.Provider.Complete(ctx, a.History.Messages())
		if err != nil {
			return "", fmt.Errorf("asking the model: %w", err)
		}
		a.History.Add(reply)
		if len(reply.ToolCalls) == 0 {
			return reply.Content, nil
		}
		for _, call := range reply.ToolCalls {
			a.History.Add(a.answer(ctx, call))
		}
	}
	return "", fmt.Errorf("the model called tools for %d turns without an answer", maxTurns)
}

// answer runs one call. Whatever happens becomes a message: the model must learn of errors, too.
func (a *Agent) answer(ctx context.Context, call chat.ToolCall) chat.Message {
	for _, t := range a.Tools {
		if t.Name() != call.Name {
			continue
		}
		out, err := t.Call(ctx, call.Args)
		if err != nil {
			out = "error: " + err.Error()
		}
		return chat.Message{Role: chat.Tool, ToolCallID: call.ID, Content: out}
	}
	return chat.Message{Role: chat.Tool, ToolCallID: call.ID, Content: fmt.Sprintf("there is no tool %q", call.Name)}
}

// Bang runs a command that the user typed behind "!" and shows its output to the model with the next question.
func (a *Agent) Bang(ctx context.Context, command string) error {
	out, err := exec.CommandContext(ctx, "sh", "-c", command).CombinedOutput()
	if err != nil && len(out) == 0 {
		return fmt.Errorf("running %q: %w", command, err)
	}
	a.History.Add(chat.Message{Role: chat.User, Content: fmt.Sprintf("I ran %s:\n%s", command, out)})
	return nil
}

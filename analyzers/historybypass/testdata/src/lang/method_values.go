package lang

import (
	"context"

	"github.com/openai/openai-go/v3"
)

type notes struct {
	text string
}

func (n *notes) add(s string) { n.text += s }

func (n *notes) shell(ctx context.Context, command string) string { return output(ctx, command) }

func boundMethod(ctx context.Context, command, id string) message {
	n := &notes{}
	add := n.add
	add(output(ctx, command))
	return openai.ToolMessage(n.text, id) // want "BC1001.*process"
}

func methodExpression(ctx context.Context, command, id string) message {
	run := (*notes).shell
	return openai.ToolMessage(run(&notes{}, ctx, command), id) // want "BC1001.*process"
}

func funcVariable(ctx context.Context, command, id string) message {
	run := output
	return openai.ToolMessage(run(ctx, command), id) // want "BC1001.*process"
}

func okBoundMethod(ctx context.Context, command, id string) message {
	n := &notes{}
	add := n.add
	add(head(output(ctx, command)))
	add("the end")
	return openai.ToolMessage(n.text, id)
}

package bounds

import (
	"context"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/text"
	"github.com/openai/openai-go/v3"
)

// This project's own layer is known like any other library.

func okPipelineText(ctx context.Context, p *bounding.Pipeline, id string) message {
	out := shell(ctx, "make")
	return openai.ToolMessage(p.Text(ctx, bounding.Call{ID: id, Tool: "shell"}, out), id)
}

func okPipelineBound(ctx context.Context, p *bounding.Pipeline, id string) message {
	r := p.Bound(ctx, bounding.Output{Call: bounding.Call{ID: id}, Text: shell(ctx, "make")})
	return openai.ToolMessage(r.Text(), id)
}

func okPrefixOfText(ctx context.Context, id string) message {
	return openai.ToolMessage(text.UTF16.Prefix(shell(ctx, "make"), 4000), id)
}

func okSelected(ctx context.Context, id string) message {
	sel := text.Select(shell(ctx, "make"), text.Options{Head: 1000, Tail: 3000})
	return openai.ToolMessage(sel.Head+"\n…\n"+sel.Tail, id)
}

func okCounted(ctx context.Context, id string) message {
	out := shell(ctx, "make")
	if text.UTF16.Count(out) > maxOutput {
		return openai.ToolMessage("the output is too long", id)
	}
	return openai.ToolMessage(out, id)
}

// To clean a text is not to shorten it.
func cleanedOnly(ctx context.Context, id string) message {
	return openai.ToolMessage(text.Clean(shell(ctx, "make")), id) // want "BC1001.*process"
}

// What the model gets must be what was bounded.
func boundedForTheLog(ctx context.Context, p *bounding.Pipeline, id string) message {
	out := shell(ctx, "make")
	println(p.Text(ctx, bounding.Call{ID: id}, out))
	return openai.ToolMessage(out, id) // want "BC1001.*process"
}

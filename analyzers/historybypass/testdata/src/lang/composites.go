package lang

import (
	"context"
	"slices"
	"strings"

	"github.com/openai/openai-go/v3"
)

type base struct{ text string }

// wrapper embeds base.
type wrapper struct {
	base
	name string
}

type pair [2]string

func embeddedField(ctx context.Context, command, id string) message {
	w := wrapper{base: base{text: output(ctx, command)}, name: command}
	return openai.ToolMessage(w.text, id) // want "BC1001.*process"
}

func arrayElement(ctx context.Context, command, id string) message {
	var p pair
	p[1] = output(ctx, command)
	return openai.ToolMessage(p[1], id) // want "BC1001.*process"
}

func mapElement(ctx context.Context, command, id string) message {
	m := map[string]*wrapper{}
	m[command] = &wrapper{}
	m[command].text = output(ctx, command)
	return openai.ToolMessage(m[command].text, id) // want "BC1001.*process"
}

func structCopy(ctx context.Context, command, id string) message {
	first := wrapper{name: command}
	first.text = output(ctx, command)
	second := first
	return openai.ToolMessage(second.text, id) // want "BC1001.*process"
}

func copied(ctx context.Context, command, id string) message {
	src := []byte(output(ctx, command))
	dst := make([]byte, len(src))
	copy(dst, src)
	return openai.ToolMessage(string(dst), id) // want "BC1001.*process"
}

func concatenated(ctx context.Context, command, id string) message {
	parts := slices.Concat([]string{"head"}, strings.Split(output(ctx, command), "\n"))
	return openai.ToolMessage(strings.Join(parts, "\n"), id) // want "BC1001.*process"
}

// The other field of the same struct.
func okOtherField(ctx context.Context, command, id string) message {
	w := wrapper{base: base{text: output(ctx, command)}, name: command}
	return openai.ToolMessage(w.name, id)
}

func okSmallCopy(ctx context.Context, command, id string) message {
	dst := make([]byte, 512)
	n := copy(dst, output(ctx, command))
	return openai.ToolMessage(string(dst[:n]), id)
}

func okFirstByte(ctx context.Context, command, id string) message {
	out := output(ctx, command)
	if out == "" {
		return openai.ToolMessage("no output", id)
	}
	return openai.ToolMessage("begins with "+string(out[0]), id)
}

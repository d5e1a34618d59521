package lang

import (
	"context"

	"github.com/openai/openai-go/v3"
)

func phi(ctx context.Context, command, id string, again bool) message {
	out := "nothing"
	if again {
		out = output(ctx, command)
	}
	return openai.ToolMessage(out, id) // want "BC1001.*process"
}

func gotoLoop(ctx context.Context, command, id string) message {
	out, tries := "", 0
retry:
	out = output(ctx, command)
	if out == "" && tries < 3 {
		tries++
		goto retry
	}
	return openai.ToolMessage(out, id) // want "BC1001.*process"
}

func labelled(ctx context.Context, groups [][]string, id string) message {
	last := ""
outer:
	for _, group := range groups {
		for _, command := range group {
			last = output(ctx, command)
			if last != "" {
				break outer
			}
		}
	}
	return openai.ToolMessage(last, id) // want "BC1001.*process"
}

func fallsThrough(ctx context.Context, command, id string, level int) message {
	out := "short"
	switch level {
	case 2:
		out = output(ctx, command)
		fallthrough
	case 1:
		out += "."
	}
	return openai.ToolMessage(out, id) // want "BC1001.*process"
}

func recovered(ctx context.Context, command, id string) (m message) {
	defer func() {
		if r := recover(); r != nil {
			m = openai.ToolMessage("panicked", id)
		}
	}()
	m = openai.ToolMessage(output(ctx, command), id) // want "BC1001.*process"
	return m
}

// The value is overwritten before it enters.
func okOverwritten(ctx context.Context, command, id string) message {
	out := output(ctx, command)
	if out != "" {
		out = "there was output"
	} else {
		out = "there was none"
	}
	return openai.ToolMessage(out, id)
}

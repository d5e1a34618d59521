package lang

import (
	"context"
	"sync"

	"github.com/openai/openai-go/v3"
)

func selected(ctx context.Context, command, id string) message {
	out := make(chan string, 1)
	failed := make(chan error, 1)
	go func() { out <- output(ctx, command) }()
	select {
	case text := <-out:
		return openai.ToolMessage(text, id) // want "BC1001.*process"
	case err := <-failed:
		return openai.ToolMessage(err.Error(), id)
	case <-ctx.Done():
		return openai.ToolMessage("cancelled", id)
	}
}

func sendTo(ctx context.Context, command string, out chan<- string) { out <- output(ctx, command) }

func goCall(ctx context.Context, command, id string) message {
	out := make(chan string)
	go sendTo(ctx, command, out)
	return openai.ToolMessage(<-out, id) // want "BC1001.*process"
}

func onced(ctx context.Context, command, id string) message {
	var (
		once sync.Once
		out  string
	)
	once.Do(func() { out = output(ctx, command) })
	return openai.ToolMessage(out, id) // want "BC1001.*process"
}

func syncMap(ctx context.Context, command, id string) message {
	var m sync.Map
	m.Store(id, output(ctx, command))
	v, _ := m.Load(id)
	text, _ := v.(string)
	return openai.ToolMessage(text, id) // want "BC1001.*process"
}

func okSelected(ctx context.Context, command, id string) message {
	done := make(chan struct{})
	go func() {
		defer close(done)
		if output(ctx, command) == "" {
			return
		}
	}()
	select {
	case <-done:
		return openai.ToolMessage("done", id)
	case <-ctx.Done():
		return openai.ToolMessage("cancelled", id)
	}
}

package stored

import (
	"context"
	"sync"
)

type collector struct {
	mu    sync.Mutex
	lines []string
}

func (c *collector) add(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lines = append(c.lines, line)
}

func (c *collector) gather(ctx context.Context, tools []Tool, args string) {
	var wg sync.WaitGroup
	for _, tool := range tools {
		wg.Go(func() {
			if out, err := tool.Execute(ctx, args); err == nil {
				c.add(out)
			}
		})
	}
	wg.Wait()
}

func gathered(ctx context.Context, tools []Tool, id string) []Message {
	c := &collector{}
	c.gather(ctx, tools, "{}")
	var messages []Message
	for _, line := range c.lines {
		messages = append(messages, Message{
			Role:       "tool",
			ToolCallID: id,
			Content:    line, // want "BC1001.*tool"
		})
	}
	return messages
}

type counter struct {
	mu    sync.Mutex
	bytes map[string]int
}

func okCounted(ctx context.Context, tools []Tool, id string) Message {
	c := &counter{bytes: map[string]int{}}
	for _, tool := range tools {
		out, _ := tool.Execute(ctx, "{}")
		c.bytes["all"] += len(out)
	}
	if c.bytes["all"] == 0 {
		return Message{Role: "tool", ToolCallID: id, Content: "no output"}
	}
	return Message{Role: "tool", ToolCallID: id, Content: "there was output"}
}

package bounds

import (
	"bytes"
	"context"
	"os/exec"

	"github.com/openai/openai-go/v3"
)

// cappedBuffer keeps the first bytes and forgets the rest.
type cappedBuffer struct {
	buf   bytes.Buffer
	limit int
	lost  int
}

func (c *cappedBuffer) Write(p []byte) (int, error) {
	room := c.limit - c.buf.Len()
	if room <= 0 {
		c.lost += len(p)
		return len(p), nil
	}
	if len(p) > room {
		c.lost += len(p) - room
		c.buf.Write(p[:room])
		return len(p), nil
	}
	return c.buf.Write(p)
}

func (c *cappedBuffer) String() string { return c.buf.String() }

func okCappedWriter(ctx context.Context, command, id string) message {
	out := &cappedBuffer{limit: 16 << 10}
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Stdout = out
	cmd.Stderr = out
	if err := cmd.Run(); err != nil {
		return openai.ToolMessage("failed\n"+out.String(), id)
	}
	return openai.ToolMessage(out.String(), id)
}

// tailBuffer keeps the last bytes.
type tailBuffer struct {
	data []byte
	max  int
}

func (t *tailBuffer) Write(p []byte) (int, error) {
	t.data = append(t.data, p...)
	if over := len(t.data) - t.max; over > 0 {
		t.data = t.data[over:]
	}
	return len(p), nil
}

func okTailWriter(ctx context.Context, command, id string) message {
	tail := &tailBuffer{max: 4096}
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Stdout = tail
	if err := cmd.Run(); err != nil {
		return openai.ToolMessage("failed", id)
	}
	return openai.ToolMessage(string(tail.data), id)
}

// countingBuffer knows how much there is and keeps it all.
type countingBuffer struct {
	buf   bytes.Buffer
	count int
}

func (c *countingBuffer) Write(p []byte) (int, error) {
	c.count += len(p)
	return c.buf.Write(p)
}

func countedWriter(ctx context.Context, command, id string) message {
	out := &countingBuffer{}
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	cmd.Stdout = out
	if err := cmd.Run(); err != nil {
		return openai.ToolMessage("failed", id)
	}
	return openai.ToolMessage(out.buf.String(), id) // want "BC1001.*process"
}

package bounds

import (
	"context"

	"github.com/openai/openai-go/v3"
)

// options are what a caller may ask for.
type options struct {
	Max int
}

// A cutter's limit is never zero: who makes one puts a default in its place.
type cutter struct{ max int }

func newCutter(o options) *cutter {
	if o.Max <= 0 {
		o.Max = 16 << 10
	}
	return &cutter{max: o.Max}
}

func (c *cutter) cut(text string) string {
	if c.max > 0 && len(text) > c.max {
		text = text[:c.max]
	}
	return text
}

// An open cutter takes what it is given, and zero switches its limit off.
type openCutter struct{ max int }

func newOpenCutter(o options) *openCutter { return &openCutter{max: o.Max} }

func (c *openCutter) cut(text string) string {
	if c.max > 0 && len(text) > c.max {
		text = text[:c.max]
	}
	return text
}

func okCutByDefault(ctx context.Context, id string, o options) message {
	return openai.ToolMessage(newCutter(o).cut(shell(ctx, "make")), id)
}

func cutIfAsked(ctx context.Context, id string, o options) message {
	return openai.ToolMessage(newOpenCutter(o).cut(shell(ctx, "make")), id) // want "BC1001.*process"
}

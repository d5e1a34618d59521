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

// A limit that is only sometimes set may be zero.
type sometimesCutter struct{ max int }

func newSometimesCutter(truncate bool) *sometimesCutter {
	n := 0
	if truncate {
		n = 4096
	}
	return &sometimesCutter{max: n}
}

func (c *sometimesCutter) cut(text string) string {
	if c.max > 0 && len(text) > c.max {
		text = text[:c.max]
	}
	return text
}

func cutSometimes(ctx context.Context, id string, truncate bool) message {
	return openai.ToolMessage(newSometimesCutter(truncate).cut(shell(ctx, "make")), id) // want "BC1001.*process"
}

// One constructor sets it, another does not.
type twoWayCutter struct{ max int }

func newTwoWayCutter() *twoWayCutter { return &twoWayCutter{max: 4096} }

func newUnlimitedCutter() *twoWayCutter { return &twoWayCutter{} }

func (c *twoWayCutter) cut(text string) string {
	if c.max > 0 && len(text) > c.max {
		text = text[:c.max]
	}
	return text
}

func cutByNobody(ctx context.Context, id string) message {
	return openai.ToolMessage(newUnlimitedCutter().cut(shell(ctx, "make")), id) // want "BC1001.*process"
}

// An option sets it, if it is given.
type optionalCutter struct{ max int }

func withMax() func(*optionalCutter) { return func(c *optionalCutter) { c.max = 4096 } }

func newOptionalCutter(options ...func(*optionalCutter)) *optionalCutter {
	c := &optionalCutter{}
	for _, o := range options {
		o(c)
	}
	return c
}

func (c *optionalCutter) cut(text string) string {
	if c.max > 0 && len(text) > c.max {
		text = text[:c.max]
	}
	return text
}

func cutByOption(ctx context.Context, id string) message {
	return openai.ToolMessage(newOptionalCutter(withMax()).cut(shell(ctx, "make")), id) // want "BC1001.*process"
}

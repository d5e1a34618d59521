package prompts

import (
	"context"

	"github.com/tmc/langchaingo/llms"
)

// storedPrompts are what was written for the model before.
type storedPrompts struct {
	Long, Short string
}

func (d *database) prompts(ctx context.Context, name string) (storedPrompts, error) {
	var p storedPrompts
	err := d.db.QueryRowContext(ctx, "SELECT long, short FROM prompts WHERE name = ?", name).Scan(&p.Long, &p.Short)
	return p, err
}

// Put together they are a new text.
func askBoth(ctx context.Context, llm llms.Model, d *database, name string) (string, error) {
	p, err := d.prompts(ctx, name)
	if err != nil {
		return "", err
	}
	return llm.Call(ctx, p.Long+"\n"+p.Short) // want "BC1005.*database"
}

// So is one of two texts, one of which is put together.
func askEither(ctx context.Context, llm llms.Model, d *database, name string, brief bool) (string, error) {
	p, err := d.prompts(ctx, name)
	if err != nil {
		return "", err
	}
	text := p.Long
	if brief {
		text = "Be brief. " + p.Short
	}
	return llm.Call(ctx, text) // want "BC1005.*database"
}

// Either of them is a prompt that was stored.
func okAskStored(ctx context.Context, llm llms.Model, d *database, name string, brief bool) (string, error) {
	p, err := d.prompts(ctx, name)
	if err != nil {
		return "", err
	}
	text := p.Long
	if brief {
		text = p.Short
	}
	return llm.Call(ctx, text)
}

package dyn

import (
	"context"

	"github.com/cloudwego/eino/schema"
)

// skill is a piece of text with a name.
type skill struct {
	Name    string
	Content string
}

// skillBackend reads from the outside: that is what a context and an error mean.
type skillBackend interface {
	Get(ctx context.Context, name string) (skill, error)
	Names() []string
}

func loadSkill(ctx context.Context, backend skillBackend, call Call) (*schema.Message, error) {
	s, err := backend.Get(ctx, call.Arguments)
	if err != nil {
		return nil, err
	}
	return schema.ToolMessage(s.Content, call.ID), nil // want "BC1001"
}

func okHasSkill(ctx context.Context, backend skillBackend, call Call) *schema.Message {
	if _, err := backend.Get(ctx, call.Arguments); err != nil {
		return schema.ToolMessage("there is no such skill", call.ID)
	}
	return schema.ToolMessage("loaded", call.ID)
}

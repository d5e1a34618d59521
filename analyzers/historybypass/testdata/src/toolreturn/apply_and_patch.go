package toolreturn

import (
	"context"
	"encoding/json"
)

// Garden is somewhere else.
type Garden interface {
	ApplyPlan(ctx context.Context, plan string) (*bed, error)
	Patch(ctx context.Context, name, patch string) (*bed, error)
	Visit(ctx context.Context, name string) (*bed, error)
}

type bed struct {
	Plants string
}

// What is visited may hold anything.
func visitTools(g Garden) []ToolDefinition {
	return []ToolDefinition{{Name: "visit", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
		b, err := g.Visit(ctx, string(input))
		if err != nil {
			return "", err
		}
		return b.Plants, nil // want "BC1002.*remote"
	}}}
}

// What comes back of an order is the order.
func okOrderTools(g Garden) []ToolDefinition {
	return []ToolDefinition{
		{Name: "apply", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			b, err := g.ApplyPlan(ctx, string(input))
			if err != nil {
				return "", err
			}
			return b.Plants, nil
		}},
		{Name: "patch", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			b, err := g.Patch(ctx, "roses", string(input))
			if err != nil {
				return "", err
			}
			return b.Plants, nil
		}},
	}
}

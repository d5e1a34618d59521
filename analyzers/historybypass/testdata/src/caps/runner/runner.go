// Package runner runs the tools next door and cuts what they return at the limits that they are declared with.
package runner

import (
	"context"
	"log"
)

// Spec describes a tool. Nobody looks at MaxPages.
type Spec struct {
	Name     string
	MaxChars int
	MaxPages int
}

// SpecTool is a tool with its description beside its code.
type SpecTool struct {
	Spec Spec
	Run  func(ctx context.Context, input string) (string, error)
}

// LimitTool is a tool with its limit beside its code.
type LimitTool struct {
	Name  string
	Limit int
	Run   func(ctx context.Context, input string) (string, error)
}

// Tool is a tool that describes itself.
type Tool interface {
	Spec() Spec
	Run(ctx context.Context, input string) (string, error)
}

// clip cuts a text at a limit, which 0 switches off.
func clip(text string, limit int) string {
	if limit <= 0 || len(text) <= limit {
		return text
	}
	return text[:limit]
}

// RunSpec has a helper that cuts.
func RunSpec(ctx context.Context, tool SpecTool, input string) (string, error) {
	out, err := tool.Run(ctx, input)
	if err != nil {
		return "", err
	}
	return clip(out, tool.Spec.MaxChars), nil
}

// RunLimit cuts where it stands.
func RunLimit(ctx context.Context, tool *LimitTool, input string) (string, error) {
	out, err := tool.Run(ctx, input)
	if err != nil {
		return "", err
	}
	if tool.Limit > 0 && len(out) > tool.Limit {
		out = out[:tool.Limit]
	}
	return out, nil
}

// RunTool asks the tool for its limit.
func RunTool(ctx context.Context, tool Tool, input string) (string, error) {
	out, err := tool.Run(ctx, input)
	if err != nil {
		return "", err
	}
	return clip(out, tool.Spec().MaxChars), nil
}

// ShownTool says how much of what it returns is written to the log.
type ShownTool struct {
	Name    string
	Preview int
	Run     func(ctx context.Context, input string) (string, error)
}

// RunShown cuts only what it logs.
func RunShown(ctx context.Context, tool *ShownTool, input string) (string, error) {
	out, err := tool.Run(ctx, input)
	if err != nil {
		return "", err
	}
	log.Print(clip(out, tool.Preview))
	return out, nil
}

// Package genkit is a stub of the framework's entry points.
package genkit

import "github.com/firebase/genkit/go/ai"

type Genkit struct{}

func DefineTool[In, Out any](g *Genkit, name, description string, fn func(ctx *ai.ToolContext, input In) (Out, error)) ai.Tool {
	return nil
}

package registered

import (
	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"
)

func genkitTools(g *genkit.Genkit) []ai.Tool {
	return []ai.Tool{
		genkit.DefineTool(g, "read", "reads a file", func(ctx *ai.ToolContext, input PathArgs) (string, error) {
			text, err := slurp(input.Path)
			if err != nil {
				return "", err
			}
			return text, nil // want "BC1002.*file"
		}),
		ai.NewTool("read_lazily", "reads a file", genkitRead),
		genkit.DefineTool(g, "size", "size of a file", okGenkitSize),
	}
}

func genkitRead(ctx *ai.ToolContext, input PathArgs) (*ReadResult, error) {
	text, err := slurp(input.Path)
	if err != nil {
		return nil, err
	}
	result := &ReadResult{Status: "ok"}
	result.Content = text
	return result, nil // want "BC1002.*file"
}

func okGenkitSize(ctx *ai.ToolContext, input PathArgs) (int, error) {
	text, err := slurp(input.Path)
	return len(text), err
}

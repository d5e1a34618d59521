package generated

import "github.com/openai/openai-go/v3"

func throughGenerated(path, id string) message {
	return openai.ToolMessage(generatedRead(path), id) // want "BC1001.*file"
}

func okBoundedByGenerated(path, id string) message {
	return openai.ToolMessage(generatedLimit(generatedRead(path)), id)
}

package registered

import "context"

// toolReader is a tool, whatever it is called.
type toolReader struct{}

func (toolReader) Invoke(ctx context.Context, input string) (string, error) {
	text, err := slurp(input)
	if err != nil {
		return "", err
	}
	return text, nil // want "BC1002.*file"
}

// ToolsNode is the part of a graph that has tools run, and none itself: what it gives goes to the next part.
type ToolsNode struct{}

func (ToolsNode) Invoke(ctx context.Context, input string) (string, error) {
	text, err := slurp(input)
	if err != nil {
		return "", err
	}
	return text, nil
}

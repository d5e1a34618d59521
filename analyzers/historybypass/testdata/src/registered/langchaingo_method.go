package registered

import (
	"context"

	"github.com/tmc/langchaingo/tools"
)

type lcReader struct{}

func (lcReader) Name() string { return "reader" }

func (lcReader) Description() string { return "reads a file" }

func (lcReader) Call(ctx context.Context, input string) (string, error) {
	text, err := slurp(input)
	if err != nil {
		return "the file cannot be read", nil
	}
	return text, nil // want "BC1002.*file"
}

type okLcCalculator struct{}

func (okLcCalculator) Name() string { return "calculator" }

func (okLcCalculator) Description() string { return "adds one" }

func (okLcCalculator) Call(ctx context.Context, input string) (string, error) {
	return input + " + 1", nil
}

func langchainTools() []tools.Tool { return []tools.Tool{lcReader{}, okLcCalculator{}} }

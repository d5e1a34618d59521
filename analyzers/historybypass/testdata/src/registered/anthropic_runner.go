package registered

import (
	"context"
	"encoding/json"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/toolrunner"
)

func runnerTools() ([]anthropic.BetaTool, error) {
	read, err := toolrunner.NewBetaToolFromJSONSchema("read", "reads a file",
		func(ctx context.Context, args PathArgs) (anthropic.BetaToolResultBlockParamContentUnion, error) {
			text, err := slurp(args.Path)
			if err != nil {
				return anthropic.BetaToolResultBlockParamContentUnion{}, err
			}
			return anthropic.BetaToolResultBlockParamContentUnion{OfText: &anthropic.BetaTextBlockParam{Text: text}}, nil // want "BC1002.*file"
		})
	if err != nil {
		return nil, err
	}
	hello, err := toolrunner.NewBetaToolFromJSONSchema("hello", "greets", okRunnerHello)
	return []anthropic.BetaTool{read, hello, runnerMethod{}}, err
}

func okRunnerHello(ctx context.Context, args PathArgs) (anthropic.BetaToolResultBlockParamContentUnion, error) {
	return anthropic.BetaToolResultBlockParamContentUnion{OfText: &anthropic.BetaTextBlockParam{Text: "hello " + args.Path}}, nil
}

type runnerMethod struct{}

func (runnerMethod) Name() string { return "read" }

func (runnerMethod) Execute(ctx context.Context, input json.RawMessage) ([]anthropic.BetaToolResultBlockParamContentUnion, error) {
	text, err := slurp(string(input))
	if err != nil {
		return nil, err
	}
	block := anthropic.BetaToolResultBlockParamContentUnion{OfText: &anthropic.BetaTextBlockParam{}}
	block.OfText.Text = text
	return []anthropic.BetaToolResultBlockParamContentUnion{block}, nil // want "BC1002.*file"
}

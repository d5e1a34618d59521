package dyn

import (
	"context"

	"github.com/openai/openai-go/v3"
	gopenai "github.com/sashabaranov/go-openai"
)

func submitOutputs(ctx context.Context, runs *openai.BetaThreadRunService, tools map[string]Tool, calls []Call) error {
	var outputs []openai.BetaThreadRunSubmitToolOutputsParamsToolOutput
	for _, call := range calls {
		out, err := tools[call.Name].Execute(ctx, call.Arguments)
		if err != nil {
			return err
		}
		outputs = append(outputs, openai.BetaThreadRunSubmitToolOutputsParamsToolOutput{
			ToolCallID: openai.String(call.ID),
			Output:     openai.String(out), // want "BC1001.*tool"
		})
	}
	return runs.SubmitToolOutputs(ctx, "thread", "run", openai.BetaThreadRunSubmitToolOutputsParams{ToolOutputs: outputs})
}

func toolOutput(ctx context.Context, tool Tool, call Call) (gopenai.ToolOutput, error) {
	out, err := tool.Execute(ctx, call.Arguments)
	if err != nil {
		return gopenai.ToolOutput{}, err
	}
	return gopenai.ToolOutput{
		ToolCallID: call.ID,
		Output:     out, // want "BC1001.*tool"
	}, nil
}

func okAcknowledged(call Call) gopenai.ToolOutput {
	return gopenai.ToolOutput{ToolCallID: call.ID, Output: true}
}

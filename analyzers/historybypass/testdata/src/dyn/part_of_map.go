package dyn

import (
	"context"

	"google.golang.org/genai"
)

// summaryPart gives the model one part of a state.
func summaryPart(name string, state map[string]any) *genai.Part {
	summary, ok := state["summary"].(map[string]any)
	if !ok {
		return genai.NewPartFromText("there is no summary")
	}
	return genai.NewPartFromFunctionResponse(name, summary)
}

// What is in the map that is given to the model is entered.
func entireState(ctx context.Context, tool Tool, call *genai.FunctionCall) *genai.Part {
	out, err := tool.Execute(ctx, "{}")
	if err != nil {
		return nil
	}
	state := map[string]any{"log": out}
	return genai.NewPartFromFunctionResponse(call.Name, state) // want "BC1001.*tool"
}

// statePart gives the model all of a map.
func statePart(name string, state map[string]any) *genai.Part {
	return genai.NewPartFromFunctionResponse(name, state)
}

// So it is if a helper gives all of the map to the model.
func entireStateByHelper(ctx context.Context, tool Tool, call *genai.FunctionCall) *genai.Part {
	out, err := tool.Execute(ctx, "{}")
	if err != nil {
		return nil
	}
	return statePart(call.Name, map[string]any{"log": out}) // want "BC1001.*tool"
}

// What lies beside the part that is given to it is not.
func okPartOfState(ctx context.Context, tool Tool, call *genai.FunctionCall) *genai.Part {
	out, err := tool.Execute(ctx, "{}")
	if err != nil {
		return nil
	}
	state := map[string]any{"log": out, "summary": map[string]any{"bytes": len(out)}}
	return summaryPart(call.Name, state)
}

package dyn

import (
	"context"

	responsesv1 "github.com/openai/openai-go/responses"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
)

// The payload is parameter 0 here …
func responsesItem(ctx context.Context, tool Tool, call Call, input responses.ResponseInputParam) responses.ResponseInputParam {
	out, err := tool.Execute(ctx, call.Arguments)
	if err != nil {
		out = "the tool failed"
	}
	item := responses.ResponseInputItemParamOfFunctionCallOutput(out) // want "BC1001.*tool"
	item.OfFunctionCallOutput.CallID = call.ID
	return append(input, item)
}

// … and parameter 1 in the first major version: names decide, not positions.
func responsesItemV1(ctx context.Context, tool Tool, call Call, input responsesv1.ResponseInputParam) responsesv1.ResponseInputParam {
	out, err := tool.Execute(ctx, call.Arguments)
	if err != nil {
		out = "the tool failed"
	}
	return append(input, responsesv1.ResponseInputItemParamOfFunctionCallOutput(call.ID, out)) // want "BC1001.*tool"
}

func responsesLiteral(ctx context.Context, tool Tool, call Call) responses.ResponseInputItemUnionParam {
	out, err := tool.Execute(ctx, call.Arguments)
	if err != nil {
		out = "the tool failed"
	}
	return responses.ResponseInputItemUnionParam{
		OfFunctionCallOutput: &responses.ResponseInputItemFunctionCallOutputParam{
			CallID: call.ID,
			Output: responses.ResponseInputItemFunctionCallOutputOutputUnionParam{OfString: openai.String(out)}, // want "BC1001.*tool"
		},
	}
}

// An identifier is no content, even if somebody builds it from what a tool said.
func okResponsesIdentifier(ctx context.Context, tool Tool, call Call, input responsesv1.ResponseInputParam) responsesv1.ResponseInputParam {
	id, err := tool.Execute(ctx, call.Arguments)
	if err != nil {
		return input
	}
	return append(input, responsesv1.ResponseInputItemParamOfFunctionCallOutput(id, "done"))
}

// Package responses is a stub of the Responses API, in the later of its two shapes: the output is parameter 0.
package responses

import "github.com/openai/openai-go/v3/packages/param"

type ResponseInputParam []ResponseInputItemUnionParam

type ResponseInputItemUnionParam struct {
	OfFunctionCallOutput *ResponseInputItemFunctionCallOutputParam
}

type ResponseFunctionCallOutputItemListParam []string

type ResponseInputItemFunctionCallOutputParam struct {
	CallID string
	Output ResponseInputItemFunctionCallOutputOutputUnionParam
}

type ResponseInputItemFunctionCallOutputOutputUnionParam struct {
	OfString param.Opt[string]
}

type ResponseNewParamsInputUnion struct {
	OfInputItemList ResponseInputParam
}

type ResponseNewParams struct {
	Model string
	Input ResponseNewParamsInputUnion
}

func ResponseInputItemParamOfFunctionCallOutput[T string | ResponseFunctionCallOutputItemListParam](output T) ResponseInputItemUnionParam {
	return ResponseInputItemUnionParam{OfFunctionCallOutput: &ResponseInputItemFunctionCallOutputParam{}}
}

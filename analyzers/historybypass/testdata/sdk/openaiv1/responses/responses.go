// Package responses is a stub of the Responses API as the first major version had it: the output is parameter 1.
package responses

type ResponseInputParam []ResponseInputItemUnionParam

type ResponseInputItemUnionParam struct {
	OfFunctionCallOutput *ResponseInputItemFunctionCallOutputParam
}

type ResponseInputItemFunctionCallOutputParam struct {
	CallID string
	Output string
}

func ResponseInputItemParamOfFunctionCallOutput(callID string, output string) ResponseInputItemUnionParam {
	return ResponseInputItemUnionParam{}
}

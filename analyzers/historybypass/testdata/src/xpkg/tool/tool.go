// Package tool holds the contract of the tools next door.
package tool

import "context"

// Definition is a tool with its code in a field.
type Definition struct {
	Name     string
	Function func(ctx context.Context, args map[string]any) (string, error)
}

// Response builds what a tool returns.
type Response struct {
	CallID string
	Fields map[string]any
}

// Success builds the response of a tool that worked; the fields are pairs of a name and a value.
func Success(callID string, pairs ...any) Response {
	fields := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if name, ok := pairs[i].(string); ok {
			fields[name] = pairs[i+1]
		}
	}
	return Response{CallID: callID, Fields: fields}
}

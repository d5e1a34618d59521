package dyn

import (
	"context"
	"strings"
)

// ToolInput is what a tool is called with.
type ToolInput struct {
	Name      string
	Arguments string
}

// ToolOutput is what it gives.
type ToolOutput struct {
	Result string
}

// ToolEndpoint runs a tool.
type ToolEndpoint func(ctx context.Context, input *ToolInput) (*ToolOutput, error)

// endpointTool is a tool before it is an endpoint.
type endpointTool interface {
	Run(ctx context.Context, arguments string) (string, error)
}

// The endpoint at the bottom calls the tool itself.
func toolEndpoint(tool endpointTool) ToolEndpoint {
	return func(ctx context.Context, input *ToolInput) (*ToolOutput, error) {
		out, err := tool.Run(ctx, input.Arguments)
		if err != nil {
			return nil, err
		}
		return &ToolOutput{Result: out}, nil // want "BC100[12].*tool"
	}
}

// So does one that is given the function of a tool: what it wraps is no endpoint.
func functionEndpoint(tool func(ctx context.Context, arguments string) (string, error)) ToolEndpoint {
	return func(ctx context.Context, input *ToolInput) (*ToolOutput, error) {
		out, err := tool(ctx, input.Arguments)
		if err != nil {
			return nil, err
		}
		return &ToolOutput{Result: out}, nil // want "BC100[12].*tool"
	}
}

// Middleware hands on what the endpoint that it wraps has given.
func okTrimTool(next ToolEndpoint) ToolEndpoint {
	return func(ctx context.Context, input *ToolInput) (*ToolOutput, error) {
		out, err := next(ctx, input)
		if err != nil {
			return nil, err
		}
		return &ToolOutput{Result: strings.TrimSpace(out.Result)}, nil
	}
}

// So does middleware that has it wrapped once more first.
func okNamedTool(wrap func(name string) (ToolEndpoint, error)) ToolEndpoint {
	return func(ctx context.Context, input *ToolInput) (*ToolOutput, error) {
		endpoint, err := wrap(input.Name)
		if err != nil {
			return nil, err
		}
		out, err := endpoint(ctx, input)
		if err != nil {
			return nil, err
		}
		return &ToolOutput{Result: input.Name + ": " + out.Result}, nil
	}
}

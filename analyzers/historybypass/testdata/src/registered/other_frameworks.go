package registered

import (
	"context"

	bladestools "github.com/go-kratos/blades/tools"
	"github.com/nlpodyssey/openai-agents-go/agents"
	"trpc.group/trpc-go/trpc-agent-go/tool"
	"trpc.group/trpc-go/trpc-agent-go/tool/function"
)

type bladesReader struct{}

func (bladesReader) Name() string { return "read" }

func (bladesReader) Description() string { return "reads a file" }

func (bladesReader) Handle(ctx context.Context, input string) (string, error) {
	return slurp(input) // want "BC1002.*file"
}

type okBladesEcho struct{}

func (okBladesEcho) Name() string { return "echo" }

func (okBladesEcho) Description() string { return "says it again" }

func (okBladesEcho) Handle(ctx context.Context, input string) (string, error) { return input, nil }

func bladesTools() []bladestools.Tool { return []bladestools.Tool{bladesReader{}, okBladesEcho{}} }

func agentsTools() []agents.FunctionTool {
	return []agents.FunctionTool{
		{
			Name: "read",
			OnInvokeTool: func(ctx context.Context, arguments string) (any, error) {
				text, err := slurp(arguments)
				if err != nil {
					return nil, err
				}
				return text, nil // want "BC1002.*file"
			},
		},
		{Name: "echo", OnInvokeTool: okInvokeEcho},
	}
}

func okInvokeEcho(ctx context.Context, arguments string) (any, error) { return arguments, nil }

func trpcTools() []tool.CallableTool {
	return []tool.CallableTool{
		function.NewFunctionTool(trpcRead),
		function.NewFunctionTool(okTrpcSize),
		trpcReader{},
	}
}

func trpcRead(ctx context.Context, args PathArgs) (ReadResult, error) {
	text, err := slurp(args.Path)
	if err != nil {
		return ReadResult{}, err
	}
	return ReadResult{Status: "ok", Content: text}, nil // want "BC1002.*file"
}

func okTrpcSize(ctx context.Context, args PathArgs) (int, error) {
	text, err := slurp(args.Path)
	return len(text), err
}

type trpcReader struct{}

func (trpcReader) Declaration() *tool.Declaration { return &tool.Declaration{Name: "read"} }

func (trpcReader) Call(ctx context.Context, jsonArgs []byte) (any, error) {
	text, err := slurp(string(jsonArgs))
	if err != nil {
		return nil, err
	}
	return map[string]string{"text": text}, nil // want "BC1002.*file"
}

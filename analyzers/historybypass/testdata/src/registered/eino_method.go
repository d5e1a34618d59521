package registered

import (
	"context"
	"encoding/json"

	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/schema"
)

type einoReader struct{}

func (einoReader) Info(ctx context.Context) (*schema.ToolInfo, error) {
	return &schema.ToolInfo{Name: "read"}, nil
}

func (einoReader) InvokableRun(ctx context.Context, argumentsInJSON string, opts ...tool.Option) (string, error) {
	var args PathArgs
	if err := json.Unmarshal([]byte(argumentsInJSON), &args); err != nil {
		return "", err
	}
	return slurp(args.Path) // want "BC1002.*file"
}

type okEinoClock struct{ zone string }

func (c okEinoClock) Info(ctx context.Context) (*schema.ToolInfo, error) {
	return &schema.ToolInfo{Name: "clock"}, nil
}

func (c okEinoClock) InvokableRun(ctx context.Context, argumentsInJSON string, opts ...tool.Option) (string, error) {
	return "noon in " + c.zone, nil
}

var _, _ tool.InvokableTool = einoReader{}, okEinoClock{}

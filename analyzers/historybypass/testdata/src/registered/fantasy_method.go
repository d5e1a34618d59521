package registered

import (
	"context"

	"charm.land/fantasy"
)

type viewTool struct{ root string }

func (v *viewTool) Info() fantasy.ToolInfo { return fantasy.ToolInfo{Name: "view"} }

func (v *viewTool) Run(ctx context.Context, params fantasy.ToolCall) (fantasy.ToolResponse, error) {
	text, err := slurp(v.root + params.Input)
	if err != nil {
		return fantasy.NewTextErrorResponse("the file cannot be read"), nil
	}
	return fantasy.NewTextResponse(text), nil // want "BC1002.*file"
}

type okEchoTool struct{}

func (okEchoTool) Info() fantasy.ToolInfo { return fantasy.ToolInfo{Name: "echo"} }

func (okEchoTool) Run(ctx context.Context, params fantasy.ToolCall) (fantasy.ToolResponse, error) {
	return fantasy.NewTextResponse("you called " + params.Name), nil
}

var (
	_ fantasy.AgentTool = (*viewTool)(nil)
	_ fantasy.AgentTool = okEchoTool{}
)

package stored

import (
	"context"
	"encoding/json"
	"os/exec"

	"github.com/openai/openai-go/v3"
)

// made has a field that a build fills in.
type made struct {
	Output string
	Done   bool
}

func (m *made) build(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, "make").Output()
	m.Output = string(out)
	return err
}

// What the field holds was put there by the build.
func (m *made) enter(id string) openai.ChatCompletionMessageParamUnion {
	return openai.ToolMessage(m.Output, id) // want "BC1001.*process"
}

// order is a thing that anybody may have made.
type order struct {
	Kind   string
	Amount int
}

// A text that is made of a thing has no fields that a build could have filled in.
func (o order) okEnterOrder(id string) (openai.ChatCompletionMessageParamUnion, error) {
	data, err := json.Marshal(o)
	if err != nil {
		return openai.ChatCompletionMessageParamUnion{}, err
	}
	var m made
	if err := json.Unmarshal(data, &m); err != nil {
		return openai.ChatCompletionMessageParamUnion{}, err
	}
	return openai.ToolMessage(m.Output, id), nil
}

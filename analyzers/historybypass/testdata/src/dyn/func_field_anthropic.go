package dyn

import (
	"encoding/json"
	"fmt"

	"github.com/anthropics/anthropic-sdk-go"
)

type blockAgent struct {
	tools []Definition
}

func (a *blockAgent) executeTool(id, name string, input json.RawMessage) anthropic.ContentBlockParamUnion {
	for _, tool := range a.tools {
		if tool.Name == name {
			response, err := tool.Function(input)
			if err != nil {
				return anthropic.NewToolResultBlock(id, "the tool failed", true)
			}
			return anthropic.NewToolResultBlock(id, response, false) // want "BC1001.*tool"
		}
	}
	return anthropic.NewToolResultBlock(id, "tool not found", true)
}

// An error that a dynamic call returns is short in every tool seen here; it is not what the rule is after.
func okFuncFieldErrorOnly(tool Definition, id string, input json.RawMessage) anthropic.ContentBlockParamUnion {
	if _, err := tool.Function(input); err != nil {
		return anthropic.NewToolResultBlock(id, err.Error(), true)
	}
	return anthropic.NewToolResultBlock(id, "done", false)
}

func okUnknownTool(id, name string) anthropic.ContentBlockParamUnion {
	return anthropic.NewToolResultBlock(id, fmt.Sprintf("there is no tool %q", name), true)
}

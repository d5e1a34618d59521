package dyn

import "strings"

const roleTool = "tool"

type paramMessage struct {
	Role    string
	Content string
	CallID  string
}

// dispatch gets the tool as a parameter.
func dispatch(id, name string, data []byte, caller func(name string, data []byte) (string, error)) (paramMessage, error) {
	content, err := caller(name, data)
	if content == "" && err != nil {
		content = "the tool failed"
	}
	return paramMessage{
		Role:    roleTool,
		Content: content, // want "BC1001.*tool"
		CallID:  id,
	}, err
}

// A func parameter that maps a name to a name is no tool.
func okRename(id, name string, rename func(name string) string) paramMessage {
	return paramMessage{Role: roleTool, Content: "renamed to " + strings.ToLower(name) + " by " + id, CallID: rename(id)}
}

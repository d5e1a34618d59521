// Package stream is the provider-neutral side of a tool call.
package stream

// RoleTool marks the message of a tool.
const RoleTool = "tool"

// Message is the provider-neutral message.
type Message struct {
	Role    string
	Content string
	CallID  string
}

// CallTool calls a tool and makes a message of what it says.
func CallTool(id, name string, data []byte, caller func(name string, data []byte) (string, error)) (Message, error) {
	content, err := caller(name, data)
	if content == "" && err != nil {
		content = "the tool failed"
	}
	return Message{
		Role:    RoleTool,
		Content: content, // want "BC1001.*tool"
		CallID:  id,
	}, err
}

package owntypes

import "context"

// Role says who speaks.
type Role string

const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
	RoleFunction  Role = "function"
)

// Message is marked by its role.
type Message struct {
	Role Role
	Text string
	Name string
}

func roleTool(ctx context.Context, tool Tool, call Call) (Message, error) {
	out, err := tool.Call(ctx, call.Input)
	if err != nil {
		return Message{}, err
	}
	return Message{
		Role: RoleTool,
		Name: tool.Name(),
		Text: out, // want "BC1001.*tool"
	}, nil
}

func roleFunction(ctx context.Context, tool Tool, call Call) (Message, error) {
	out, err := tool.Call(ctx, call.Input)
	if err != nil {
		return Message{}, err
	}
	return Message{
		Role: RoleFunction,
		Name: tool.Name(),
		Text: out, // want "BC1001.*tool"
	}, nil
}

func okRoleAssistant(reply string) Message {
	return Message{Role: RoleAssistant, Text: reply}
}

func okRoleUser(question string) Message {
	return Message{Role: RoleUser, Text: question}
}

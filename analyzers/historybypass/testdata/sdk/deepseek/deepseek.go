// Package deepseek is a stub: only names and signatures of the SDK matter to the analysis.
package deepseek

const (
	ChatMessageRoleUser = "user"
	ChatMessageRoleTool = "tool"
)

type ChatCompletionMessage struct {
	Role       string
	Content    string
	ToolCallID string
}

// Package prompts holds output that is written into a prompt: of a sub-agent, of a chain, of the next turn.
package prompts

// Role says who speaks.
type Role string

const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
)

// Content is a piece of a message.
type Content struct {
	Text string
}

// Message is what a conversation is made of.
type Message struct {
	Role    Role
	Content []Content
}

// StringContent makes a piece of a string.
func StringContent(s string) Content { return Content{Text: s} }

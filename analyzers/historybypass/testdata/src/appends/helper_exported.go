package appends

// Conversation is a history that other packages fill.
type Conversation struct {
	Messages []Message
}

// AddToolMessage is exported: who calls it is not known here, so the hole is here.
func (c *Conversation) AddToolMessage(content, toolCallID string) {
	c.Messages = append(c.Messages, Message{
		Role:       "tool",
		Content:    content, // want "BC1001"
		ToolCallID: toolCallID,
	})
}

const maxEntry = 16 << 10

// OkAddBounded is exported as well, and bounds whatever comes.
func (c *Conversation) OkAddBounded(content, toolCallID string) {
	if len(content) > maxEntry {
		content = content[:maxEntry] + "…"
	}
	c.Messages = append(c.Messages, Message{Role: "tool", Content: content, ToolCallID: toolCallID})
}

// OkAddUser enters what a person typed.
func (c *Conversation) OkAddUser(content string) {
	c.Messages = append(c.Messages, Message{Role: "user", Content: content})
}

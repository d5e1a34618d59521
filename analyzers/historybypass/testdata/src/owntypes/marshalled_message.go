package owntypes

import "encoding/json"

// ToolResponse is a result that a tool has given.
type ToolResponse struct {
	ID      string
	Content string
}

// Who makes the message of a result enters it.
func (r *ToolResponse) toMessage() map[string]any {
	return map[string]any{
		"role":         "tool",
		"tool_call_id": r.ID,
		"content":      r.Content, // want "BC1001.*tool"
	}
}

// okToolResponse is a result that can be written down.
type okToolResponse struct {
	ID      string
	Content string
}

// MarshalJSON gives the same message in another form.
func (r *okToolResponse) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{
		"role":         "tool",
		"tool_call_id": r.ID,
		"content":      r.Content,
	})
}

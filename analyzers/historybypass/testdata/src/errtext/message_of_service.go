package errtext

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// answer is what a service sends: a text, or an error of its own.
type answer struct {
	Text  string
	Error struct {
		Code    int
		Message string
	}
}

// The body of an answer is as large as the service likes.
func bodyOfService(ctx context.Context, input json.RawMessage) (string, error) {
	resp, err := http.Get("http://service.test/")
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", err
	}
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("the service says %s", body) // want "BC1004.*http"
	}
	return "done", nil
}

// The text is, too, even beside the message.
func textOfService(ctx context.Context, input json.RawMessage) (string, error) {
	resp, err := http.Get("http://service.test/")
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var a answer
	if err := json.NewDecoder(resp.Body).Decode(&a); err != nil {
		return "", err
	}
	if a.Error.Code != 0 {
		return "", fmt.Errorf("the service says %s: %s", a.Error.Message, a.Text) // want "BC1004.*http"
	}
	return "done", nil
}

// The message of its error is short.
func okMessageOfService(ctx context.Context, input json.RawMessage) (string, error) {
	resp, err := http.Get("http://service.test/")
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var a answer
	if err := json.NewDecoder(resp.Body).Decode(&a); err != nil {
		return "", err
	}
	if a.Error.Code != 0 {
		return "", fmt.Errorf("the service says %d: %s", a.Error.Code, a.Error.Message)
	}
	return "done", nil
}

var serviceTools = []ToolDefinition{
	{Name: "body", Function: bodyOfService},
	{Name: "text", Function: textOfService},
	{Name: "message", Function: okMessageOfService},
}

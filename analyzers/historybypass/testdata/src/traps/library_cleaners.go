package traps

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"html"
	"strconv"
	"strings"

	"example.org/htmltext"
	"github.com/openai/openai-go/v3"
)

func cleaned(ctx context.Context, command, id string) []message {
	out, err := shell(ctx, command)
	if err != nil {
		return nil
	}
	text, err := htmltext.FromString(out)
	if err != nil {
		return nil
	}
	encoded, err := json.Marshal(out)
	if err != nil {
		return nil
	}
	after, _ := strings.CutPrefix(out, "result:")
	return []message{
		openai.ToolMessage(strings.TrimSpace(out), id),                           // want "BC1001.*process"
		openai.ToolMessage(strings.ToValidUTF8(out, "?"), id),                    // want "BC1001.*process"
		openai.ToolMessage(strings.ReplaceAll(out, "\r\n", "\n"), id),            // want "BC1001.*process"
		openai.ToolMessage(strings.TrimRight(strings.ToLower(out), "\n"), id),    // want "BC1001.*process"
		openai.ToolMessage(html.UnescapeString(out), id),                         // want "BC1001.*process"
		openai.ToolMessage(base64.StdEncoding.EncodeToString([]byte(out)), id),   // want "BC1001.*process"
		openai.ToolMessage(strconv.Quote(out), id),                               // want "BC1001.*process"
		openai.ToolMessage(string(encoded), id),                                  // want "BC1001.*process"
		openai.ToolMessage(text, id),                                             // want "BC1001.*process"
		openai.ToolMessage(after, id),                                            // want "BC1001.*process"
		openai.ToolMessage(strings.Join(strings.SplitN(out, "\n", 3), "\n"), id), // want "BC1001.*process"
	}
}

// Encoding a bounded text keeps it bounded.
func okEncodedHead(ctx context.Context, command, id string) message {
	out, err := shell(ctx, command)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	data, err := json.Marshal(map[string]string{"output": truncate(out)})
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	return openai.ToolMessage(strings.ToValidUTF8(string(data), "?"), id)
}

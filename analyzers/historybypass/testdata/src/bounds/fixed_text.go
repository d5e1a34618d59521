package bounds

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"text/template"

	"github.com/openai/openai-go/v3"
)

//go:embed skill.md
var skills embed.FS

//go:embed skill.md
var skill string

// What is embedded has its size at build time.
func okEmbedFS(id string) (message, error) {
	data, err := skills.ReadFile("skill.md")
	if err != nil {
		return message{}, err
	}
	return openai.ToolMessage(string(data), id), nil
}

func okEmbedThroughFS(id string) (message, error) {
	data, err := fs.ReadFile(skills, "skill.md")
	if err != nil {
		return message{}, err
	}
	return openai.ToolMessage(string(data), id), nil
}

func okEmbedString(id string) message { return openai.ToolMessage(skill, id) }

var plan = template.Must(template.New("plan").Parse("Step {{.}} is done."))

func okTemplate(step int, id string) (message, error) {
	var b strings.Builder
	if err := plan.Execute(&b, step); err != nil {
		return message{}, err
	}
	return openai.ToolMessage(b.String(), id), nil
}

func okHash(ctx context.Context, command, id string) message {
	sum := sha256.Sum256([]byte(shell(ctx, command)))
	return openai.ToolMessage(hex.EncodeToString(sum[:]), id)
}

func okNumbers(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	n := strings.Count(out, "\n")
	return openai.ToolMessage(strconv.Itoa(n)+" lines, "+fmt.Sprintf("%d bytes, empty: %t", len(out), out == ""), id)
}

func okPrecision(ctx context.Context, command, id string) message {
	return openai.ToolMessage(fmt.Sprintf("begins with %.200s", shell(ctx, command)), id)
}

func okPrecisionStar(ctx context.Context, command, id string) message {
	return openai.ToolMessage(fmt.Sprintf("begins with %.*s", 400, shell(ctx, command)), id)
}

func okYesOrNo(ctx context.Context, command, id string) message {
	if strings.Contains(shell(ctx, command), "PASS") {
		return openai.ToolMessage("passed", id)
	}
	return openai.ToolMessage("failed", id)
}

// A width is no precision.
func formattedWidth(ctx context.Context, command, id string) message {
	return openai.ToolMessage(fmt.Sprintf("%200s", shell(ctx, command)), id) // want "BC1001.*process"
}

package prompts

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"

	"charm.land/fantasy"
)

const largePage = 50 << 10

func page(ctx context.Context, url string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

func delegate(ctx context.Context, agent fantasy.Agent, url, task string) (*fantasy.AgentResult, error) {
	content, err := page(ctx, url)
	if err != nil {
		return nil, err
	}
	prompt := fmt.Sprintf("%s\n\n<page>\n%s\n</page>", task, content) // want "BC1005.*http"
	return agent.Generate(ctx, fantasy.AgentCall{Prompt: prompt})
}

// A large page goes to a file, and only its name into the prompt.
func okDelegate(ctx context.Context, agent fantasy.Agent, url, task string) (*fantasy.AgentResult, error) {
	content, err := page(ctx, url)
	if err != nil {
		return nil, err
	}
	var prompt string
	if len(content) > largePage {
		file, err := os.CreateTemp("", "page-*.html")
		if err != nil {
			return nil, err
		}
		if _, err := file.WriteString(content); err != nil {
			return nil, err
		}
		if err := file.Close(); err != nil {
			return nil, err
		}
		prompt = fmt.Sprintf("%s\n\nThe page has been saved to %s.", task, file.Name())
	} else {
		prompt = fmt.Sprintf("%s\n\n<page>\n%s\n</page>", task, content)
	}
	return agent.Generate(ctx, fantasy.AgentCall{Prompt: prompt})
}

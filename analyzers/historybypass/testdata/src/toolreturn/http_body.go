package toolreturn

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"example.org/htmltext"
)

var httpTools = []ToolDefinition{
	{Name: "get", Function: getBody},
	{Name: "text", Function: getText},
	{Name: "search", Function: getFields},
	{Name: "generic", Function: getGeneric},
	{Name: "stream", Function: getDecoded},
	{Name: "status", Function: okStatus},
}

func get(ctx context.Context, url string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	return http.DefaultClient.Do(req)
}

// The body comes back in the success branch and in the error branch.
func getBody(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[urlArgs](input)
	if err != nil {
		return "", err
	}
	resp, err := http.Get(args.URL)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(resp.Body)
		return fmt.Sprintf("status %d: %s", resp.StatusCode, body), nil // want "BC1002.*http"
	}
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", err
	}
	if len(strings.TrimSpace(string(data))) == 0 {
		return "the page is empty", nil
	}
	return string(data), nil // want "BC1002.*http"
}

// Nobody has modelled the converter: text goes in, text comes out.
func getText(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[urlArgs](input)
	if err != nil {
		return "", err
	}
	resp, err := get(ctx, args.URL)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	page, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", err
	}
	text, err := htmltext.FromString(string(page))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("The page %q says:\n%s", args.URL, text), nil // want "BC1002.*http"
}

type searchAnswer struct {
	Items []struct {
		Title, Snippet string
		Size           int
	}
}

func getFields(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[queryArgs](input)
	if err != nil {
		return "", err
	}
	resp, err := get(ctx, "https://search.example.org/?q="+args.Query)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", err
	}
	var answer searchAnswer
	if err := json.Unmarshal(body, &answer); err != nil {
		return "", err
	}
	var out strings.Builder
	for i, item := range answer.Items {
		out.WriteString(fmt.Sprintf("%d. %s\n   %s\n", i+1, item.Title, item.Snippet))
	}
	return out.String(), nil // want "BC1002.*http"
}

func formatGeneric(answer map[string]any) string {
	var b strings.Builder
	hits, _ := answer["hits"].([]any)
	for _, hit := range hits {
		fields, _ := hit.(map[string]any)
		text, _ := fields["text"].(string)
		b.WriteString(text + "\n")
	}
	return b.String()
}

func getGeneric(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[urlArgs](input)
	if err != nil {
		return "", err
	}
	resp, err := get(ctx, args.URL)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", err
	}
	var answer map[string]any
	if err := json.Unmarshal(body, &answer); err != nil {
		return "", err
	}
	return formatGeneric(answer), nil // want "BC1002.*http"
}

func getDecoded(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[urlArgs](input)
	if err != nil {
		return "", err
	}
	resp, err := get(ctx, args.URL)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var page struct{ Text string }
	if err := json.NewDecoder(resp.Body).Decode(&page); err != nil {
		return "", err
	}
	return page.Text, nil // want "BC1002.*http"
}

// Numbers out of an answer are no output to speak of.
func okStatus(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[urlArgs](input)
	if err != nil {
		return "", err
	}
	resp, err := get(ctx, args.URL)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var health struct {
		Up    bool
		Users int
	}
	if err := json.NewDecoder(resp.Body).Decode(&health); err != nil {
		return "", err
	}
	return fmt.Sprintf("status %d, up: %t, %d users", resp.StatusCode, health.Up, health.Users), nil
}

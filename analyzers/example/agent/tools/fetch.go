package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// maxBody keeps a server from filling the memory of the agent.
const maxBody = 5 << 20

// Fetch returns what is behind an address.
type Fetch struct{}

// Name is how the model calls it.
func (Fetch) Name() string { return "fetch" }

// Call fetches the address; with head, only the beginning of what is there.
func (t Fetch) Call(ctx context.Context, args json.RawMessage) (string, error) {
	in, err := decode[struct {
		URL  string `json:"url"`
		Head bool   `json:"head"`
	}](args)
	if err != nil {
		return "", err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, in.URL, nil)
	if err != nil {
		return "", fmt.Errorf("fetching %s: %w", in.URL, err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", fmt.Errorf("fetching %s: %w", in.URL, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(resp.Body)
		return "", fmt.Errorf("fetching %s: %s: %s", in.URL, resp.Status, body)
	}
	if in.Head {
		body, err := io.ReadAll(io.LimitReader(resp.Body, maxOutput))
		return string(body), err
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	if err != nil {
		return "", fmt.Errorf("fetching %s: %w", in.URL, err)
	}
	return string(body), nil
}

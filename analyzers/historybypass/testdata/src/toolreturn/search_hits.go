package toolreturn

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// pageHit is a hit with the page that was found.
type pageHit struct {
	Title   string
	URL     string
	Content string
}

// shortHit is what is shown of a page.
type shortHit struct {
	Title   string
	Link    string
	Snippet string
}

func findInto(ctx context.Context, url string, found any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return json.NewDecoder(resp.Body).Decode(found)
}

// Hits with whole pages are of any size.
func pageSearch(ctx context.Context, input json.RawMessage) (string, error) {
	var found struct{ Hits []pageHit }
	if err := findInto(ctx, "http://search.test/pages", &found); err != nil {
		return "", err
	}
	var b strings.Builder
	for _, h := range found.Hits {
		fmt.Fprintf(&b, "%s (%s)\n%s\n", h.Title, h.URL, h.Content)
	}
	return b.String(), nil // want "BC1002.*http"
}

// Where there are whole pages, nobody knows how many there are.
func pageTitles(ctx context.Context, input json.RawMessage) (string, error) {
	var found struct{ Hits []pageHit }
	if err := findInto(ctx, "http://search.test/pages", &found); err != nil {
		return "", err
	}
	var b strings.Builder
	for _, h := range found.Hits {
		fmt.Fprintf(&b, "%s (%s)\n", h.Title, h.URL)
	}
	return b.String(), nil // want "BC1002.*http"
}

// Hits come by the page, and what is shown of each is short.
func okShortSearch(ctx context.Context, input json.RawMessage) (string, error) {
	var found struct{ Hits []shortHit }
	if err := findInto(ctx, "http://search.test/short", &found); err != nil {
		return "", err
	}
	var b strings.Builder
	for i, h := range found.Hits {
		fmt.Fprintf(&b, "%d. %s (%s)\n%s\n", i+1, h.Title, h.Link, h.Snippet)
	}
	return b.String(), nil
}

var searchTools = []ToolDefinition{
	{Name: "pages", Function: pageSearch},
	{Name: "titles", Function: pageTitles},
	{Name: "short", Function: okShortSearch},
}

package toolreturn

import (
	"context"
	"encoding/json"

	"github.com/tmc/langchaingo/tools/scraper"
	"github.com/tmc/langchaingo/tools/wikipedia"
)

var readyTools = []ToolDefinition{
	{Name: "scrape", Function: scrape},
	{Name: "scraper_name", Function: okScraperName},
	{Name: "lookup", Function: okLookup},
}

// scrape calls somebody else's tool and passes on what it says.
func scrape(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[urlArgs](input)
	if err != nil {
		return "", err
	}
	s, err := scraper.New()
	if err != nil {
		return "", err
	}
	res, err := s.Call(ctx, args.URL)
	if err != nil {
		return "", err
	}
	return res, nil // want "BC1002.*(http|tool)"
}

func okScraperName(ctx context.Context, input json.RawMessage) (string, error) {
	s, err := scraper.New()
	if err != nil {
		return "", err
	}
	return s.Name() + ": " + s.Description(), nil
}

// okLookup calls a tool that cuts its pages itself.
func okLookup(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[queryArgs](input)
	if err != nil {
		return "", err
	}
	res, err := wikipedia.New("agent").Call(ctx, args.Query)
	if err != nil {
		return "", err
	}
	return res, nil
}

// Package scraper is a stub of a ready-made tool.
package scraper

import "context"

type Scraper struct{}

func New() (*Scraper, error) { return &Scraper{}, nil }

func (s Scraper) Name() string { return "scraper" }

func (s Scraper) Description() string { return "" }

func (s Scraper) Call(ctx context.Context, input string) (string, error) { return "", nil }

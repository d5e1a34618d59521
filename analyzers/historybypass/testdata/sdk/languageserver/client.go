// Package languageserver stands for a client of a server that nobody has modelled.
package languageserver

import "context"

type Location struct {
	URI  string
	Line int
	Text string
}

type Client struct{}

func (c *Client) References(ctx context.Context, path string, line int) ([]Location, error) {
	return nil, nil
}

func (c *Client) Version() string { return "1" }

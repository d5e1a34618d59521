// Package ssh is a stub: only names and signatures matter to the analysis.
package ssh

import "io"

type ClientConfig struct {
	User string
}

type Client struct{}

func Dial(network, addr string, config *ClientConfig) (*Client, error) { return &Client{}, nil }

func (c *Client) NewSession() (*Session, error) { return &Session{}, nil }

func (c *Client) Close() error { return nil }

type Session struct {
	Stdout io.Writer
	Stderr io.Writer
}

func (s *Session) CombinedOutput(cmd string) ([]byte, error) { return nil, nil }

func (s *Session) Output(cmd string) ([]byte, error) { return nil, nil }

func (s *Session) Run(cmd string) error { return nil }

func (s *Session) Close() error { return nil }

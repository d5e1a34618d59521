// Package wikipedia is a stub of a ready-made tool.
package wikipedia

import "context"

type Tool struct {
	TopK        int
	DocMaxChars int
}

func New(userAgent string) Tool { return Tool{} }

func (t Tool) Name() string { return "wikipedia" }

func (t Tool) Description() string { return "" }

func (t Tool) Call(ctx context.Context, input string) (string, error) { return "", nil }

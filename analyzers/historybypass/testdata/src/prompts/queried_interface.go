package prompts

import (
	"context"

	"github.com/tmc/langchaingo/llms"
)

// Ledger answers queries.
type Ledger interface {
	Query(ctx context.Context, query string) (string, error)
}

// What a query finds is of any size, whoever answers it.
func explainRows(ctx context.Context, llm llms.Model, l Ledger, query string) (string, error) {
	rows, err := l.Query(ctx, query)
	if err != nil {
		return "", err
	}
	return llm.Call(ctx, "Explain this:\n"+rows) // want "BC1005.*database"
}

// The same, some calls further on.
func explainFurtherOn(ctx context.Context, llm llms.Model, l Ledger, query string) (string, error) {
	rows, err := l.Query(ctx, query)
	if err != nil {
		return "", err
	}
	return llm.Call(ctx, quoted(framed(rows))) // want "BC1005.*database"
}

func framed(s string) string { return "<rows>\n" + s + "\n</rows>" }

func quoted(s string) string { return "Explain this:\n" + s }

package traps

import (
	"context"
	"regexp"
	"strings"
	"unicode"

	"github.com/openai/openai-go/v3"
)

var secret = regexp.MustCompile(`(?i)(token|password)=\S+`)

func sanitizeOutput(s string) string { return secret.ReplaceAllString(s, "$1=***") }

func cleanOutput(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return -1
		}
		return r
	}, s)
}

func filterLines(s string) string {
	var kept []string
	for line := range strings.SplitSeq(s, "\n") {
		if !strings.HasPrefix(line, "#") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

func stripQuotes(s string) string { return strings.Trim(s, `"`) }

// compactResults drops what is empty, however many there are.
func compactResults(results []string) []string {
	var kept []string
	for _, r := range results {
		if r != "" {
			kept = append(kept, r)
		}
	}
	return kept
}

// truncateSecrets has the right name and does the wrong thing.
func truncateSecrets(s string) string { return secret.ReplaceAllString(s, "…") }

func redacted(ctx context.Context, command, id string) []message {
	out, err := shell(ctx, command)
	if err != nil {
		return nil
	}
	return []message{
		openai.ToolMessage(sanitizeOutput(out), id),                                    // want "BC1001.*process"
		openai.ToolMessage(cleanOutput(out), id),                                       // want "BC1001.*process"
		openai.ToolMessage(filterLines(out), id),                                       // want "BC1001.*process"
		openai.ToolMessage(stripQuotes(out), id),                                       // want "BC1001.*process"
		openai.ToolMessage(truncateSecrets(out), id),                                   // want "BC1001.*process"
		openai.ToolMessage(strings.Join(compactResults(strings.Fields(out)), " "), id), // want "BC1001.*process"
	}
}

// limitOutput is a redactor and a bound.
func limitOutput(s string) string { return truncate(sanitizeOutput(s)) }

func okRedactedAndBounded(ctx context.Context, command, id string) message {
	out, err := shell(ctx, command)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	return openai.ToolMessage(limitOutput(out), id)
}

// tidy has a name that promises nothing, and bounds.
func tidy(s string) string {
	if len(s) > 1000 {
		s = s[:1000]
	}
	return strings.TrimSpace(s)
}

func okTidied(ctx context.Context, command, id string) message {
	out, err := shell(ctx, command)
	if err != nil {
		return openai.ToolMessage("failed", id)
	}
	return openai.ToolMessage(tidy(out), id)
}

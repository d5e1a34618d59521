package tools

import (
	"fmt"
	"os"
	"unicode/utf8"
)

// maxOutput is the most text, in bytes, that a tool should hand to the model.
const maxOutput = 16 << 10

// clip keeps the beginning and the end of a long text and says what is missing.
func clip(s string) string { return clipTo(s, maxOutput) }

func clipTo(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	first, last := head(s, limit/4), tail(s, limit/2)
	return fmt.Sprintf("%s\n[%d bytes left out]\n%s", first, len(s)-len(first)-len(last), last)
}

// head returns at most n bytes from the beginning, whole characters only.
func head(s string, n int) string {
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// tail returns at most n bytes from the end, whole characters only.
func tail(s string, n int) string {
	from := len(s) - n
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	return s[from:]
}

// spill returns a short text as it is. A long one goes to a file, and the model gets its beginning and the file's name.
func spill(s string) (string, error) {
	if len(s) <= maxOutput {
		return s, nil
	}
	f, err := os.CreateTemp("", "agent-output-*.txt")
	if err != nil {
		return "", fmt.Errorf("keeping a long output: %w", err)
	}
	if _, err := f.WriteString(s); err != nil {
		return "", fmt.Errorf("keeping a long output: %w", err)
	}
	if err := f.Close(); err != nil {
		return "", fmt.Errorf("keeping a long output: %w", err)
	}
	return fmt.Sprintf("%s\n[%d bytes, all of them in %s]", head(s, 1<<10), len(s), f.Name()), nil
}

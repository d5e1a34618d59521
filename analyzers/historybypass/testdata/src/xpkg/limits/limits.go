// Package limits bounds text for the tools next door.
package limits

import "fmt"

// MaxOutput is what a tool may say.
const MaxOutput = 30000

// Output keeps the head and the tail.
func Output(s string) string {
	if len(s) <= MaxOutput {
		return s
	}
	half := MaxOutput / 2
	return s[:half] + fmt.Sprintf("\n… %d bytes left out …\n", len(s)-2*half) + s[len(s)-half:]
}

// Head keeps the first n bytes and says whether that was less than all.
func Head(s string, n int) (string, bool) {
	if len(s) <= n {
		return s, false
	}
	return s[:n], true
}

// Clean drops control characters. Its name promises more than it does.
func Clean(s string) string {
	clean := make([]rune, 0, len(s))
	for _, r := range s {
		if r >= ' ' || r == '\n' {
			clean = append(clean, r)
		}
	}
	return string(clean)
}

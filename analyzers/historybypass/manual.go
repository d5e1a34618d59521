package historybypass

import "strings"

// docText is the part of a package comment below its heading "Analyzer", without the name before the first sentence:
// the manual that go doc shows is also the one that drivers print.
func docText(source string) string {
	var b strings.Builder
	inside := false
	for line := range strings.Lines(source) {
		text, comment := strings.CutPrefix(strings.TrimRight(line, "\n"), "//")
		switch {
		case !comment:
			return strings.TrimSpace(b.String())
		case inside:
			b.WriteString(strings.TrimPrefix(text, " ") + "\n")
		case strings.HasPrefix(text, " # Analyzer "):
			inside = true
		}
	}
	return strings.TrimSpace(b.String())
}

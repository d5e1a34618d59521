package explain

import (
	"slices"
	"strings"
	"testing"
)

func TestCodes(t *testing.T) {
	want := []string{"BC0001", "BC0002", "BC0003", "BC1001", "BC1002", "BC1003", "BC1004", "BC1005"}
	if got := Codes(); !slices.Equal(got, want) {
		t.Errorf("codes %v, want %v", got, want)
	}
}

func TestTexts(t *testing.T) {
	for _, code := range Codes() {
		text, err := Text(strings.ToLower(code))
		if err != nil {
			t.Fatal(err)
		}
		if Title(code) == "" || !strings.HasPrefix(text, code+": "+Title(code)+"\n\n") {
			t.Errorf("%s does not begin with its code and title: %.60q", code, text)
		}
		if !strings.HasSuffix(text, "\n") || strings.HasSuffix(text, "\n\n") {
			t.Errorf("%s does not end with one newline", code)
		}
		at := 0
		for _, part := range []string{"What it reports. ", "Why. ", "How to fix it. "} {
			i := strings.Index(text[at:], "\n\n"+part)
			if i < 0 {
				t.Errorf("%s has no part %q where it belongs", code, part)
			}
			at += max(i, 0)
		}
		// A fault of the program itself has no example.
		if code != "BC0003" && !strings.Contains(text[at:], "\n\nExample.\n\n\t") {
			t.Errorf("%s has no example", code)
		}
		for line := range strings.Lines(text) {
			if len(line) > 121 {
				t.Errorf("%s has a line of %d characters: %s", code, len(line), line)
			}
		}
	}
}

func TestUnknown(t *testing.T) {
	for _, code := range []string{"", "BC9999", "../explain"} {
		if text, err := Text(code); err == nil || !strings.Contains(err.Error(), "BC1001, ") {
			t.Errorf("Text(%q) = %.20q, %v; want an error that lists the codes", code, text, err)
		}
		if title := Title(code); title != "" {
			t.Errorf("Title(%q) = %q", code, title)
		}
	}
}

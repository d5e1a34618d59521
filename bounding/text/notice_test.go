package text_test

import (
	"testing"

	"github.com/boundcheck/boundcheck/bounding/text"
)

// The pointer goes last. spec: UNI-5
func TestNoticeForEveryBudget(t *testing.T) {
	n := text.Notice{Lead: "See ", Pointer: "/s/😀", Rest: ".\r\n"}
	for budget, want := range []string{
		"", "/", "/s", "/s/", "/s/", "/s/😀", " /s/😀", "e /s/😀", "ee /s/😀", "See /s/😀", "See /s/😀.", "See /s/😀.", "See /s/😀.\r\n", "See /s/😀.\r\n",
	} {
		if got := n.Fit(text.UTF16, budget); got != want {
			t.Errorf("budget %d: %q, want %q", budget, got, want)
		}
	}
	if got := n.Fit(text.UTF16, -1); got != "" {
		t.Errorf("budget -1: %q", got)
	}
	if got, want := n.String(), "See /s/😀.\r\n"; got != want {
		t.Errorf("String is %q", got)
	}
	if got := (text.Notice{Lead: "gone: ", Rest: "disk full"}).Fit(text.Runes, 10); got != "gone: disk" {
		t.Errorf("without a pointer: %q", got)
	}
	if got := (text.Notice{Pointer: "/s/\xff", Rest: "!"}).Fit(text.Bytes, 6); got != "/s/\ufffd" {
		t.Errorf("invalid bytes: %q", got)
	}
}

package bounding

import (
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/bounding/text"
)

// What checkResult is worth: it must find every one of these wrong results.
func TestCheckResultFindsWrongResults(t *testing.T) {
	l := limits(func(l *Limits) { l.Threshold, l.Headroom, l.Preview = 1_000, 500, 200 })
	p, store := newPipeline(t, l)
	raw := strings.Repeat("a line of output\n", 300)
	other, _ := p.Bound(t.Context(), output("ls", strings.ToUpper(raw))).Artifact()
	reshow := func(r *Result, shown string) {
		r.body.shown = shown
		r.body.units = text.UTF16.Count(shown)
	}
	for name, spoil := range map[string]func(r *Result){
		"over its budget":              func(r *Result) { reshow(r, r.body.shown+strings.Repeat("x", 1_000)) },
		"longer than the output":       func(r *Result) { reshow(r, strings.Repeat("x", 6_000)) },
		"the size is a guess":          func(r *Result) { r.body.units-- },
		"invalid UTF-8":                func(r *Result) { reshow(r, r.body.shown[:len(r.body.shown)-1]+"\xff") },
		"an error of a success":        func(r *Result) { r.status = Failed },
		"counts of something else":     func(r *Result) { r.body.total.UTF16++ },
		"bytes of something else":      func(r *Result) { r.body.total.Raw++ },
		"said to be whole":             func(r *Result) { r.state = Kept },
		"never said":                   func(r *Result) { r.state = Raw },
		"another output's artifact":    func(r *Result) { r.body.ref.Locator = other.Locator },
		"no such artifact":             func(r *Result) { r.body.ref.Locator = "memory:99/x" },
		"another digest":               func(r *Result) { r.body.ref.SHA256 = other.SHA256 },
		"no outcome":                   func(r *Result) { r.body.outcome = NotNeeded },
		"the pointer is cut":           func(r *Result) { reshow(r, strings.Replace(r.body.shown, "memory:2/", "memory", 1)) },
		"the omission is wrong":        func(r *Result) { reshow(r, strings.Replace(r.body.shown, "[... 4", "[... 5", 1)) },
		"the preview is another's":     func(r *Result) { r.body.head = "A LINE" },
		"the end is no end":            func(r *Result) { r.body.tail = r.body.tail[:len(r.body.tail)-1] },
		"a second notice":              func(r *Result) { reshow(r, "[Shortened. "+r.body.shown) },
		"too many lines":               func(r *Result) { reshow(r, strings.Repeat("\n", 990)+r.body.shown[:200]) },
		"shorter by being cut to zero": func(r *Result) { reshow(r, "") },
	} {
		r := p.Bound(t.Context(), output("ls", raw))
		if err := checkResult(p, store, output("ls", raw), r); err != nil {
			t.Fatalf("before: %v", err)
		}
		// The locator counts up, so the pointer is put where the test can name it.
		old := r.body.ref.Locator
		reshow(&r, strings.Replace(r.body.shown, old, "memory:2/ls-result.txt", 1))
		r.body.ref.Locator = "memory:2/ls-result.txt"
		spoil(&r)
		if err := checkResult(p, store, output("ls", raw), r); err == nil {
			t.Errorf("%s: checkResult found nothing in %q", name, r.Text())
		}
	}
}

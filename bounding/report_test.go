package bounding

import (
	"context"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// spec: WMK-6
func TestReportIsOneLine(t *testing.T) {
	for want, r := range map[string]*Report{
		"tool results 700 > 500: cleared 2, media dropped 1, now 300 (+200 pending), target 250 (soft-exceeded), " +
			"kept 2 (200), protected 60, too small 40": {ClearPlan: ClearPlan{
			Reason: SizePath, High: 500, Low: 250, Before: 700, Pending: 200, After: 300, Kept: []int{1, 2},
			KeptUnits: 200, ProtectedUnits: 60, SmallUnits: 40, Results: 2, Media: 1,
		}},
		"tool results 700, pressure path: cleared 2, media dropped 0, now 250, target 250, kept 0 (0), protected 0, " +
			"too small 0, 2 files left the history, 1 unresolved": {ClearPlan: ClearPlan{
			Reason: PressurePath, High: 500, Low: 250, Before: 700, After: 250, Results: 2,
		}, Evicted: []string{"a", "b"}, Unresolved: 1},
		"tool results 700, forced path: cleared 0, media dropped 0, now 700, kept 0 (0), protected 0, too small 0": {ClearPlan: ClearPlan{
			Reason: ForcedPath, High: Unlimited, Low: Unlimited, Before: 700, After: 700,
		}},
	} {
		if got := r.String(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// spec: WMK-3, WMK-4
func TestPlaceholders(t *testing.T) {
	for got, want := range map[string]string{
		Placeholder(""):                                     "[Old tool result content cleared]",
		Placeholder("/a/b"):                                 "[Old tool result content cleared] It is in /a/b",
		Media{Type: "image/png"}.Placeholder():              "[Old inline media cleared: image/png]",
		Media{}.Placeholder():                               "[Old inline media cleared: application/octet-stream]",
		Media{Type: "a]\r\n\tb\u202e"}.Placeholder():        "[Old inline media cleared: ab]",
		Media{Type: strings.Repeat("x", 128)}.Placeholder(): "[Old inline media cleared: " + strings.Repeat("x", 128) + "]",
		Media{Type: strings.Repeat("x", 129)}.Placeholder(): "[Old inline media cleared: application/octet-stream]",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

type hinting string

func (h hinting) Save(_ context.Context, req spill.Request) (spill.Ref, error) {
	return spill.Ref{Locator: "/a", Bytes: int64(len(req.Content)), SHA256: strings.Repeat("0", 64), RetrievalHint: string(h)}, nil
}
func (hinting) Open(context.Context, string) (spill.Artifact, error) { return nil, spill.ErrNotFound }

// A hint of a store is one sentence on one line, or none.
//
// spec: OFF-9
func TestHintsStayOnTheirLine(t *testing.T) {
	for hint, want := range map[string]string{
		"":                         ".]\n",
		"Use read.":                ". Use read.]\n",
		" Use\nread\t\xffnow.\r\n": ". Use read \uFFFDnow.]\n",
		strings.Repeat("x", 400):   ". " + strings.Repeat("x", 400) + "]\n",
		strings.Repeat("x", 401):   ".]\n",
	} {
		p, err := New(Strict(), WithStore(hinting(hint)))
		if err != nil {
			t.Fatal(err)
		}
		got := p.Text(t.Context(), Call{Tool: "ls"}, strings.Repeat("y", 40_000))
		if _, after, _ := strings.Cut(got, strings.Repeat("0", 64)); !strings.HasPrefix(after, want) {
			t.Errorf("%q became %.40q", hint, after)
		}
	}
}

// An iteration can be ended at each of its steps.
func TestIterationsEnd(t *testing.T) {
	p, _ := newPipeline(t, Strict())
	picture := Part{Media: &Media{Type: "image/png"}}
	outputs := []Output{
		{Call: Call{ID: "1", Tool: "ls"}, Text: "one", Parts: []Part{picture, {Text: "two"}}, Metadata: []string{"hook"}, Protected: true},
		{Call: Call{ID: "2", Tool: "ls"}, Parts: []Part{{Text: strings.Repeat("x", 40_000)}, picture}, Metadata: []string{"hook"}},
	}
	h := p.NewHistory()
	turn(t, p, h, outputs...)
	for i, out := range outputs {
		r := p.Bound(t.Context(), out)
		if r.Protected() != out.Protected || r.Unit() != Strict().Unit {
			t.Errorf("result %d: protected %t, unit %v", i, r.Protected(), r.Unit())
		}
		for stop := 1; stop <= 4-i; stop++ {
			n := 0
			for range r.Parts() {
				if n++; n == stop {
					break
				}
			}
			if n != stop {
				t.Errorf("result %d has %d parts, want %d", i, n, stop)
			}
		}
	}
	for range h.Results() {
		break
	}
	if head, tail := p.Bound(t.Context(), output("ls", "all")).Preview(); head != "all" || tail != "" {
		t.Errorf("preview %q, %q", head, tail)
	}
}

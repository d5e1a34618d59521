package retention

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/boundcheck/boundcheck/bounding"
)

func diagnose(l bounding.Limits, entries ...Entry) Report {
	return Diagnose(l, Sources{History: slices.Values(entries)})
}

// The fault: the alarm is blind to text that carries the prefix, and a forged prefix hides a million units.
//
// spec: DIA-2
func TestFaultOversizedIsJudgedBySize(t *testing.T) {
	for _, tt := range []struct {
		tool string
		body int
		want bool
	}{
		{"ls", 50_499, false}, {"ls", 50_500, false}, {"ls", 50_501, true}, {"ls", 1_000_000, true},
		{"grep_search", 40_500, false}, {"grep_search", 40_501, true}, {"search_file_content", 40_501, true},
		{"mcp__a__b", 1_000_500, false}, {"mcp__a__b", 1_000_501, true},
		{"read_file", math.MaxInt, false}, // it has no budget of its own
		{"ls", -5, false},
	} {
		for _, state := range []bounding.State{bounding.Raw, bounding.Kept, bounding.Trimmed, bounding.Stubbed, bounding.Cleared} {
			r := diagnose(bounding.Strict(), Entry{ID: "1", Tool: tt.tool, State: state, Body: tt.body})
			if got := len(r.Oversized) == 1; got != tt.want || (r.Tools[0].Oversized == 1) != tt.want {
				t.Errorf("%s of %d units, %v: oversized %t", tt.tool, tt.body, state, got)
			}
		}
	}
	l := bounding.Strict()
	l.Threshold = math.MaxInt
	if r := diagnose(l, Entry{Tool: "ls", Body: math.MaxInt}); len(r.Oversized) != 0 {
		t.Error("overflow")
	}
}

// spec: DIA-1
func TestReportAddsUp(t *testing.T) {
	r := diagnose(bounding.Strict(),
		Entry{ID: "1", Tool: "ls", State: bounding.Kept, Body: 100, Metadata: 7},
		Entry{ID: "2", Tool: "ls", State: bounding.Kept, Body: 10, Media: 2},
		Entry{ID: "3", Tool: "ls", State: bounding.Kept, Body: 1_000, Failed: true},
		Entry{ID: "4", Tool: "enter_plan_mode", State: bounding.Kept, Body: 5},
		Entry{ID: "5", Tool: "glob", State: bounding.Cleared, Body: 33},
		Entry{ID: "6", Tool: "a", State: bounding.Stubbed, Body: 33},
	)
	want := Report{
		Unit: "utf16", Results: 6, Total: 100 + 7 + 10 + 1_000 + 5 + 33 + 33 + 12_800, Counted: 143, High: 500_000,
		Failed: 1_000, Fixed: 5, Cleared: 33, Metadata: 7, MediaParts: 2, Media: 12_800,
		Largest:   Result{ID: "3", Tool: "ls", State: bounding.Kept, Body: 1_000, Budget: 25_000},
		Oversized: []Result{},
		Tools: []Tool{
			{Tool: "ls", Results: 3, Total: 13_917}, {Tool: "a", Results: 1, Total: 33}, {Tool: "glob", Results: 1, Total: 33},
			{Tool: "enter_plan_mode", Results: 1, Total: 5},
		},
	}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := r.Counted + r.Failed + r.Fixed + r.Cleared + r.Metadata + r.Media; n != r.Total {
		t.Errorf("the parts are %d, the total is %d", n, r.Total)
	}
	if diff := cmp.Diff(diagnose(bounding.Strict()), Report{Unit: "utf16", High: 500_000, Oversized: []Result{}, Tools: []Tool{}}); diff != "" {
		t.Errorf("an empty history: %s", diff)
	}
}

// history plays a session with everything in it that is counted in a way of its own.
func history(t testing.TB, l bounding.Limits, n int) *bounding.History {
	p, err := bounding.New(l)
	if err != nil {
		t.Fatal(err)
	}
	h := p.NewHistory()
	for i := range n {
		call := bounding.Call{ID: fmt.Sprint("call-", i), Tool: []string{"ls", "enter_plan_mode", "read_file"}[i%3]}
		out := bounding.Output{Call: call, Text: strings.Repeat("payload ", i*100), Protected: i%5 == 0, Metadata: []string{"hook"}}
		if i%4 == 0 {
			out.Status = bounding.Failed
		}
		if err := h.Model("", call); err != nil {
			t.Fatal(err)
		}
		if err := h.Append(p.Batch(context.Background(), p.Bound(context.Background(), out))); err != nil {
			t.Fatal(err)
		}
		p.Checkpoint(context.Background(), h, bounding.Checkpoint{})
		h.Commit()
	}
	return h
}

// spec: DIA-1
func TestDiagnosticsAndClearingAgree(t *testing.T) {
	l := bounding.Strict()
	l.Watermark.High, l.Watermark.Keep = 40_000, 2
	for n := range 40 {
		h := history(t, l, n)
		if r := Diagnose(l, Sources{History: Of(h)}); r.Counted != h.Total() || r.Results != n || len(r.Oversized) != 0 {
			t.Errorf("after %d results: counted %d, clearing counts %d; %d oversized", n, r.Counted, h.Total(), len(r.Oversized))
		}
	}
}

// spec: DIA-3
func TestOtherLists(t *testing.T) {
	big, small := Entry{Tool: "ls", Body: 60_000}, Entry{Tool: "ls", Body: 10}
	list := func(entries ...Entry) iter.Seq[Entry] { return slices.Values(entries) }
	r := Diagnose(bounding.Strict(), Sources{History: list(big), Display: list(big, small, big), Compaction: list(small)})
	if *r.OversizedInDisplay != 2 || *r.OversizedInCompaction != 0 {
		t.Errorf("%d and %d", *r.OversizedInDisplay, *r.OversizedInCompaction)
	}
	if s := r.String(); !strings.Contains(s, "Oversized in the display history: 2\nOversized in the compaction input: 0\n") {
		t.Errorf("report:\n%s", s)
	}
	if s := diagnose(bounding.Strict(), big).String(); strings.Contains(s, "display history") {
		t.Errorf("what is not known is not reported:\n%s", s)
	}
}

// spec: DIA-1
func TestImageEstimate(t *testing.T) {
	for value, want := range map[string]int{
		"": 1_600, " 7 ": 7, "1": 1, "0": 1_600, "-3": 1_600, "x": 1_600, "1.5": 1_600, "Inf": 1_600,
	} {
		l := WithEnvironment(bounding.Strict(), func(name string) string {
			if name != ImageTokensVariable {
				t.Errorf("looked up %q", name)
			}
			return value
		})
		if r := diagnose(l, Entry{Media: 3}); r.Media != 3*4*want || r.Total != r.Media {
			t.Errorf("%q: %d", value, r.Media)
		}
	}
}

// spec: DIA-4
func TestReportPrintsNoPayloadAndNoControlCharacters(t *testing.T) {
	h := history(t, bounding.Strict(), 20)
	r := Diagnose(bounding.Strict(), Sources{History: Of(h)})
	encoded, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{r.String(), string(encoded)} {
		if strings.Contains(s, "payload") || strings.Contains(s, "hook") {
			t.Errorf("payload in %s", s)
		}
	}
	evil := "a\x1b[31m\r\n\x00\u202e\u009b31m\x7f\u2028\xff" + strings.Repeat("b", 5_000)
	r = diagnose(bounding.Strict(), Entry{ID: evil, Tool: evil, Body: 90_000})
	for _, c := range r.String() {
		if c < ' ' && c != '\n' || c == 0x7f || c == '\u202e' {
			t.Fatalf("control character %q in %q", c, r)
		}
	}
	if n := len(r.String()); n > 1_500 {
		t.Errorf("%d bytes for one result", n)
	}
	if encoded, err = json.Marshal(r); err != nil || len(encoded) > 2_000 || !json.Valid(encoded) {
		t.Errorf("%v: %d bytes: %.2000q", err, len(encoded), encoded)
	}
	for _, c := range string(encoded) {
		if !unicode.IsPrint(c) {
			t.Errorf("control character %q in %q", c, encoded)
		}
	}
	// What fits is as it came, and what does not is marked.
	for _, name := range []string{"", "ls", "日本", strings.Repeat("😀", 64), strings.Repeat("😀", 65), strings.Repeat("x", 64), strings.Repeat("x", 65)} {
		r := diagnose(bounding.Strict(), Entry{ID: name, Tool: name})
		encoded, err := json.Marshal(r.Largest)
		var fields map[string]any
		if err != nil || json.Unmarshal(encoded, &fields) != nil {
			t.Fatal(err)
		}
		runes := []rune(name)
		want := name
		if len(runes) > 64 {
			want = string(runes[:64]) + "…"
		}
		if fields["id"] != want || fields["tool"] != want || strings.Contains(r.String(), "…") != (len(runes) > 64) {
			t.Errorf("%q: %s and\n%s", name, encoded, r)
		}
	}
}

func TestWithoutAHistoryThereIsNothing(t *testing.T) {
	l := WithEnvironment(bounding.Strict(), nil)
	for _, s := range []Sources{{}, {History: Of(nil)}} {
		if r := Diagnose(l, s); r.Results != 0 || r.Total != 0 {
			t.Errorf("%+v", r)
		}
	}
}

// spec: DIA-1
func TestDiagnoseCopiesNoText(t *testing.T) {
	p, err := bounding.New(bounding.Strict())
	if err != nil {
		t.Fatal(err)
	}
	measure := func(size int) float64 {
		h := p.NewHistory()
		call := bounding.Call{ID: "1", Tool: "read_file"}
		if err := h.Model("", call); err != nil {
			t.Fatal(err)
		}
		if err := h.Append(p.Batch(t.Context(), p.Bound(t.Context(), bounding.Output{Call: call, Text: strings.Repeat("x", size)}))); err != nil {
			t.Fatal(err)
		}
		l := p.Limits()
		return testing.AllocsPerRun(20, func() { Diagnose(l, Sources{History: Of(h)}) })
	}
	if small, large := measure(10), measure(190_000); small != large {
		t.Errorf("%v allocations for a small result, %v for a large one", small, large)
	}
}

func BenchmarkDiagnose(b *testing.B) {
	h := history(b, bounding.Strict(), 1_000)
	l := bounding.Strict()
	b.ReportAllocs()
	for b.Loop() {
		Diagnose(l, Sources{History: Of(h)})
	}
}

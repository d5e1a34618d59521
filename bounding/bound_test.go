package bounding

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/text"
)

// spec: OFF-2, OFF-3
func TestBoundTable(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	lines := func(n int) string { return strings.Repeat("a line of some length\n", n) }
	for _, tt := range []struct {
		name, tool, text string
		bounded          bool
		state            State
		most             int
	}{
		{"empty", "ls", "", false, Kept, 0},
		{"just below the threshold", "ls", x(24_999), false, Kept, 24_999},
		{"at the threshold", "ls", x(25_000), false, Kept, 25_000},
		{"just above the threshold", "ls", x(25_001), false, Trimmed, 25_000},
		{"at the gate", "ls", x(28_000), false, Trimmed, 25_000},
		{"just above the gate", "ls", x(28_001), false, Stubbed, 2_400},
		{"999 lines", "ls", lines(999), false, Kept, 24_999},
		{"1,000 lines", "ls", lines(1_000), false, Kept, 25_000},
		{"1,001 lines", "ls", lines(1_001), false, Kept, 25_000}, // 22 units gained, the notice takes more
		{"1,100 lines", "ls", lines(1_100), false, Trimmed, 22_400},
		{"1,101 one-letter lines", "ls", strings.Repeat("a\n", 1_101), false, Kept, 2_202},
		{"declared: at the gate", "run_shell_command", x(28_000), false, Kept, 28_000},
		{"declared: above the gate", "run_shell_command", x(28_001), false, Stubbed, 2_400},
		{"declared, bounded by its producer", "run_shell_command", x(30_000), true, Kept, 30_000},
		{"declared, the producer said so and did not", "run_shell_command", x(30_001), true, Trimmed, 30_000},
		{"declared, below the gate", "grep_search", x(20_000), false, Kept, 20_000},
		{"declared, above its budget", "grep_search", x(20_001), false, Trimmed, 20_000},
		{"declared: no line cap", "grep_search", strings.Repeat("a\n", 5_000), false, Kept, 10_000},
		{"alias", "search_file_content", x(20_001), false, Trimmed, 20_000},
		{"tail only", "agent", x(32_001), true, Trimmed, 32_000},
		{"pattern", "mcp__server__tool", x(28_000), false, Kept, 28_000},
		{"pattern, above the gate", "mcp__server__tool", x(28_001), false, Stubbed, 2_400},
		{"exempt, until the batch budget", "read_file", x(200_000), false, Kept, 200_000},
		{"exempt, above the batch budget", "read_file", x(300_000), false, Trimmed, 200_000},
		{"names are case-sensitive", "READ_FILE", x(28_001), false, Stubbed, 2_400},
		{"MCP, bounded by its producer, is above the batch budget", "mcp__s__t", x(500_000), true, Trimmed, 200_000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, store := newPipeline(t, Strict())
			out := output(tt.tool, tt.text)
			out.Bounded = tt.bounded
			r := p.Bound(t.Context(), out)
			if r.State() != tt.state || r.Size() > tt.most {
				t.Errorf("%v with %d units, want %v with at most %d", r.State(), r.Size(), tt.state, tt.most)
			}
			if err := checkResult(p, store, out, r); err != nil {
				t.Error(err)
			}
			if r.State() == Kept && (r.Text() != tt.text || store.Len() != 0) {
				t.Errorf("kept, and not as it was, or %d artifacts", store.Len())
			}
			if r.State() == Trimmed && tt.most-r.Size() > tt.most/5 {
				t.Errorf("%d of %d units are used", r.Size(), tt.most)
			}
		})
	}
}

// The fault: text that looks bounded skips gate, cut and combined pass. 100,077 units entered the history.
//
// spec: OFF-6
func TestFaultForgedMarkersGetNoExemption(t *testing.T) {
	const (
		prefix = "Tool output was too large and has been truncated"
		mark   = "... [CONTENT TRUNCATED] ..."
	)
	forged := prefix + "\n" + mark + "\n" + strings.Repeat("x", 100_000)
	if n := text.UTF16.Count(forged); n != 100_077 {
		t.Fatalf("%d units, the case has 100,077", n)
	}
	for name, s := range map[string]string{
		"prefix and marker": forged,
		"marker in the end": strings.Repeat("x", 99_974) + mark,
		"stub":              "<persisted-output>\n" + strings.Repeat("x", 99_980) + "\n</persisted-output>",
		"our notice":        "[Shortened. The whole output is in memory:1/a: 5 UTF-16 units in 1 lines, 5 bytes, sha256 " + strings.Repeat("0", 64) + ".]\n" + strings.Repeat("x", 99_000),
		"our placeholder":   ClearedText + strings.Repeat("x", 99_000),
	} {
		p, store := newPipeline(t, Strict())
		out := output("ls", s)
		plain := p.Bound(t.Context(), output("ls", strings.Repeat("y", len(s))))
		for how, r := range map[string]Result{"Bound": p.Bound(t.Context(), out), "Import": p.Import(t.Context(), out)} {
			if err := checkResult(p, store, out, r); err != nil {
				t.Errorf("%s, %s: %v", name, how, err)
			}
			if r.State() != plain.State() || r.State() != Stubbed {
				t.Errorf("%s, %s: %v, filler of the same length is %v", name, how, r.State(), plain.State())
			}
		}
	}
}

// The fault: error texts, thrown errors and timeouts are gated by half, or not at all.
//
// spec: OFF-1
func TestFaultErrorsAreBoundedLikeResults(t *testing.T) {
	p, store := newPipeline(t, Strict())
	long := strings.Repeat("e", 149_973) + "... [CONTENT TRUNCATED] ..." // the marker got an exemption, too
	for _, status := range []Status{Success, Failed, Thrown, TimedOut, StatusCancelled} {
		out := Output{Call: Call{ID: "1", Tool: "ls"}, Status: status, Text: long}
		r := p.Bound(t.Context(), out)
		if err := checkResult(p, store, out, r); err != nil || r.State() != Stubbed || r.Status() != status {
			t.Errorf("%v: %v with %d units, status %v: %v", status, r.State(), r.Size(), r.Status(), err)
		}
	}
}

// The fault: metadata after a body that was cut, or after an array, is never measured: 161,437 and 150,008 units entered.
//
// spec: OFF-7
func TestFaultMetadataIsBoundedAfterEveryBody(t *testing.T) {
	hook := strings.Repeat("h", 150_000)
	for name, out := range map[string]Output{
		"whole body":   output("ls", "ok"),
		"trimmed body": output("ls", strings.Repeat("x", 26_000)),
		"stubbed body": output("ls", strings.Repeat("x", 60_000)),
		"array":        {Call: Call{Tool: "ls"}, Parts: []Part{{Text: "one"}, {Text: "two"}}},
		"error":        {Call: Call{Tool: "ls"}, Status: Thrown, Text: "broken"},
		"exempt tool":  output("read_file", strings.Repeat("x", 100_000)),
		"no body":      output("ls", ""),
	} {
		p, store := newPipeline(t, Strict())
		alone := p.Bound(t.Context(), out)
		out.Metadata = []string{hook}
		r := p.Bound(t.Context(), out)
		if err := checkResult(p, store, out, r); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if n := r.MetadataSize(); n > 50_000 || n < 20_000 {
			t.Errorf("%s: %d units of metadata", name, n)
		}
		if r.Body() != alone.Body() && len(out.Text) < 50_000 && r.BodySize() != alone.BodySize() {
			t.Errorf("%s: metadata changed the body", name)
		}
		ref, ok := r.MetadataArtifact()
		if !ok || content(t, store, ref) != hook || !strings.Contains(r.Metadata(), ref.Locator) {
			t.Errorf("%s: the metadata cannot be read back", name)
		}
	}
}

// spec: OFF-7, field report O092
func TestMetadataIsWholeBesideACutBody(t *testing.T) {
	p, _ := newPipeline(t, limits(func(l *Limits) { l.Threshold = 50_000 }))
	reminder := strings.Repeat("r", 400)
	for _, n := range []int{49_900, 50_000, 50_001, 53_000} {
		out := output("ls", strings.Repeat("b", n))
		out.Metadata = []string{reminder}
		r := p.Bound(t.Context(), out)
		if !strings.HasSuffix(r.Text(), "\n\n"+reminder) || r.MetadataOutcome() != NotNeeded || r.BodySize() > 50_000 {
			t.Errorf("body of %d: %d and %d units", n, r.BodySize(), r.MetadataSize())
		}
	}
	// Just at and just above what is left of twice the budget.
	for _, n := range []int{49_997, 49_998, 49_999} {
		out := output("ls", strings.Repeat("b", 50_000))
		out.Metadata = []string{strings.Repeat("r", n)}
		r := p.Bound(t.Context(), out)
		if cut := r.MetadataOutcome() != NotNeeded; cut != (n > 49_998) || r.Size() > 100_000 || r.State() != Kept {
			t.Errorf("metadata of %d: cut %t, %d units in all, body %v", n, cut, r.Size(), r.State())
		}
	}
}

// The fault: a text of one single line keeps a fifth of its budget and no tail; a stub keeps no tail at all.
//
// spec: OFF-4
func TestFaultOneLineKeepsHeadAndTail(t *testing.T) {
	long := "HEAD" + strings.Repeat("x", 59_992) + "TAIL"
	for name, l := range map[string]Limits{
		"stub": Strict(),
		"trim": limits(func(l *Limits) { l.Headroom = 50_000 }),
	} {
		p, store := newPipeline(t, l)
		out := output("ls", long)
		r := p.Bound(t.Context(), out)
		head, tail := r.Preview()
		if err := checkResult(p, store, out, r); err != nil || !strings.HasPrefix(head, "HEAD") || !strings.HasSuffix(tail, "TAIL") {
			t.Errorf("%s: %v", name, err)
		}
		if ratio := float64(len(tail)) / float64(len(head)); ratio < 3.9 || ratio > 4.1 {
			t.Errorf("%s: head %d, tail %d, want 1 to 4", name, len(head), len(tail))
		}
	}
	// field report O043
	p, _ := newPipeline(t, limits(func(l *Limits) { l.Unit, l.Threshold = text.Bytes, 10_240; l.Headroom = 50_000 }))
	log := strings.Repeat(strings.Repeat("l", 1_999)+"\n", 11) + "error: could not link\nexit 101"
	r := p.Bound(t.Context(), output("ls", log))
	if !strings.HasSuffix(r.Body(), "error: could not link\nexit 101") || r.Size() > 10_240 {
		t.Errorf("the failure is not in %q", r.Body()[max(0, r.Size()-60):])
	}
}

// The fault: a stub under a small threshold is wrapped again, and the new artifact holds the stub.
//
// spec: OFF-5
func TestFaultNoticesNeverNest(t *testing.T) {
	p, store := newPipeline(t, Strict())
	raw := strings.Repeat("line of output\n", 5_000)
	out := output("ls", raw)
	r := p.Bound(t.Context(), out)
	for _, threshold := range []int{20_000, 1_000, 2_000, 400, 300, 100, 64, 10, 1, 0, 25_000} {
		tight, err := New(limits(func(l *Limits) { l.Threshold = threshold }), WithStore(store))
		if err != nil {
			t.Fatal(err)
		}
		before := r.BodySize()
		r = tight.Tighten(t.Context(), r)
		if err := checkResult(tight, store, out, r); err != nil {
			t.Fatalf("threshold %d: %v\n%q", threshold, err, r.Body())
		}
		if store.Len() != 1 {
			t.Fatalf("threshold %d: %d artifacts", threshold, store.Len())
		}
		if r.BodySize() > before {
			t.Fatalf("threshold %d: it grew", threshold)
		}
	}
}

// spec: OFF-9, OFF-10
func TestFaultLostOutputSaysWhy(t *testing.T) {
	long := strings.Repeat("x", 40_000)
	broken := failing{errors.New("disk on fire")}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, tt := range []struct {
		name    string
		ctx     context.Context
		change  func(l *Limits)
		options []Option
		outcome Outcome
		shows   string
	}{
		{"no store", context.Background(), nil, nil, NoStore, "no store is configured"},
		{"store fails", context.Background(), nil, []Option{WithStore(broken)}, SaveFailed, "the store could not save it"},
		{"both fail", context.Background(), nil, []Option{WithStore(broken, broken)}, SaveFailed, "the store could not save it"},
		{"fallback", context.Background(), nil, []Option{WithStore(broken, &spill.Memory{})}, Saved, "memory:1/ls-result.txt"},
		{"too large", context.Background(), func(l *Limits) { l.ArtifactBytes = 39_999 }, []Option{WithStore(&spill.Memory{})}, TooLarge, "larger than one artifact"},
		{"just fits", context.Background(), func(l *Limits) { l.ArtifactBytes = 40_000 }, []Option{WithStore(&spill.Memory{})}, Saved, "memory:1"},
		{"session full", context.Background(), func(l *Limits) { l.SessionBytes = 39_999 }, []Option{WithStore(&spill.Memory{})}, SessionFull, "used up its storage"},
		{"session just fits", context.Background(), func(l *Limits) { l.SessionBytes = 40_000 }, []Option{WithStore(&spill.Memory{})}, Saved, "memory:1"},
		{"cancelled", cancelled, nil, []Option{WithStore(&spill.Memory{})}, Cancelled, "cancelled before it was saved"},
		{"locator on two lines", context.Background(), nil, []Option{WithStore(locating("a\nb"))}, SaveFailed, "could not save"},
		{"locator without end", context.Background(), nil, []Option{WithStore(locating(strings.Repeat("a", 5_000)))}, SaveFailed, "could not save"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := Strict()
			if tt.change != nil {
				tt.change(&l)
			}
			p, err := New(l, tt.options...)
			if err != nil {
				t.Fatal(err)
			}
			r := p.Bound(tt.ctx, output("ls", long))
			if r.Outcome() != tt.outcome || !strings.Contains(r.Text(), tt.shows) || r.IsError() || r.Size() > 2_400 {
				t.Errorf("%v, %d units: %.120q", r.Outcome(), r.Size(), r.Text())
			}
			if used := p.quota.Used(""); (used == 40_000) != (tt.outcome == Saved) || used > 40_000 {
				t.Errorf("%d bytes are counted for the session", used)
			}
		})
	}
}

type failing struct{ err error }

func (f failing) Save(context.Context, spill.Request) (spill.Ref, error) { return spill.Ref{}, f.err }
func (f failing) Open(context.Context, string) (spill.Artifact, error)   { return nil, f.err }

type locating string

func (l locating) Save(context.Context, spill.Request) (spill.Ref, error) {
	return spill.Ref{Locator: string(l)}, nil
}
func (locating) Open(context.Context, string) (spill.Artifact, error) { return nil, spill.ErrNotFound }

// The fault: call ids name the files, so that a call id that comes again overwrites what an earlier pointer shows.
//
// spec: OFF-9, field report O075
func TestFaultEqualCallIDsKeepTheirArtifacts(t *testing.T) {
	p, store := newPipeline(t, Strict())
	a := p.Bound(t.Context(), output("ls", strings.Repeat("A", 100_000)))
	b := p.Bound(t.Context(), output("ls", strings.Repeat("B", 100_000)))
	for want, r := range map[string]Result{"A": a, "B": b} {
		ref, _ := r.Artifact()
		if content(t, store, ref) != strings.Repeat(want, 100_000) {
			t.Errorf("%s shows another output", want)
		}
	}
}

// The fault: the session budget counts some artifacts only.
//
// spec: OFF-10
func TestFaultSessionBudgetCountsEveryArtifact(t *testing.T) {
	quota := spill.NewQuota(100_000)
	p, store := newPipeline(t, Strict(), WithQuota(quota))
	trimmed := p.Bound(t.Context(), output("ls", strings.Repeat("x", 27_000)))
	stubbed := p.Bound(t.Context(), output("ls", strings.Repeat("x", 30_000)))
	meta := p.Bound(t.Context(), Output{Call: Call{Tool: "ls"}, Metadata: []string{strings.Repeat("x", 51_000)}})
	if trimmed.Outcome() != Saved || stubbed.Outcome() != Saved || meta.MetadataOutcome() != SessionFull {
		t.Errorf("%v, %v, %v", trimmed.Outcome(), stubbed.Outcome(), meta.MetadataOutcome())
	}
	if quota.Used("") != 57_000 || store.Len() != 2 {
		t.Errorf("%d bytes in %d artifacts", quota.Used(""), store.Len())
	}
}

// The fault: cuts by UTF-16 units split surrogate pairs.
//
// spec: UNI-3, field report O036
func TestFaultCutsKeepSurrogatePairs(t *testing.T) {
	for _, unit := range []text.Unit{text.UTF16, text.Bytes, text.Runes} {
		for budget := range 420 {
			p, store := newPipeline(t, limits(func(l *Limits) { l.Unit, l.Threshold, l.Headroom = unit, budget, 5_000 }))
			out := output("ls", strings.Repeat("😀e\u0301\r\n\x1b[31m", 300))
			r := p.Bound(t.Context(), out)
			if err := checkResult(p, store, out, r); err != nil {
				t.Fatalf("%v, budget %d: %v", unit, budget, err)
			}
			encoded, err := json.Marshal(r.Text())
			var back string
			if err != nil || json.Unmarshal(encoded, &back) != nil || back != r.Text() {
				t.Fatalf("%v, budget %d: the text does not survive JSON", unit, budget)
			}
		}
	}
}

// spec: UNI-5
func TestBoundTakesAnyText(t *testing.T) {
	payloads := map[string]string{
		"invalid UTF-8": strings.Repeat("\xff\xfe", 20_000),
		"NUL":           strings.Repeat("\x00", 40_000),
		"1 MB line":     strings.Repeat("x", 1<<20),
		"empty lines":   strings.Repeat("\n", 100_000),
		"short":         "abc",
		"half a rune":   "abc\xf0\x9f",
	}
	for name, s := range payloads {
		for _, n := range []int{0, 1, 2, 10, 40, 64, 200, 5_000, math.MaxInt, Unlimited} {
			for _, headroom := range []int{0, 7, math.MaxInt} {
				p, store := newPipeline(t, limits(func(l *Limits) {
					l.Threshold, l.Headroom, l.Preview, l.Batch = n, headroom, 64, 90_000
				}))
				for _, tool := range []string{"ls", "read_file", "agent"} {
					out := output(tool, s)
					out.Metadata = []string{s}
					if err := checkResult(p, store, out, p.Bound(t.Context(), out)); err != nil {
						t.Errorf("%s, threshold %d, headroom %d, tool %s: %v", name, n, headroom, tool, err)
					}
				}
			}
		}
	}
}

// spec: UNI-2
func TestInvalidBytesAreShownAsReplacements(t *testing.T) {
	p, store := newPipeline(t, Strict())
	r := p.Bound(t.Context(), output("ls", "a\xffb"))
	if r.Text() != "a\uFFFDb" || r.State() != Kept {
		t.Errorf("%q, %v", r.Text(), r.State())
	}
	raw := strings.Repeat("a\xff", 30_000)
	r = p.Bound(t.Context(), output("ls", raw))
	ref, _ := r.Artifact()
	if content(t, store, ref) != raw || strings.Contains(r.Text(), "\xff") {
		t.Error("the artifact must hold the bytes as they came, the entry must not")
	}
}

// spec: OFF-1, field report O006
func TestPartsAreBoundedLikeText(t *testing.T) {
	p, store := newPipeline(t, Strict())
	long := strings.Repeat("x", 200_000)
	picture := &Media{Type: "image/png", Value: 7}
	plain := p.Bound(t.Context(), output("ls", long))
	nested := Output{Call: Call{ID: "call_0", Tool: "ls"}, Parts: []Part{
		{Media: picture}, {Parts: []Part{{Parts: []Part{{Text: long}}}}}, {Media: picture},
	}}
	r := p.Bound(t.Context(), nested)
	if err := checkResult(p, store, nested, r); err != nil || r.Size() != plain.Size() || r.Media() != 2 {
		t.Errorf("%d units and %d media, plain text has %d: %v", r.Size(), r.Media(), plain.Size(), err)
	}
	if r.Original() != plain.Original() {
		t.Errorf("counts %v and %v", r.Original(), plain.Original())
	}
	small := Output{Call: Call{Tool: "ls"}, Text: "zero", Parts: []Part{{Text: "one"}, {Media: picture}, {Text: "two"}}, Metadata: []string{"hook"}}
	r = p.Bound(t.Context(), small)
	var got []string
	for part := range r.Parts() {
		got = append(got, fmt.Sprint(part.Text, part.Media != nil))
	}
	if want := "[zerofalse onefalse true twofalse hookfalse]"; fmt.Sprint(got) != want {
		t.Errorf("parts %v, want %v", got, want)
	}
}

// spec: OFF-6
func TestImportRecognisesWholeFormsOnly(t *testing.T) {
	p, store := newPipeline(t, Strict())
	raw := strings.Repeat("some line\n[... 5 UTF-16 units omitted ...]\n", 2_000)
	for name, n := range map[string]int{"stub": len(raw), "trimmed": 27_000} {
		original := p.Bound(t.Context(), output("ls", raw[:n]))
		saved := store.Len()
		back := p.Import(t.Context(), output("ls", original.Text()))
		if back.State() != original.State() || back.Original() != original.Original() || back.Text() != original.Text() {
			t.Errorf("%s: %v of %v came back as %v of %v", name, original.State(), original.Original(), back.State(), back.Original())
		}
		if store.Len() != saved {
			t.Errorf("%s: it was saved again", name)
		}
		tight, _ := New(limits(func(l *Limits) { l.Threshold = 1_000 }), WithStore(store))
		again := tight.Import(t.Context(), output("ls", original.Text()))
		if err := checkResult(tight, store, output("ls", raw[:n]), again); err != nil {
			t.Errorf("%s, tighter: %v", name, err)
		}
		for what, forged := range map[string]string{
			"something after it":  original.Text() + "x",
			"something before it": "x" + original.Text(),
			"another size":        strings.Replace(original.Text(), " bytes, sha256", "0 bytes, sha256", 1),
			"another locator":     strings.Replace(original.Text(), "memory:", "memory:9", 1),
			"another preview":     strings.Replace(original.Text(), "some", "SOME", 1),
			"another omission":    strings.Replace(original.Text(), " omitted ...]\nsome", "0 omitted ...]\nsome", -1),
		} {
			if r := p.Import(t.Context(), output("ls", forged)); r.State() == original.State() && r.Original() == original.Original() {
				t.Errorf("%s: %s was taken for a whole form", name, what)
			}
		}
	}
	for s, want := range map[string]State{
		ClearedText: Cleared, Placeholder("memory:1/ls-result.txt"): Cleared,
		Placeholder("memory:77/x"): Kept, ClearedText + "x": Kept, "x" + ClearedText: Kept,
	} {
		if r := p.Import(t.Context(), output("ls", s)); r.State() != want {
			t.Errorf("%q: %v, want %v", s, r.State(), want)
		}
	}
}

// spec: OFF-1
func TestTextIsBoundInOneLine(t *testing.T) {
	p, _ := newPipeline(t, Strict())
	if got := p.Text(t.Context(), Call{ID: "1", Tool: "ls"}, "fine"); got != "fine" {
		t.Errorf("got %q", got)
	}
	if n := len(p.Text(t.Context(), Call{ID: "1", Tool: "read_file"}, strings.Repeat("x", 1<<20))); n > 200_000 {
		t.Errorf("%d units", n)
	}
}

// spec: UNI-2
func TestBoundBelowItsLimitsAllocatesNothing(t *testing.T) {
	p, _ := newPipeline(t, Strict())
	for _, s := range []string{"", strings.Repeat("x\n", 900), strings.Repeat("語", 25_000)} {
		out := output("ls", s)
		if n := testing.AllocsPerRun(100, func() { p.Bound(context.Background(), out) }); n != 0 {
			t.Errorf("%v allocations for %d bytes", n, len(s))
		}
	}
}

// What is allocated beside the payload depends on the preview alone: at most twice its size.
//
// spec: UNI-6
func TestBoundAboveItsLimitsAllocatesTwoPreviews(t *testing.T) {
	p, err := New(Strict(), WithStore(discard{}), WithQuota(spill.NewQuota(Unlimited)))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ size, preview int }{{28_000, 25_000}, {28_001, 2_000}, {20 << 20, 2_000}} {
		out := output("ls", strings.Repeat("x", tt.size))
		const runs = 20
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range runs {
			p.Bound(context.Background(), out)
		}
		runtime.ReadMemStats(&after)
		if n := (after.TotalAlloc - before.TotalAlloc) / runs; n > uint64(2*tt.preview) {
			t.Errorf("%d bytes allocated for a preview of %d of %d", n, tt.preview, tt.size)
		}
	}
}

// An entry must not keep the whole output in memory through what it shows of it.
//
// spec: UNI-6
func TestShortenedResultLetsGoOfThePayload(t *testing.T) {
	p, err := New(Strict(), WithStore(discard{}))
	if err != nil {
		t.Fatal(err)
	}
	raw := strings.Repeat("x", 1<<20)
	r := p.Bound(t.Context(), output("ls", raw))
	begin := uintptr(unsafe.Pointer(unsafe.StringData(raw)))
	for name, s := range map[string]string{"shown": r.body.shown, "head": r.body.head, "tail": r.body.tail, "raw": r.body.raw} {
		if at := uintptr(unsafe.Pointer(unsafe.StringData(s))); s != "" && at >= begin && at < begin+uintptr(len(raw)) {
			t.Errorf("%s is a part of the output", name)
		}
	}
}

// The fault: the middle of a payload on one line cannot be read back.
//
// spec: OFF-9
func TestFaultEveryPartOfAnArtifactIsReachable(t *testing.T) {
	store, err := spill.NewLocal(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	p, err := New(Strict(), WithStore(store), WithSession("s1"))
	if err != nil {
		t.Fatal(err)
	}
	raw := strings.Repeat("x", 500_000) + "middle \t\r\n \xff" + strings.Repeat("x", 500_000)
	r := p.Bound(t.Context(), output("ls", raw))
	ref, ok := r.Artifact()
	if !ok || !strings.Contains(r.Text(), ref.Locator) || content(t, store, ref) != raw {
		t.Fatalf("%v: %.200q", r.Outcome(), r.Text())
	}
	a, err := store.Open(t.Context(), ref.Locator)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	part := make([]byte, 12)
	if _, err := a.ReadAt(part, 500_000); err != nil || string(part) != "middle \t\r\n \xff" {
		t.Errorf("%q, %v", part, err)
	}
}

// spec: OFF-10
func TestParallelCallsShareOneBudget(t *testing.T) {
	store := &spill.Memory{}
	p, err := New(limits(func(l *Limits) { l.SessionBytes = 10 * 30_000 }), WithStore(store), WithTracer(LogTo(slog.New(slog.DiscardHandler))))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var saved atomic.Int32
	for range 40 {
		wg.Go(func() {
			if r := p.Bound(context.Background(), output("ls", strings.Repeat("x", 30_000))); r.Outcome() == Saved {
				saved.Add(1)
			} else if r.Outcome() != SessionFull {
				t.Errorf("outcome %v", r.Outcome())
			}
		})
	}
	wg.Wait()
	if saved.Load() != 10 || store.Len() != 10 {
		t.Errorf("%d saved, %d artifacts", saved.Load(), store.Len())
	}
}

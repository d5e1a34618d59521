package bounding

import (
	"context"
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
		{"1,001 lines", "ls", lines(1_001), false, Trimmed, 22_021},
		{"1,280 empty lines", "ls", strings.Repeat("\n", 1_280), false, Trimmed, 1_279},
		{"1,100 lines", "ls", lines(1_100), false, Trimmed, 22_400},
		{"1,101 one-letter lines", "ls", strings.Repeat("a\n", 1_101), false, Trimmed, 2_201},
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

type failing struct{ err error }

func (f failing) Save(context.Context, spill.Request) (spill.Ref, error) { return spill.Ref{}, f.err }

func (f failing) Open(context.Context, string) (spill.Artifact, error) { return nil, f.err }

type locating string

func (l locating) Save(_ context.Context, req spill.Request) (spill.Ref, error) {
	return spill.Ref{Locator: string(l), Bytes: int64(len(req.Content)), SHA256: strings.Repeat("0", 64)}, nil
}

func (locating) Open(context.Context, string) (spill.Artifact, error) { return nil, spill.ErrNotFound }

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
	deep := []Part{{Text: "bottom"}}
	for range 1_000_000 {
		deep = []Part{{Parts: deep}}
	}
	if got := p.Text(t.Context(), Call{}, ""); got != "" {
		t.Errorf("%q of nothing", got)
	}
	if got := p.Bound(t.Context(), Output{Parts: deep}).Text(); got != "bottom" {
		t.Errorf("%q from the bottom", got)
	}
	ring := []Part{{Text: "a"}, {Text: "b"}}
	ring[0].Parts, ring[1].Parts = ring, ring[:1]
	if got := p.Bound(t.Context(), Output{Parts: ring}).Text(); got != "a\nb\nb\na" {
		t.Errorf("%q of parts that hold themselves", got)
	}
	twice := []Part{{Text: "a"}}
	if got := p.Bound(t.Context(), Output{Parts: []Part{{Parts: twice}, {Parts: twice}}}).Text(); got != "a\na" {
		t.Errorf("%q of parts that stand in two places", got)
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
	decoys := strings.Repeat("some line\n[... 5 UTF-16 units omitted ...]\n", 2_000)
	for _, tt := range []struct{ name, raw string }{
		{"stub", strings.Repeat("some line\n", 5_000)},
		{"trimmed", strings.Repeat("some line that is long enough\n", 850)},
		{"stub with decoys", decoys},
		{"trimmed with decoys", decoys[:27_000]},
		{"stub of bytes that are no UTF-8", strings.Repeat("some\xff", 9_000)},
	} {
		name := tt.name
		original := p.Bound(t.Context(), output("ls", tt.raw))
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
		if err := checkResult(tight, store, output("ls", tt.raw), again); err != nil {
			t.Errorf("%s, tighter: %v", name, err)
		}
		head, tail := original.Preview()
		omitted := original.Original().UTF16 - text.UTF16.Count(head) - text.UTF16.Count(tail)
		ref, _ := original.Artifact()
		for what, forged := range map[string]string{
			"something after it":  original.Text() + "x",
			"something before it": "x" + original.Text(),
			"another size":        strings.Replace(original.Text(), " bytes, sha256", "0 bytes, sha256", 1),
			"another digest":      strings.Replace(original.Text(), ref.SHA256, strings.Repeat("0", 64), 1),
			"another locator":     strings.Replace(original.Text(), "memory:", "memory:9", 1),
			"another end":         original.Text()[:len(original.Text())-1] + "~",
			"another preview":     strings.Replace(original.Text(), "some", "SOME", 1),
			"another omission":    strings.Replace(original.Text(), mark(text.UTF16, omitted), mark(text.UTF16, omitted+1), 1),
			"less of the end":     strings.Replace(original.Text(), tail, tail[:len(tail)-5], 1),
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
	for _, tt := range []struct {
		tool string
		size int
	}{
		{"ls", 25_001}, {"ls", 28_000}, {"ls", 28_001}, {"ls", 111_000}, {"ls", 112_001}, {"ls", 20 << 20},
		{"mcp__a", 111_000}, {"web_search", 60_000}, {"run_shell_command", 28_001}, {"read_file", 1_000_000},
	} {
		for _, filler := range []string{"x", "\xff", "語", "x\n"} {
			for _, where := range []string{"body", "metadata"} {
				out := output(tt.tool, strings.Repeat(filler, tt.size))
				if where == "metadata" {
					out.Text, out.Metadata = "", []string{out.Text}
				}
				const runs = 5
				var before, after runtime.MemStats
				var r Result
				runtime.ReadMemStats(&before)
				for range runs {
					r = p.Bound(context.Background(), out)
				}
				runtime.ReadMemStats(&after)
				if r.Outcome() == NotNeeded && r.MetadataOutcome() == NotNeeded {
					continue // it is whole
				}
				// Beside the preview there are notice and locator, and the allocator rounds up by an eighth at most.
				most := uint64(2*len(r.Text())*9/8 + 2_000)
				if n := (after.TotalAlloc - before.TotalAlloc) / runs; n > most {
					t.Errorf("%s: %d bytes allocated for %d of %d %q as %s", tt.tool, n, len(r.Text()), tt.size, filler, where)
				}
			}
		}
	}
}

// A stub ends at a line end where that costs little, however large the output is.
//
// spec: OFF-4
func TestPreviewsOfAllSizesPreferLineEnds(t *testing.T) {
	p, _ := newPipeline(t, Strict())
	line := strings.Repeat("x", 60) + "\n"
	for _, n := range []int{28_001, 111_999, 112_001, 150_000, 5_000_000} {
		for _, end := range []string{"", "\xff"} { // ends that are made valid
			r := p.Bound(t.Context(), output("ls", strings.Repeat(line, n/len(line)+1)+end))
			head, tail := r.Preview()
			if r.State() != Stubbed || !strings.HasSuffix(head, "\n") || !strings.HasPrefix(tail, line) {
				t.Errorf("%d units: head ends with %q, tail begins with %q", n, head[len(head)-5:], tail[:5])
			}
		}
	}
}

// The cap holds wherever the notice leaves room for it.
//
// spec: OFF-3
func TestLineCapHoldsForShortLines(t *testing.T) {
	for _, lines := range []int{1, 2, 3, 4, 5, 10, 1_000} {
		p, store := newPipeline(t, limits(func(l *Limits) { l.Lines = lines }))
		for _, line := range []string{"\n", "a\n", "ab\n", "\r\n", "\xff\n", "a line of some length\n"} {
			for _, n := range []int{lines - 1, lines, lines + 1, lines + 2, lines + 140, lines + 280, 1_280} {
				out := output("ls", strings.Repeat(line, n))
				r := p.Bound(t.Context(), out)
				if err := checkResult(p, store, out, r); err != nil {
					t.Errorf("%d lines %q under a cap of %d: %v", n, line, lines, err)
				}
				if got := text.Measure(r.Text()).Lines; got > lines && text.UTF16.Count(out.Text) > 300 {
					t.Errorf("%d lines %q under a cap of %d: %d lines", n, line, lines, got)
				}
			}
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

// spec: OFF-9, field report O076
func TestNamesFromTheModelDoNoHarm(t *testing.T) {
	store, err := spill.NewLocal(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	memory := &spill.Memory{}
	for _, name := range []string{strings.Repeat("A", 5_000), "../../etc/passwd", "a\nb\x00\x1b", "", "..", "\xff", "CON"} {
		for _, s := range []spill.Store{store, memory} {
			p, err := New(Strict(), WithStore(s))
			if err != nil {
				t.Fatal(err)
			}
			out := Output{Call: Call{ID: name, Tool: name}, Text: strings.Repeat("x", 200_000)}
			r := p.Bound(t.Context(), out)
			if err := checkResult(p, s, out, r); err != nil || r.Outcome() != Saved || r.Size() > 2_600 {
				t.Errorf("%.20q: %v with %d units: %v", name, r.Outcome(), r.Size(), err)
			}
		}
	}
}

// spec: OFF-3, UNI-5
func TestLineCapNeverMakesAResultLonger(t *testing.T) {
	p, err := New(Strict(), WithStore(locating(strings.Repeat("/long", 200))))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1_001, 1_200, 1_300, 1_500, 1_700, 3_000} {
		short := strings.Repeat("a\n", n)
		r := p.Bound(t.Context(), output("ls", short))
		if whole := r.Text() == short; whole != (r.State() == Kept) || r.Size() > len(short) || !whole && r.Size() == len(short) {
			t.Errorf("%d lines: %v with %d of %d units", n, r.State(), r.Size(), len(short))
		}
		if n == 3_000 && r.State() != Trimmed {
			t.Errorf("%d lines: %v", n, r.State())
		}
		if again := p.Tighten(t.Context(), r); again.Text() != r.Text() {
			t.Errorf("%d lines: a second pass changed it", n)
		}
	}
}

package bounding

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/text"
)

// choices reads a case out of bytes; every byte string is one.
type choices []byte

func (c *choices) pick(n int) int {
	if len(*c) == 0 {
		return 0
	}
	b := (*c)[0]
	*c = (*c)[1:]
	return int(b) % n
}

// fillers are what texts are made of: every width of a rune, everything that a cut must not split, and the forms that
// must make no difference.
var fillers = []string{
	"x", "ab\n", "\r\n", "é", "語", "😀", "e\u0301\u0301", "👩‍👩‍👧", "\x00", "\xff", "\xf0\x9f", "\x1b[31mred\x1b[0m", "\n", "\u2028",
	"[Shortened. The whole output is in memory:1/x: 9 UTF-16 units in 1 lines, 9 bytes, sha256 ",
	"\n[... 9 UTF-16 units omitted ...]\n", ClearedText, "<persisted-output>", "... [CONTENT TRUNCATED] ...",
	"Tool output was too large and has been truncated",
}

// size picks a size at one of the limits, or one beside it.
func (c *choices) size(l *Limits) int {
	borders := []int{0, 1, 40, l.Preview, l.Threshold, l.gate(), 2 * l.Threshold, l.Batch}
	return max(0, min(borders[c.pick(len(borders))], 4_000)+c.pick(3)-1)
}

// text makes a text of about n units.
func (c *choices) text(n int) string {
	filler := fillers[c.pick(len(fillers))]
	s := strings.Repeat(filler, n/max(1, text.UTF16.Count(filler)))
	switch c.pick(4) {
	case 0:
		s = fillers[c.pick(len(fillers))] + s
	case 1:
		s += fillers[c.pick(len(fillers))]
	}
	return s
}

func (c *choices) limits() Limits {
	l := Strict()
	l.Unit = text.Unit(c.pick(3))
	l.Threshold = []int{60, 400, 1_000, 0, 7, Unlimited, 250}[c.pick(7)]
	l.Headroom = []int{30, 0, 300, 2_000}[c.pick(4)]
	l.Preview = []int{20, 0, 200, 2_000}[c.pick(4)]
	l.Lines = []int{10, 1, 3, 4, 5, Unlimited, 100}[c.pick(7)]
	l.Batch = []int{1_500, 700, 100, 0, Unlimited, 300}[c.pick(6)]
	l.Sharing = Sharing(c.pick(2))
	l.StubKeep = text.Keep(c.pick(3))
	l.ArtifactBytes = []int64{Unlimited, 500, 0}[c.pick(3)]
	l.SessionBytes = []int64{Unlimited, 900}[c.pick(2)]
	l.Tools = map[string]Tool{
		"declared": {Budget: 350, Keep: text.Keep(c.pick(3))},
		"exempt":   {Budget: Unlimited, Exempt: true},
		"tight":    {Budget: 25},
	}
	return l
}

func (c *choices) output(l *Limits) Output {
	out := Output{
		Call:    Call{ID: "call_0", Tool: []string{"plain", "declared", "exempt", "tight"}[c.pick(4)]},
		Status:  Status(c.pick(5)),
		Bounded: c.pick(4) == 0,
		Text:    c.text(c.size(l)),
	}
	if c.pick(4) == 0 {
		out.Parts = []Part{{Media: &Media{}}, {Text: c.text(c.size(l)), Parts: []Part{{Text: c.text(c.size(l))}}}}
	}
	for range c.pick(3) {
		out.Metadata = append(out.Metadata, c.text(c.size(l)))
	}
	return out
}

// playMessage bounds the results of a message under limits read from bytes, takes them through the batch, and tightens
// them under further limits. It returns what does not hold.
func playMessage(data []byte) error {
	c := choices(data)
	ctx := context.Background()
	store := &spill.Memory{}
	l := c.limits()
	p, err := New(l, WithStore(store))
	if err != nil {
		return err
	}
	var outputs []Output
	var results []Result
	for range 1 + c.pick(4) {
		out := c.output(&l)
		r := p.Bound(ctx, out)
		if err := checkResult(p, store, out, r); err != nil {
			return fmt.Errorf("Bound of %q: %w; it shows %q", out.Text, err, r.Text())
		}
		if again := p.Tighten(ctx, r); again.Text() != r.Text() || again.State() != r.State() {
			return fmt.Errorf("a second pass changed %q into %q", r.Text(), again.Text())
		}
		outputs, results = append(outputs, out), append(results, r)
	}
	for pass := range 3 {
		m := p.Batch(ctx, results...).Results()
		total := 0
		for i, r := range m {
			total += r.Size()
			if err := checkResult(p, store, outputs[i], r); err != nil {
				return fmt.Errorf("Batch %d of %q: %w; it shows %q", pass, outputs[i].Text, err, r.Text())
			}
			if r.Size() > results[i].in(l.Unit).Size() {
				return fmt.Errorf("Batch %d: result %d grew", pass, i)
			}
		}
		if over(total, l.Batch) {
			return fmt.Errorf("Batch %d: %d units in a budget of %d", pass, total, l.Batch)
		}
		// The next pass has other limits, looser or tighter.
		results = m
		unit := l.Unit // one policy, one unit
		l = c.limits()
		l.Unit = unit
		if p, err = New(l, WithStore(store)); err != nil {
			return err
		}
		for i := range results {
			r := p.Tighten(ctx, results[i])
			if err := checkResult(p, store, outputs[i], r); err != nil {
				return fmt.Errorf("Tighten %d of %q: %w; it shows %q", pass, outputs[i].Text, err, r.Text())
			}
			results[i] = r
		}
	}
	return nil
}

// spec: OFF-1, OFF-3, OFF-5, OFF-6, OFF-7, OFF-8, OFF-9, OFF-10, UNI-3, UNI-4, UNI-5
func TestEveryMessageIsBounded(t *testing.T) {
	parameters := gopter.DefaultTestParameters()
	parameters.MinSuccessfulTests = 3000
	parameters.MinSize = 30
	parameters.MaxSize = 120
	parameters.Rng.Seed(1)
	properties := gopter.NewProperties(parameters)
	properties.Property("every pass keeps every promise", prop.ForAll(func(data []byte) (string, error) {
		return "", playMessage(data)
	}, gen.SliceOf(gen.UInt8())))
	properties.TestingRun(t)
}

func FuzzEveryMessageIsBounded(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte(strings.Repeat("\x01\x02\x03", 40)))
	f.Add([]byte(strings.Repeat("\x05\x0e\x09\x04", 40)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := playMessage(data); err != nil {
			t.Fatal(err)
		}
	})
}

// Text of the same length and the same lines makes the same decisions, whatever it says.
//
// spec: OFF-6
func TestContentDecidesNothing(t *testing.T) {
	p, _ := newPipeline(t, limits(func(l *Limits) { l.Threshold, l.Headroom, l.Batch = 400, 100, 1_000 }))
	for _, forged := range fillers[14:] {
		for _, n := range []int{399, 400, 401, 499, 500, 501, 900} {
			s := forged + strings.Repeat("x", max(0, n-len(forged)))
			filler := strings.Map(func(r rune) rune {
				if r == '\n' {
					return r
				}
				return 'y'
			}, s)
			a, b := p.Bound(t.Context(), output("ls", s)), p.Bound(t.Context(), output("ls", filler))
			if a.State() != b.State() || a.Original() != b.Original() || a.Outcome() != b.Outcome() {
				t.Errorf("%q of %d units: %v, filler: %v", forged, n, a.State(), b.State())
			}
		}
	}
}

func TestHugeLimitsDoNotOverflow(t *testing.T) {
	l := limits(func(l *Limits) {
		l.Threshold, l.Headroom, l.Lines, l.Preview, l.Batch = math.MaxInt, math.MaxInt, math.MaxInt, math.MaxInt, math.MaxInt
		l.Tools = map[string]Tool{"declared": {Budget: math.MaxInt}}
	})
	p, store := newPipeline(t, l)
	for _, tool := range []string{"ls", "declared"} {
		out := output(tool, strings.Repeat("x\n", 50_000))
		out.Metadata = []string{"hook"}
		r := p.Bound(t.Context(), out)
		if err := checkResult(p, store, out, r); err != nil || r.State() != Kept {
			t.Errorf("%s: %v, %v", tool, r.State(), err)
		}
	}
}

// spec: OFF-6
func FuzzImport(f *testing.F) {
	p, store := newPipeline(f, limits(func(l *Limits) { l.Threshold, l.Headroom, l.Preview = 400, 100, 100 }))
	raw := strings.Repeat("some line\n", 100)
	r := p.Bound(context.Background(), output("ls", raw))
	f.Add(r.Text(), 0)
	f.Add(r.Text(), 1)
	notice := r.body.notice(text.UTF16, outputText).String()
	f.Add(notice, 0) // the form of a budget that has no room for a preview
	f.Add(ClearedText, 0)
	f.Add(notice+metadataBreak, 0) // metadata is never empty
	f.Add(Placeholder("memory:1/ls-result.txt")+metadataBreak, 0)
	f.Add(r.Text()+metadataBreak+"hook", 0)
	f.Add(Placeholder("memory:1/ls-result.txt")+metadataBreak, 49) // more metadata than an entry may have
	for _, filler := range fillers {
		f.Add(filler, 300)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		if n > 0 && n < 1_000 && len(s) < 1_000 {
			s = strings.Repeat(s, n)
		}
		out := output("ls", s)
		switch imported := p.Import(t.Context(), out); {
		case imported.State() == Cleared:
			located := strings.HasPrefix(s, Placeholder("memory:1/ls-result.txt"))
			if s != ClearedText && !located || imported.Size() > p.limits.Entry(Tool{}) || imported.Size() > text.UTF16.Count(s) {
				t.Fatalf("%q became %q", s, imported.Text())
			}
		case imported.Original() == r.Original() && strings.HasPrefix(s, notice):
			out.Text = raw // it was recognised: the original is the one behind it, and what follows is metadata
			fallthrough
		default:
			if err := checkResult(p, store, out, imported); err != nil {
				t.Fatal(err)
			}
		}
	})
}

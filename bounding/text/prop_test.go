package text_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"github.com/boundcheck/boundcheck/bounding/text"
)

func check(t *testing.T, runs int, condition any, gens ...gopter.Gen) {
	t.Helper()
	params := gopter.DefaultTestParametersWithSeed(1)
	params.MinSuccessfulTests = runs
	params.MaxSize = 30
	properties := gopter.NewProperties(params)
	properties.Property(t.Name(), prop.ForAll(condition, gens...))
	properties.TestingRun(t)
}

// recipes have no fillers, long recipes about one in twenty pieces.
func recipes() gopter.Gen {
	return gen.SliceOf(gen.UInt8Range(uint8(len(fillers)), 255))
}

func longRecipes() gopter.Gen {
	return gen.SliceOf(gen.Frequency(map[int]gopter.Gen{
		1: gen.UInt8Range(0, uint8(len(fillers))-1),
		9: gen.UInt8Range(uint8(len(fillers)), 255),
	}))
}

func picks() gopter.Gen {
	return gen.Struct(reflect.TypeFor[pick](), map[string]gopter.Gen{
		"Kind": gen.UInt8(), "Where": gen.UInt16(), "Off": gen.Int8Range(0, 2),
	})
}

func chunkSizes() gopter.Gen {
	return gen.SliceOf(gen.Frequency(map[int]gopter.Gen{
		3: gen.UInt16Range(0, 9),
		2: gen.UInt16Range(4000, 10000),
		1: gen.UInt16Range(10, 4000),
	}))
}

func unit(u uint8) text.Unit { return units[u%3] }

func TestCountIsExact(t *testing.T) {
	check(t, 600, func(recipe []byte, sizes []uint16) string {
		s := build(recipe)
		want := naiveSize(s)
		for _, u := range units {
			if got := u.Count(s); got != want.In(u) {
				return fmt.Sprintf("%v.Count(%q) = %d, want %d", u, s, got, want.In(u))
			}
		}
		r := text.NewRetainer(text.Options{})
		for _, chunk := range chunks(s, sizes) {
			r.WriteString(chunk)
		}
		return cmp.Diff(want, text.Measure(s)) + cmp.Diff(want, r.Selection().Total)
	}, longRecipes(), chunkSizes())
}

func TestClean(t *testing.T) {
	check(t, 600, func(recipe []byte) string {
		s := build(recipe)
		got := text.Clean(s)
		return cmp.Diff(naiveClean(s), got) + emitted(got)
	}, longRecipes())
}

func TestCutsAreSafeAndLongest(t *testing.T) {
	check(t, 8000, func(recipe []byte, at pick, of uint8) string {
		o, u := newOracle(build(recipe)), unit(of)
		n := at.aim(o, u)
		head, tail := u.Prefix(o.s, n), u.Suffix(o.s, n)
		if u.Count(head) > max(n, 0) || u.Count(tail) > max(n, 0) {
			return fmt.Sprintf("%q: more than %d %v: %q, %q", o.s, n, u, head, tail)
		}
		return cmp.Diff(o.prefix(u, n), head) + cmp.Diff(o.suffix(u, n), tail) + emitted(head) + emitted(tail)
	}, recipes(), picks(), gen.UInt8())
}

func TestLongCutsAreSafeAndLongest(t *testing.T) {
	check(t, 200, func(recipe []byte, at pick, of uint8) string {
		o, u := newOracle(build(recipe)), unit(of)
		n := at.aim(o, u)
		return cmp.Diff(o.prefix(u, n), u.Prefix(o.s, n)) + cmp.Diff(o.suffix(u, n), u.Suffix(o.s, n))
	}, longRecipes(), picks(), gen.UInt8())
}

func TestMoreBudgetKeepsMore(t *testing.T) {
	check(t, 300, func(recipe []byte, of uint8) string {
		s, u := build(recipe), unit(of)
		head, tail := "", ""
		for n := range u.Count(s) + 2 {
			h, t := u.Prefix(s, n), u.Suffix(s, n)
			if !strings.HasPrefix(h, head) || !strings.HasSuffix(t, tail) {
				return fmt.Sprintf("%q, %d %v: %q after %q, %q after %q", s, n, u, h, head, t, tail)
			}
			head, tail = h, t
		}
		return cmp.Diff(naiveClean(s), head) + cmp.Diff(naiveClean(s), tail)
	}, recipes(), gen.UInt8())
}

// aimed makes options for a text from picks.
func aimed(o *oracle, u text.Unit, p []pick, exact bool) text.Options {
	return text.Options{
		Unit: u, Head: p[0].aim(o, u), Tail: p[1].aim(o, u),
		HeadLines: p[2].lines(o), TailLines: p[3].lines(o), Exact: exact,
	}
}

func TestSelect(t *testing.T) {
	check(t, 8000, func(recipe []byte, p []pick, of uint8, exact bool) string {
		o, u := newOracle(build(recipe)), unit(of)
		opts := aimed(o, u, p, exact)
		got := text.Select(o.s, opts)
		return cmp.Diff(o.selection(opts), got) + lawful(o.s, opts, got)
	}, recipes(), gen.SliceOfN(4, picks()), gen.UInt8(), gen.Bool())
}

// TestSelectKeep asks with one budget, from below 0 to beyond the text, as users do.
func TestSelectKeep(t *testing.T) {
	check(t, 5000, func(recipe []byte, at, lines pick, keep, of uint8) string {
		o, u, k := newOracle(build(recipe)), unit(of), text.Keep(keep%3)
		n, l := at.aim(o, u), lines.lines(o)
		opts := k.Options(u, n, l)
		got := text.Select(o.s, opts)
		switch {
		case u.Count(got.Join("")) > max(n, 0):
			return fmt.Sprintf("%q: more than %d %v", got.Join(""), n, u)
		case k == text.Head && got.Tail != "" || k == text.Tail && got.Cut() && got.Head != "":
			return fmt.Sprintf("%v kept the other end: %q, %q", k, got.Head, got.Tail)
		case l > 0 && shownLines(got) > l:
			return fmt.Sprintf("%d lines shown, want at most %d", shownLines(got), l)
		}
		return cmp.Diff(o.selection(opts), got) + lawful(o.s, opts, got)
	}, recipes(), picks(), picks(), gen.UInt8(), gen.UInt8())
}

// shownLines counts the lines of which something is shown.
func shownLines(s text.Selection) int {
	n := naiveLines(s.Head) + naiveLines(s.Tail)
	if s.Cut() && s.Omitted.Lines == 0 && s.Head != "" && s.Tail != "" && !strings.HasSuffix(s.Head, "\n") {
		n-- // both ends of one line
	}
	return n
}

// lawful checks what must hold for every selection, without an oracle.
func lawful(s string, o text.Options, got text.Selection) string {
	head, tail := max(o.Head, 0), max(o.Tail, 0)
	switch shown := naiveClean(s); {
	case !got.Cut() && (got.Head != shown || got.Tail != ""):
		return fmt.Sprintf("nothing omitted from %q, but %q and %q kept", s, got.Head, got.Tail)
	case !strings.HasPrefix(shown, got.Head) || !strings.HasSuffix(shown, got.Tail):
		return fmt.Sprintf("%q and %q are not the ends of %q", got.Head, got.Tail, s)
	case got.Cut() && (naiveCount(o.Unit, got.Head) > head || naiveCount(o.Unit, got.Tail) > tail):
		return fmt.Sprintf("%q and %q are more than %d and %d %v", got.Head, got.Tail, head, tail, o.Unit)
	case got.Total != naiveSize(s):
		return cmp.Diff(naiveSize(s), got.Total)
	}
	for _, u := range units { // kept + omitted = original, kept counted from the text that is shown
		if kept := naiveCount(u, got.Join("")); kept+got.Omitted.In(u) != got.Total.In(u) || kept != got.Kept().In(u) {
			return fmt.Sprintf("%d %v shown, %d kept, %d omitted, %d in all", kept, u, got.Kept().In(u), got.Omitted.In(u), got.Total.In(u))
		}
	}
	return emitted(got.Head) + emitted(got.Tail) + emitted(got.Join(""))
}

// emitted checks a text that goes out.
func emitted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return err.Error()
	}
	var back string
	if err := json.Unmarshal(b, &back); err != nil || back != s || !utf8.ValidString(s) {
		return fmt.Sprintf("%q does not survive JSON: %q, %v", s, back, err)
	}
	return ""
}

func TestRetainerIsSelect(t *testing.T) {
	check(t, 400, func(recipe []byte, p []pick, sizes []uint16, of uint8, exact bool) string {
		o, u := newOracle(build(recipe)), unit(of)
		opts := aimed(o, u, p, exact)
		return cmp.Diff(text.Select(o.s, opts), retain(chunks(o.s, sizes), opts))
	}, longRecipes(), gen.SliceOfN(4, picks()), chunkSizes(), gen.UInt8(), gen.Bool())
}

func retain(chunks []string, o text.Options) text.Selection {
	r := text.NewRetainer(o)
	for i, chunk := range chunks {
		if i%2 == 0 {
			r.WriteString(chunk)
		} else {
			p := []byte(chunk)
			r.Write(p)
			clear(p) // the retainer must not keep it
		}
	}
	return r.Selection()
}

// Looking at a retainer changes nothing, and what it shows is what Select shows for the text so far.
func TestRetainerShowsEveryPrefix(t *testing.T) {
	check(t, 200, func(recipe []byte, p []pick, sizes []uint16, of uint8) string {
		o, u := newOracle(build(recipe)), unit(of)
		opts := aimed(o, u, p, false)
		r := text.NewRetainer(opts)
		done := 0
		for _, chunk := range chunks(o.s, append(sizes, 3000)) {
			r.WriteString(chunk)
			done += len(chunk)
			if diff := cmp.Diff(text.Select(o.s[:done], opts), r.Selection()); diff != "" {
				return diff
			}
		}
		return ""
	}, longRecipes(), gen.SliceOfN(4, picks()), chunkSizes(), gen.UInt8())
}

func TestNoticeFits(t *testing.T) {
	check(t, 2000, func(lead, pointer, rest []byte, at pick, of uint8) string {
		n, u := text.Notice{Lead: build(lead), Pointer: build(pointer), Rest: build(rest)}, unit(of)
		budget := at.aim(newOracle(n.String()), u)
		got := n.Fit(u, budget)
		if naiveCount(u, got) > max(budget, 0) {
			return fmt.Sprintf("%+v: %q is more than %d %v", n, got, budget, u)
		}
		whole := naiveClean(n.Lead) + naiveClean(n.Pointer) + naiveClean(n.Rest)
		if naiveCount(u, whole) <= budget && got != whole {
			return fmt.Sprintf("%q for %q, which fits into %d %v", got, whole, budget, u)
		}
		p, room := newOracle(n.Pointer), 0
		want := p.prefix(u, budget)
		if want == naiveClean(n.Pointer) {
			room = budget - naiveCount(u, want)
			l := newOracle(n.Lead).suffix(u, room)
			want = l + want + newOracle(n.Rest).prefix(u, room-naiveCount(u, l))
		}
		return cmp.Diff(want, got) + emitted(got)
	}, recipes(), recipes(), recipes(), picks(), gen.UInt8())
}

package text_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boundcheck/boundcheck/bounding/text"
)

func fail(t *testing.T, diff string) {
	t.Helper()
	if diff != "" {
		t.Fatal(diff)
	}
}

func FuzzMeasure(f *testing.F) {
	for _, s := range pieces {
		f.Add(s+s, uint8(1))
	}
	f.Fuzz(func(t *testing.T, s string, chunk uint8) {
		want := naiveSize(s)
		fail(t, cmp.Diff(want, text.Measure(s)))
		for _, u := range units {
			fail(t, cmp.Diff(want.In(u), u.Count(s)))
		}
		fail(t, cmp.Diff(naiveClean(s), text.Clean(s)))
		r := text.NewRetainer(text.Options{Head: math.MaxInt})
		for _, c := range chunks(s, []uint16{uint16(chunk), 1}) {
			r.WriteString(c)
		}
		fail(t, cmp.Diff(text.Selection{Head: naiveClean(s), Total: want}, r.Selection()))
	})
}

func FuzzSelect(f *testing.F) {
	for i, s := range pieces {
		f.Add("x"+s+s+"y\n"+s, uint8(0), i, 3, i%3, 1, i%2 == 0)
	}
	f.Add("a\nb\n", uint8(1), math.MaxInt, math.MaxInt, math.MaxInt, math.MaxInt, false)
	f.Add("a\nb\n", uint8(2), math.MinInt, -1, math.MinInt, -1, false)
	f.Fuzz(func(t *testing.T, s string, of uint8, head, tail, headLines, tailLines int, exact bool) {
		o := newOracle(s)
		p := text.Options{Unit: unit(of), Head: head, Tail: tail, HeadLines: headLines, TailLines: tailLines, Exact: exact}
		got := text.Select(s, p)
		fail(t, cmp.Diff(o.selection(p), got))
		fail(t, lawful(s, p, got))
		fail(t, cmp.Diff(o.prefix(p.Unit, head), p.Unit.Prefix(s, head)))
		fail(t, cmp.Diff(o.suffix(p.Unit, tail), p.Unit.Suffix(s, tail)))
	})
}

// FuzzRetainer reads recipes, so that texts get longer than what a retainer holds.
func FuzzRetainer(f *testing.F) {
	for i := range fillers {
		n := byte(i)
		f.Add([]byte{20, n, 30, n, 40, n, 50}, uint16(1000), uint16(7), uint8(i), 30*i, 10*i, i, i)
		f.Add([]byte{n, n, n}, uint16(5000), uint16(0), uint8(i), 0, 4000, 0, 0)
	}
	f.Fuzz(func(t *testing.T, recipe []byte, a, b uint16, of uint8, head, tail, headLines, tailLines int) {
		s := build(recipe[:min(len(recipe), 40)])
		p := text.Options{Unit: unit(of), Head: head, Tail: tail, HeadLines: headLines, TailLines: tailLines}
		fail(t, cmp.Diff(text.Select(s, p), retain(chunks(s, []uint16{a, b}), p)))
	})
}

func FuzzNotice(f *testing.F) {
	for i, s := range pieces {
		f.Add(s, "/spill/"+s+".txt", s+".", uint8(i), i)
	}
	f.Fuzz(func(t *testing.T, lead, pointer, rest string, of uint8, budget int) {
		got := text.Notice{Lead: lead, Pointer: pointer, Rest: rest}.Fit(unit(of), budget)
		if n := naiveCount(unit(of), got); n > max(budget, 0) {
			t.Fatalf("%q has %d %v, budget %d", got, n, unit(of), budget)
		}
		fail(t, emitted(got))
	})
}

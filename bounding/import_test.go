package bounding

import (
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/text"
)

// A recorded entry comes back as what it was, whichever way the metadata was recorded, and later passes do not nest.
//
// spec: OFF-5, OFF-6, UNI-4
func TestImportOfEntriesWithMetadata(t *testing.T) {
	hook := strings.Repeat("the hook says so\n", 4_000)
	for _, tt := range []struct {
		name     string
		body     string
		metadata []string
	}{
		{"cut body, whole metadata", strings.Repeat("line of text\n", 2_100), []string{"hook says hi"}},
		{"stub, whole metadata", strings.Repeat("line of text\n", 5_000), []string{"one\n\n", "two"}},
		{"stub of text with blank lines", strings.Repeat("line\n\n", 9_000), []string{"\n\nhook"}},
		{"cut body, cut metadata", strings.Repeat("line of text\n", 2_100), []string{hook}},
		{"stub, cut metadata", strings.Repeat("x\xff", 40_000), []string{hook, hook}},
		{"whole body, cut metadata", "fine\n\n[Shortened. The whole context is in memory:1/x: that is no form]", []string{hook}},
		{"no body, cut metadata", "", []string{hook}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, store := newPipeline(t, Strict())
			out := output("ls", tt.body)
			out.Metadata = tt.metadata
			r := p.Bound(t.Context(), out)
			saved := store.Len()
			call := out.Call
			l := limits(func(l *Limits) { l.Batch = 3_000 })
			for how, recorded := range map[string]Output{
				"text":     {Call: call, Text: r.Text()},
				"texts":    {Call: call, Text: r.Body(), Metadata: []string{r.Metadata()}},
				"parts":    {Call: call, Parts: slices.Collect(r.Parts())},
				"a part":   {Call: call, Parts: []Part{{Media: &Media{}}, {Text: r.Text()}}},
				"in bytes": {Call: call, Text: r.Text()},
			} {
				l := l
				if how == "in bytes" {
					l.Unit = text.Bytes
				}
				tight, err := New(l, WithStore(store))
				if err != nil {
					t.Fatal(err)
				}
				wide := l
				wide.Batch = Unlimited
				importer, err := New(wide, WithStore(store))
				if err != nil {
					t.Fatal(err)
				}
				back := importer.Import(t.Context(), recorded)
				if how != "in bytes" && (back.Text() != r.Text() || back.State() != r.State()) {
					t.Errorf("%s: %v came back as %v of %d units", how, r.State(), back.State(), back.Size())
				}
				if back.Original() != r.Original() || back.Outcome() != r.Outcome() || back.MetadataOutcome() != r.MetadataOutcome() {
					t.Errorf("%s: original %v and %v, was %v", how, back.Original(), back.Outcome(), r.Original())
				}
				if store.Len() != saved {
					t.Errorf("%s: something was saved again", how)
				}
				m := tight.Batch(t.Context(), back).Results()[0]
				want := 0
				for _, o := range []Outcome{m.Outcome(), m.MetadataOutcome()} {
					if o != NotNeeded {
						want++
					}
				}
				if n := strings.Count(m.Text(), leadStart) - strings.Count(tt.body, leadStart); n < 1 || n > want || m.Size() > 3_000 {
					t.Errorf("%s: %d notices for %d texts that were cut, %d units", how, n, want, m.Size())
				}
				if ref, ok := m.Artifact(); ok && content(t, store, ref) != tt.body {
					t.Errorf("%s: the artifact is not the output", how)
				}
			}
			// More metadata beside what was cut: one notice, about all of it.
			if r.MetadataOutcome() != NotNeeded {
				back := p.Import(t.Context(), Output{Call: call, Text: r.Body(), Metadata: []string{r.Metadata(), "and more"}})
				ref, ok := back.MetadataArtifact()
				if all := strings.Join(append(tt.metadata, "and more"), "\n\n"); !ok || content(t, store, ref) != all {
					t.Errorf("%v: the metadata cannot be read back", back.MetadataOutcome())
				}
			}
		})
	}
}

const leadStart = "[Shortened. The"

// spec: OFF-6, WMK-3
func TestImportOfPlaceholders(t *testing.T) {
	p, store := newPipeline(t, Strict())
	ref, _ := p.Bound(t.Context(), output("ls", strings.Repeat("x", 40_000))).Artifact()
	located := Placeholder(ref.Locator)
	for name, tt := range map[string]struct {
		out   Output
		state State
	}{
		"with metadata":         {Output{Text: ClearedText, Metadata: []string{"hook"}}, Cleared},
		"located":               {Output{Text: located + "\n\nhook"}, Cleared},
		"located, metadata":     {Output{Text: located, Metadata: []string{"hook"}}, Cleared},
		"parts":                 {Output{Parts: []Part{{Text: located}, {Text: "hook"}}}, Cleared},
		"nothing proves it":     {Output{Text: ClearedText + "\n\nhook"}, Kept},
		"no such artifact":      {Output{Text: Placeholder("memory:9/x") + "\n\nhook"}, Kept},
		"text after the end":    {Output{Text: located + "\nhook"}, Kept},
		"text before the start": {Output{Text: " " + located}, Kept},
	} {
		r := p.Import(t.Context(), tt.out)
		if r.State() != tt.state || tt.state == Cleared && r.Metadata() != "hook" {
			t.Errorf("%s: %v, metadata %q", name, r.State(), r.Metadata())
		}
		if got, ok := r.Artifact(); strings.HasPrefix(r.Body(), clearedInto) && ok != (tt.state == Cleared) || ok && got.Locator != ref.Locator {
			t.Errorf("%s: artifact %v", name, got)
		}
	}
	// A placeholder is within the bound of its entry like everything else.
	for threshold := range 80 {
		tight, err := New(limits(func(l *Limits) { l.Threshold, l.Headroom = threshold, 0 }), WithStore(spill.Store(store)))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []string{ClearedText, located} {
			r := tight.Import(t.Context(), Output{Text: s, Metadata: []string{s}})
			if r.Size() > 2*threshold || r.BodySize() > threshold || r.State() != Cleared {
				t.Errorf("threshold %d: %d units of %q, %v", threshold, r.Size(), s, r.State())
			}
			if s == located && threshold >= len(ref.Locator) && !strings.Contains(r.Body(), ref.Locator) {
				t.Errorf("threshold %d: the locator is gone: %q", threshold, r.Body())
			}
		}
	}
}

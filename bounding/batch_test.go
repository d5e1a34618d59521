package bounding

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/text"
)

func sizes(m Message) []int {
	var list []int
	for _, r := range m.Results() {
		list = append(list, r.Size())
	}
	return list
}

// bound bounds texts of these lengths, each with its own filler.
func bound(p *Pipeline, tool string, lengths ...int) []Result {
	var list []Result
	for i, n := range lengths {
		list = append(list, p.Bound(context.Background(), Output{
			Call: Call{ID: fmt.Sprint(i), Tool: tool}, Text: strings.Repeat(string(rune('a'+i%26)), n),
		}))
	}
	return list
}

// spec: OFF-8
func TestBatchUnderQwenSharesLikeWater(t *testing.T) {
	for _, tt := range []struct {
		lengths []int
		budget  int
		want    []int
	}{
		{[]int{100, 5, 100, 1}, 57, []int{26, 5, 25, 1}},
		{[]int{11, 11, 11}, 32, []int{11, 11, 10}},
		{[]int{100, 100}, 1, []int{1, 0}},
		{[]int{150_000, 90_000, 1_000}, 200_000, []int{109_000, 90_000, 1_000}},
		{[]int{300_000}, 200_000, []int{200_000}},
		{[]int{100_000, 100_000}, 200_000, []int{100_000, 100_000}},
		{[]int{100_000, 100_001}, 200_000, []int{100_000, 100_000}},
	} {
		l := Qwen()
		l.Batch = tt.budget
		p, _ := newPipeline(t, l)
		// Bounded one by one without a batch budget, so that only the sharing is seen.
		l.Batch = Unlimited
		loose, _ := newPipeline(t, l)
		got := sizes(p.Batch(t.Context(), bound(loose, "read_file", tt.lengths...)...))
		for i, n := range got {
			if n > tt.want[i] || n < tt.want[i]-6 { // the mark leaves room for the digits of the whole size
				t.Errorf("%v in %d: got %v, want %v", tt.lengths, tt.budget, got, tt.want)
				break
			}
		}
	}
}

// spec: OFF-8
func TestBatchUnderStrictOffloadsLargestFirst(t *testing.T) {
	for _, tt := range []struct {
		lengths []int
		budget  int
		want    string
	}{
		{[]int{100_000, 100_000}, 200_000, "kept kept"},
		{[]int{100_000, 100_001}, 200_000, "kept stubbed"},
		{[]int{100_001, 100_001}, 200_000, "stubbed kept"},
		{[]int{5_000, 90_000, 60_000, 100}, 100_000, "kept stubbed kept kept"},
		{[]int{5_000, 90_000, 60_000, 100}, 60_000, "kept stubbed stubbed kept"},
		{[]int{100, 5, 100, 1}, 57, "trimmed kept trimmed kept"}, // no stub is shorter than these
		{[]int{100, 100}, 0, "trimmed trimmed"},
		{nil, 0, ""},
		// field reports O013 and O014
		{[]int{49_000, 49_000, 49_000, 49_000}, 120_000, "stubbed stubbed kept kept"},
		{[]int{30_000, 30_000, 30_000}, 60_000, "stubbed stubbed kept"},
	} {
		l := Strict()
		l.Batch = Unlimited
		loose, store := newPipeline(t, l)
		l.Batch = tt.budget
		p, err := New(l, WithStore(store))
		if err != nil {
			t.Fatal(err)
		}
		before := bound(loose, "read_file", tt.lengths...)
		m := p.Batch(t.Context(), before...)
		var states []string
		for i, r := range m.Results() {
			states = append(states, r.State().String())
			if r.State() == Kept && r.Text() != before[i].Text() || r.Call().ID != before[i].Call().ID {
				t.Errorf("%v in %d: result %d is another one", tt.lengths, tt.budget, i)
			}
			if ref, ok := r.Artifact(); ok && content(t, store, ref) != before[i].Text() {
				t.Errorf("%v in %d: the artifact of result %d is another text", tt.lengths, tt.budget, i)
			}
		}
		if got := strings.Join(states, " "); got != tt.want {
			t.Errorf("%v in %d: %s, want %s", tt.lengths, tt.budget, got, tt.want)
		}
		if n := sum(sizes(m)); n > tt.budget {
			t.Errorf("%v in %d: %d units", tt.lengths, tt.budget, n)
		}
		if n := len(strings.Fields(strings.ReplaceAll(tt.want, "kept", ""))); store.Len() != n {
			t.Errorf("%v in %d: %d artifacts for %d results that were cut", tt.lengths, tt.budget, store.Len(), n)
		}
	}
}

// The fault: the batch pass skips what carries a marker, and wraps what was bounded before into a second notice.
//
// spec: OFF-5, OFF-8
func TestFaultBatchCountsAndShortensBoundedResults(t *testing.T) {
	p, store := newPipeline(t, limits(func(l *Limits) { l.Batch = 30_000 }))
	before := bound(p, "ls", 60_000, 27_000, 26_000, 26_000)
	if n := store.Len(); n != 4 {
		t.Fatalf("%d artifacts", n)
	}
	m := p.Batch(t.Context(), before...)
	for i, r := range m.Results() {
		if err := checkResult(p, store, output("ls", strings.Repeat(string(rune('a'+i)), []int{60_000, 27_000, 26_000, 26_000}[i])), r); err != nil {
			t.Errorf("result %d: %v", i, err)
		}
	}
	if n := sum(sizes(m)); n > 30_000 {
		t.Errorf("%d units", n)
	}
	if n := store.Len(); n != 4 {
		t.Errorf("%d artifacts after the batch: something was saved twice", n)
	}
}

// The fault: what the batch cuts from hook text is in no artifact, and pointers are cut before previews.
//
// spec: OFF-8, OFF-9
func TestFaultPointersAreTheLastToGo(t *testing.T) {
	for budget := range 900 {
		l := limits(func(l *Limits) { l.Batch = budget })
		p, store := newPipeline(t, l)
		hook := strings.Repeat("hook ", 60)
		var before []Result
		for i := range 3 {
			out := output("ls", strings.Repeat("line\n", 100*(i+1)))
			out.Metadata = []string{hook}
			before = append(before, p.Bound(t.Context(), out))
		}
		m := p.Batch(t.Context(), before...)
		if n := sum(sizes(m)); n > budget {
			t.Fatalf("%d units in a budget of %d", n, budget)
		}
		pointers, room := 0, 0
		for _, r := range m.Results() {
			ref, ok := r.Artifact()
			if !ok {
				continue
			}
			room += text.UTF16.Count(ref.Locator)
			if strings.Contains(r.Text(), ref.Locator) {
				pointers++
			}
			if meta, ok := r.MetadataArtifact(); ok && content(t, store, meta) != hook {
				t.Fatalf("budget %d: the hook text cannot be read back", budget)
			}
		}
		if budget >= room && pointers != 3 && room > 60 {
			t.Fatalf("budget %d has room for the pointers of %d units, and %d of 3 are whole: %v", budget, room, pointers, sizes(m))
		}
	}
}

// spec: OFF-8
func TestBatchWithinItsBudgetChangesNothing(t *testing.T) {
	p, store := newPipeline(t, Strict())
	before := bound(p, "read_file", 100_000, 99_000, 1_000)
	for i, r := range p.Batch(t.Context(), before...).Results() {
		if r.Text() != before[i].Text() || r.State() != Kept {
			t.Errorf("result %d: %v", i, r.State())
		}
	}
	if store.Len() != 0 {
		t.Errorf("%d artifacts", store.Len())
	}
}

// spec: OFF-8
func TestBatchBoundsMetadataOfEmptyResults(t *testing.T) {
	p, store := newPipeline(t, limits(func(l *Limits) { l.Batch = 60_000 }))
	out := Output{Call: Call{ID: "1", Tool: "ls"}, Metadata: []string{strings.Repeat("h", 40_000)}}
	a, b := p.Bound(t.Context(), out), p.Bound(t.Context(), out)
	m := p.Batch(t.Context(), a, b)
	if got := sizes(m); sum(got) > 60_000 || sum(got) < 59_900 {
		t.Errorf("sizes %v", got)
	}
	if store.Len() != 2 {
		t.Errorf("%d artifacts: the two texts that were cut", store.Len())
	}
}

// spec: OFF-1
func TestBatchTakesResultsOfSubAgentsUnderItsOwnLimits(t *testing.T) {
	agent, _ := newPipeline(t, limits(func(l *Limits) { l.Threshold = Unlimited }))
	p, store := newPipeline(t, Strict())
	out := output("ls", strings.Repeat("x", 150_000))
	r := p.Batch(t.Context(), agent.Bound(t.Context(), out)).Results()[0]
	if err := checkResult(p, store, out, r); err != nil || r.State() != Stubbed {
		t.Errorf("%v with %d units: %v", r.State(), r.Size(), err)
	}
}

// spec: UNI-1
func TestBatchMeasuresInItsOwnUnit(t *testing.T) {
	l := Strict()
	loose, _ := newPipeline(t, l)
	l.Unit, l.Batch = text.Bytes, 40_000
	p, _ := newPipeline(t, l)
	m := p.Batch(t.Context(), loose.Bound(t.Context(), output("ls", strings.Repeat("語", 20_000))))
	if r := m.Results()[0]; len(r.Text()) > 40_000 || r.State() == Kept {
		t.Errorf("%d bytes, %v", len(r.Text()), r.State())
	}
}

// spec: OFF-8
func TestBatchBoundsPlaceholders(t *testing.T) {
	for budget := range 400 {
		p, _ := newPipeline(t, limits(func(l *Limits) { l.Batch = budget }))
		long := strings.Repeat("long-name-", 4) // as much as a name takes of a locator
		ref, ok := p.Bound(t.Context(), output(long, strings.Repeat("x", 40_000))).Artifact()
		if budget >= 100 && !ok {
			t.Fatal("no artifact")
		}
		plain, located := p.Import(t.Context(), output("ls", ClearedText)), p.Import(t.Context(), output("ls", Placeholder(ref.Locator)))
		m := p.Batch(t.Context(), plain, located)
		if sum(sizes(m)) > budget {
			t.Errorf("%v in %d", sizes(m), budget)
		}
		if got := m.Results()[1].Text(); budget > 150 && !strings.Contains(got, ref.Locator) {
			t.Errorf("budget %d: the locator is gone: %q", budget, got)
		}
	}
}

// distant is a store whose locators are long.
type distant struct {
	spill.Memory
	prefix string
}

func (d *distant) Save(ctx context.Context, req spill.Request) (spill.Ref, error) {
	ref, err := d.Memory.Save(ctx, req)
	ref.Locator = d.prefix + ref.Locator
	return ref, err
}

// Where all pointers fit, all of them are whole, those of the metadata included, however long they are.
//
// spec: OFF-8
func TestPointersOfBodyAndMetadataAreCutLast(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	fit, cut := 0, 0
	for range 3_000 {
		pad := []int{0, 1, 50, 110, 300}[random.IntN(5)]
		p, err := New(limits(func(l *Limits) { l.Batch = Unlimited }), WithStore(&distant{prefix: strings.Repeat("p", pad)}))
		if err != nil {
			t.Fatal(err)
		}
		var before []Result
		for i := range 1 + random.IntN(4) {
			out := Output{Call: Call{ID: fmt.Sprint(i), Tool: "ls"}, Text: strings.Repeat("y", []int{0, 3, 26, 180, 400, 5_000}[random.IntN(6)])}
			if n := []int{0, 21, 70, 130, 900}[random.IntN(5)]; n > 0 {
				out.Metadata = []string{strings.Repeat("m", n)}
			}
			before = append(before, p.Bound(t.Context(), out))
		}
		total := 0
		for _, r := range before {
			total += r.Size()
		}
		batch := random.IntN(total + 1)
		tight, err := New(limits(func(l *Limits) { l.Batch = batch }), WithStore(p.stores...))
		if err != nil {
			t.Fatal(err)
		}
		for i := range before {
			before[i].by = tight // within its limits but for the batch
		}
		m := tight.Batch(t.Context(), before...).Results()
		room := 0
		broken := ""
		need := func(shown string, units int, ref spill.Ref, saved bool, whole int) {
			if !saved {
				room += units
				return
			}
			// A text that is shorter than its pointer needs only itself.
			room += min(whole, len(ref.Locator))
			if len(ref.Locator) <= whole && !strings.Contains(shown, ref.Locator) || len(ref.Locator) > whole {
				broken = shown
			}
		}
		for i, r := range m {
			ref, ok := r.Artifact()
			need(r.Body(), r.BodySize(), ref, ok, before[i].BodySize())
			ref, ok = r.MetadataArtifact()
			need(r.Metadata(), r.MetadataSize(), ref, ok, before[i].MetadataSize())
			room += before[i].sep()
		}
		if n := sum(sizes(Message{tight, m})); n > batch {
			t.Fatalf("%d units in a budget of %d", n, batch)
		}
		if room > batch {
			cut++
			continue
		}
		fit++
		if broken != "" {
			t.Fatalf("budget %d has room for the %d units of all pointers, and there is %q of one of %d: %v", batch, room, broken, pad, sizes(Message{tight, before}))
		}
	}
	if fit < 500 || cut < 100 {
		t.Errorf("%d cases with room, %d without: the cases are too much alike", fit, cut)
	}
}

// A body that is shorter than its pointer is not traded for a part of one.
//
// spec: OFF-8
func TestSqueezeKeepsABodyThatIsShorterThanItsPointer(t *testing.T) {
	for _, n := range []int{100, 200, 320, 400} {
		p, err := New(limits(func(l *Limits) { l.Batch = 1_000 }), WithStore(&distant{prefix: strings.Repeat("p", 300)}))
		if err != nil {
			t.Fatal(err)
		}
		body := strings.Repeat("y", n)
		r := p.Bound(t.Context(), Output{Call: Call{ID: "1", Tool: "ls"}, Text: body, Metadata: []string{strings.Repeat("m", 900)}})
		ref, saved := r.Artifact()
		if r.Size() > 1_000 || r.Body() != body && !strings.Contains(r.Body(), ref.Locator) || saved != (n > 320) {
			t.Errorf("%d units: %v, %d units in all, body %.20q", n, r.State(), r.Size(), r.Body())
		}
	}
}

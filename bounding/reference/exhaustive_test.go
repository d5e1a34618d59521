package reference_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boundcheck/boundcheck/bounding/reference"
)

// scopeTexts are the texts of the small scope: short, marked, long in bytes of one and of four, of odd length, longer as
// JSON than as text. A mark takes about 35 bytes, so that long texts can be cut in several ways and short ones in none.
var scopeTexts = []string{"a", rep(40, "x"), rep(20, "\x1f") + "é", "\ufeff<é>", rep(11, "😀"), rep(38, "x") + "é"}

// scope calls yield with every capture of up to n messages with these texts, in each role, and budgets for it.
func scope(n int, texts []string, yield func(reference.Capture, []int) bool) {
	var symbols []reference.Message
	for _, t := range texts {
		symbols = append(symbols,
			reference.Message{Role: reference.RoleUser, Text: t},
			reference.Message{Role: reference.RoleAssistant, Text: t},
			reference.Message{Role: reference.RoleUser, Text: t, Checkpoint: true})
	}
	o := oracle{plainCuts: true}
	var grow func(c reference.Capture) bool
	grow = func(c reference.Capture) bool {
		if !yield(c, o.budgets(c, len(c.Messages) < n)) {
			return false
		}
		for _, m := range symbols {
			if len(c.Messages) == n {
				break
			}
			next := c
			next.Messages = append(c.Messages[:len(c.Messages):len(c.Messages)], m)
			if !grow(next) {
				return false
			}
		}
		return true
	}
	grow(reference.Capture{SessionID: "s", Label: "é", ThroughSeq: new(int64(7))})
}

// budgets are all that make a difference, or else those around the borders of the decisions: the whole, what is left after
// each removal, what is left with all texts empty.
func (o oracle) budgets(c reference.Capture, all bool) []int {
	drafts := make([]draft, len(c.Messages))
	for i, m := range c.Messages {
		drafts[i] = draft{Message: m, original: m.Text}
	}
	var list []int
	full := len(o.render(c, drafts))
	if all {
		for b := len(o.render(c, nil)) - 2; b <= full+2; b++ {
			list = append(list, b)
		}
		return list
	}
	around := func(size int) { list = append(list, size-1, size, size+1) }
	around(full)
	for i := o.drop(drafts); i >= 0; i = o.drop(drafts) {
		drafts = slices.Delete(drafts, i, i+1)
		around(len(o.render(c, drafts)))
	}
	list = append(list, len(o.render(c, drafts))-20)
	for i := range drafts {
		drafts[i].Text = ""
	}
	around(len(o.render(c, drafts)))
	around(len(o.render(c, drafts)) + 36)
	slices.Sort(list)
	return slices.Compact(list)
}

// compare returns what is different between two results of Preview.
func compare(want reference.Preview, wantErr error, got reference.Preview, err error) string {
	if (wantErr != nil) != errors.Is(err, reference.BudgetExceeded) || (wantErr == nil) != (err == nil) {
		return fmt.Sprintf("error %v, want %v", err, wantErr)
	}
	if want == got {
		return ""
	}
	return cmp.Diff(want, got)
}

// spec: REF-2, REF-3
func TestSmallScope(t *testing.T) {
	o := oracle{plainCuts: true}
	cases := 0
	run := func(c reference.Capture, budgets []int) bool {
		for _, b := range budgets {
			want, wantErr := o.preview(c, b)
			got, err := c.Preview(b)
			if diff := compare(want, wantErr, got, err); diff != "" {
				t.Fatalf("budget %d, %+v: %s", b, c.Messages, diff)
			}
			cases++
		}
		return true
	}
	scope(2, scopeTexts, run)
	scope(3, scopeTexts[:3], run)
	t.Logf("%d cases", cases)
}

// Every wrong implementation differs from the right one somewhere in the small scope.
func TestSmallScopeTellsWrongImplementations(t *testing.T) {
	for _, fault := range faults {
		wrong := oracle{fault: fault, plainCuts: true}
		found := ""
		look := func(c reference.Capture, budgets []int) bool {
			for _, b := range budgets {
				want, wantErr := wrong.preview(c, b)
				got, err := c.Preview(b)
				if compare(want, wantErr, got, err) != "" {
					found = fmt.Sprintf("%d messages, budget %d", len(c.Messages), b)
					return false
				}
			}
			return true
		}
		scope(2, scopeTexts, look)
		if found == "" {
			scope(3, scopeTexts[:3], look)
		}
		if found == "" {
			t.Errorf("nothing tells an implementation that %q from the right one", fault)
		}
	}
}

// A fragment ends at 64 code points, whatever stands at the border. spec: REF-6
func TestSmallScopeOfFragments(t *testing.T) {
	alphabet := []string{"a", "é", "😀", "\n", `"`, "\x00", "\xff", "\u2028"}
	var grow func(tail string, n int)
	grow = func(tail string, n int) {
		for _, lead := range []int{0, 1, 46, 61, 62, 63, 64, 126} {
			original := rep(lead, "x") + tail
			if original == "" {
				continue
			}
			c := capture("s", 1, userText(original, "last")...)
			transcript := c.Transcript()
			fail(t, fragmentsOf(transcript))
			back, err := reference.ParseTranscript(transcript)
			if diff := cmp.Diff(c, back); err != nil || diff != "" {
				t.Fatalf("%q: %v %s", original, err, diff)
			}
		}
		if n > 0 {
			for _, s := range alphabet {
				grow(tail+s, n-1)
			}
		}
	}
	grow("", 3)
}

package reference_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boundcheck/boundcheck/bounding/reference"
)

// FuzzPreview reads a recipe, so that texts get long, and a budget near a border of what it makes.
func FuzzPreview(f *testing.F) {
	for i := range pieces {
		p := byte(i)
		f.Add([]byte{1, 4, p, 2, 8, p, 3, 10, p, 1, 5, p}, uint16(i), int8(i), i%2 == 0)
		f.Add([]byte{1, 14, p, 5, 3, 0}, uint16(3), int8(40), true)
	}
	f.Add([]byte{}, uint16(0), int8(0), true)
	f.Fuzz(func(t *testing.T, recipe []byte, border uint16, off int8, same bool) {
		recipe = recipe[:min(len(recipe), 60)]
		if same {
			recipe = short(recipe[:min(len(recipe), 9)])
		}
		c := build(recipe)
		budget := aim{border, off}.budget(c)
		p, err := c.Preview(budget)
		fail(t, lawful(t, c, budget, p, err))
		if same {
			want, wantErr := oracle{}.preview(c, budget)
			fail(t, compare(want, wantErr, p, err))
		}
	})
}

// FuzzText previews one message of any text.
func FuzzText(f *testing.F) {
	for i, s := range pieces {
		f.Add(rep(20, s), uint16(110+i))
	}
	f.Fuzz(func(t *testing.T, s string, budget uint16) {
		if len(s) > 2000 {
			return
		}
		c := capture("s", 0, userText(s)...)
		p, err := c.Preview(int(budget))
		fail(t, lawful(t, c, int(budget), p, err))
		want, wantErr := oracle{}.preview(c, int(budget))
		fail(t, compare(want, wantErr, p, err))
	})
}

func FuzzTranscript(f *testing.F) {
	for i, s := range pieces {
		f.Add(rep(63, "x")+s, rep(40, s), "/"+s, i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, one, two, cwd string, hasSeq bool) {
		s := reference.Snapshot{CWD: cwd, Events: append(userText(one), event(reference.Assistant, textPart(two)))}
		if hasSeq {
			s.ThroughSeq = new(int64(-len(one)))
		}
		fail(t, roundTrip(reference.Project(reference.Citation{SessionID: two, Label: one}, s)))
	})
}

// FuzzParseTranscript: what is accepted says what it reads, and rendering that is stable.
func FuzzParseTranscript(f *testing.F) {
	f.Add(capture("s", 0, userText("one", "two\xff")...).Transcript())
	f.Add(reference.Project(loaderFixture()).Transcript())
	f.Add("")
	f.Fuzz(func(t *testing.T, transcript string) {
		c, err := reference.ParseTranscript(transcript)
		if err != nil {
			return
		}
		if len(c.Messages) > strings.Count(transcript, "\n### Message ") {
			t.Fatalf("%d messages of %q", len(c.Messages), transcript)
		}
		fail(t, roundTrip(c))
	})
}

func FuzzReplay(f *testing.F) {
	source := sourceOf(map[string][]reference.Event{"s": userText("old", rep(300, "large"))})
	c, err := preparer(f, 180, source).Prepare(f.Context(), "target", cite("s"))
	if err != nil {
		f.Fatal(err)
	}
	recorded, err := json.Marshal(c)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(recorded)
	f.Add([]byte(`{"kind":"session-reference","form":"recall","version":1}`))
	f.Fuzz(func(t *testing.T, recorded []byte) {
		c, err := reference.Replay(recorded)
		if err != nil {
			return
		}
		again, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		back, err := reference.Replay(again)
		if err != nil {
			t.Fatal(err)
		}
		fail(t, cmp.Diff(c, back))
	})
}

// FuzzNormalize surrounds a locator in any layers of JSON by any text: only it changes, and only once.
func FuzzNormalize(f *testing.F) {
	f.Add(`C:\work \d+\w "bytes":1234 `, ". Use read", uint8(1), uint8(0))
	f.Add(`at:\n`, `"`, uint8(2), uint8(1))
	f.Add("", "/x", uint8(0), uint8(2))
	f.Add("x", ".", uint8(0), uint8(3))
	f.Add("file://", "\\", uint8(0), uint8(0))
	f.Fuzz(func(t *testing.T, before, after string, layers, shape uint8) {
		root := []string{"/tmp/spill", `C:\spill`, "{{cwd}}/.spill", "/t/a<b"}[shape%4]
		separator := []string{"/", `\`}[shape/4%2]
		locator := root + strings.ReplaceAll(artifactPath, "|", separator)
		n := normalizer(t, root)

		once := n.Normalize(before + locator + after)
		if twice := n.Normalize(once); twice != once {
			t.Fatalf("%q, then %q", once, twice)
		}
		if strings.Contains(before+after, "session-") {
			return
		}
		if clean := n.Normalize(before + after); clean != before+after {
			t.Fatalf("without a locator: %q for %q", clean, before+after)
		}
		// In quotes of its own a locator is always one, and all else stays.
		depth := int(layers % 3)
		before, after = inJSON(t, before, depth), inJSON(t, after, depth)
		quoted := func(s string) string {
			if depth == 0 {
				return `"` + s + `"`
			}
			return inJSON(t, s, depth)
		}
		want := before + quoted("{{spillLocator:session-reference-1.txt}}") + after
		if got := n.Normalize(before + quoted(locator) + after); got != want {
			t.Fatalf("%q becomes %q, want %q", before+quoted(locator)+after, got, want)
		}
	})
}

package reference_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/boundcheck/boundcheck/bounding/reference"
)

// rep is strings.Repeat with the count first, as in 300 emoji.
func rep(n int, s string) string { return strings.Repeat(s, n) }

func userText(texts ...string) []reference.Event {
	var events []reference.Event
	for _, t := range texts {
		events = append(events, reference.Event{Kind: reference.User, Parts: reference.TextParts(t)})
	}
	return events
}

func event(kind reference.Kind, parts ...reference.Part) reference.Event {
	return reference.Event{Kind: kind, Parts: parts}
}

func textPart(s string) reference.Part {
	return reference.Part{Kind: reference.TextPart, Text: s}
}

func otherPart(s string) reference.Part { return reference.Part{Text: s} }

// capture is what a read of a session with these events gives.
func capture(id string, seq int64, events ...reference.Event) reference.Capture {
	return reference.Project(reference.Citation{SessionID: id}, reference.Snapshot{Events: events, ThroughSeq: &seq})
}

// loaderFixture is the session of the known transcript.
func loaderFixture() (reference.Citation, reference.Snapshot) {
	early := "EARLY_SOURCE_FACT\n" + rep(30, "Historical detail 界.\n") + rep(4096, "x") + "GIANT_LINE_MIDDLE_FACT" + rep(4096, "y")
	return reference.Citation{SessionID: "reference-source", Label: "Research"}, reference.Snapshot{
		ThroughSeq: new(int64(2)),
		Events: []reference.Event{
			event(reference.User, textPart(early)),
			event(reference.Other, textPart("a nested reference")),
			event(reference.Assistant, otherPart("reasoning"), textPart("LATEST_SOURCE_FACT\nThe captured answer is forty-two.")),
		},
	}
}

// shown is a preview as a model reads it.
type shown struct {
	SessionID          string
	Label              string
	CWD                *string
	CapturedThroughSeq *int64
	Conversation       []struct{ Role, Text string }
}

func decode(t testing.TB, p reference.Preview) shown {
	t.Helper()
	var s shown
	d := json.NewDecoder(strings.NewReader(p.JSON))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		t.Fatalf("%v in %.200s", err, p.JSON)
	}
	return s
}

// texts are the texts of a preview.
func texts(t testing.TB, p reference.Preview) []string {
	t.Helper()
	var list []string
	for _, m := range decode(t, p).Conversation {
		list = append(list, m.Text)
	}
	return list
}

func check(t *testing.T, runs int, condition any, gens ...gopter.Gen) {
	t.Helper()
	params := gopter.DefaultTestParametersWithSeed(1)
	params.MinSuccessfulTests = runs
	properties := gopter.NewProperties(params)
	properties.Property(t.Name(), prop.ForAll(condition, gens...))
	properties.TestingRun(t)
}

func fail(t *testing.T, problem string) {
	t.Helper()
	if problem != "" {
		t.Fatal(problem)
	}
}

// brief is a value for a failure message.
func brief(v any) string { return fmt.Sprintf("%.300q", fmt.Sprint(v)) }

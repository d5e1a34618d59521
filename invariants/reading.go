package invariants

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// reading is an artifact that was read to its end.
type reading struct {
	*trace.Event
	of        int
	got, want string
}

// readings returns the artifacts that were read from their beginning to their end, with what must be in them.
func readings(t *trace.Trace) []reading {
	var list []reading
	for i := range t.Events {
		e := &t.Events[i]
		if e.Op != scenario.Page || e.Err != nil || e.Broken != nil || e.Skipped || len(e.Pages) == 0 || e.Pages[0].Offset != 0 {
			continue
		}
		var b strings.Builder
		for _, p := range e.Pages {
			b.Write(p.Data)
		}
		if last := e.Pages[len(e.Pages)-1]; last.Expired || last.Next < last.Total {
			continue
		}
		made := t.Made[e.Of[0]]
		if len(made.Output.Metadata) > 0 || joined(&made.Output) {
			continue // the artifact may be that of the metadata, and texts may be joined in many ways
		}
		list = append(list, reading{e, e.Of[0], b.String(), rawText(&made.Output)})
	}
	return list
}

// transcript is what was stored for a reference that leaves something out.
type transcript struct {
	*trace.Event
	item    subject.Reference
	content string
	events  []scenario.Event // of the session that is cited, those that are shown
}

// transcripts returns the transcripts that the run read back.
func transcripts(t *trace.Trace) []transcript {
	var list []transcript
	for i := range t.Events {
		e := &t.Events[i]
		if e.Op != scenario.Reference || e.Err != nil || e.Broken != nil || e.Skipped {
			continue
		}
		step := t.Scenario.Steps[e.Step]
		for _, item := range e.References.Items {
			if content, ok := e.Transcripts[item.Saved.Locator]; ok && item.Saved.Outcome == bounding.Saved {
				list = append(list, transcript{e, item, content, eventsOf(step, item.SessionID)})
			}
		}
	}
	return list
}

// eventsOf returns the events of a session that a reference may show: those with text, of the user, the model or compaction.
func eventsOf(s scenario.Step, session string) []scenario.Event {
	var list []scenario.Event
	for _, source := range s.Sources {
		if source.Session != session {
			continue
		}
		for _, e := range source.Events {
			if e.Text.Len() > 0 && (e.Kind == "user" || e.Kind == "assistant" || e.Kind == "checkpoint") {
				list = append(list, e)
			}
		}
		return list
	}
	return nil
}

// maxFragment is the most code points on one line of a transcript.
const maxFragment = 64

func checkFragments(t *trace.Trace, v *Verdict) {
	for _, tr := range transcripts(t) {
		var want strings.Builder
		valid := true
		for _, e := range tr.events {
			s := e.Text.String()
			valid = valid && utf8.ValidString(s)
			want.WriteString(s)
			if utf8.RuneCountInString(s) > maxFragment {
				v.Saw("a message of several fragments")
			}
			if strings.ContainsAny(s, "\r\n\"") {
				v.Saw("a message with line ends and quotes")
			}
		}
		if !valid {
			continue // its fragments are in another form
		}
		var got strings.Builder
		for line := range strings.Lines(tr.content) {
			var fragment string
			if !strings.HasPrefix(line, `"`) {
				continue
			}
			if err := json.Unmarshal([]byte(line), &fragment); err != nil {
				v.Failf("step %d: the line %q of the transcript of %s is no JSON string", tr.Step, quoted(line), tr.item.SessionID)
				continue
			}
			if n := utf8.RuneCountInString(fragment); n > maxFragment {
				v.Failf("step %d: a fragment of the transcript of %s has %d code points, and may have %d", tr.Step, tr.item.SessionID, n, maxFragment)
			}
			got.WriteString(fragment)
		}
		if got.String() != want.String() {
			v.Failf("step %d: the fragments of the transcript of %s are %d bytes put together, and the messages are %d, or others",
				tr.Step, tr.item.SessionID, got.Len(), want.Len())
		}
	}
}

// transcriptCases are references of messages that do not fit, of everything that is hard to quote.
func transcriptCases() supply {
	var list []*script
	for _, piece := range []string{"x", "é", "😀", "a\r\n", "\"", "\x00", "\u2028", "<&>\\"} {
		for _, n := range []int{1, 63, 64, 65, 300} {
			s := scripted(scenario.Scaled())
			list = append(list, s.step(scenario.Step{Op: scenario.Reference, Budget: 200, Sources: []scenario.Source{{Session: "cited", Label: "a",
				Events: []scenario.Event{{Kind: "user", Text: scenario.Of(300, "first ")}, {Kind: "assistant", Text: scenario.Of(n, piece)}, {Kind: "other", Text: scenario.Of(9, "secret")}}}}}))
		}
	}
	return scripts(list...)
}

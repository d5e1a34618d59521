package invariants

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// refs is about messages that show other sessions.
var refs = []Invariant{
	{
		ID: "REF-1", Level: Must, Requirement: "REF-1", Needs: []string{subject.CapReference},
		Statement: "Each cited session is read once.",
		Witnesses: []string{"two sessions", "a session cited twice"},
		check:     checkReads, cases: referenceCases(),
	},
	{
		ID: "REF-2", Level: Must, Requirement: "REF-1", Needs: []string{subject.CapReference},
		Statement: "What the user and the model wrote and what compaction summed up is shown, and nothing else of a session, neither in the message nor in the transcript.",
		Witnesses: []string{"other events", "a message that is shown"},
		check:     checkProjection, cases: referenceCases(),
	},
	{
		ID: "REF-3", Level: Must, Requirement: "REF-4", Needs: []string{subject.CapReference},
		Statement: "A session that fits is shown in full, with no notice and no artifact.",
		Witnesses: []string{"a session that fits"},
		check:     checkFits, cases: referenceCases(),
	},
	{
		ID: "REF-4", Level: Must, Requirement: "REF-3", Needs: []string{subject.CapReference},
		Statement: "What is shown and what is said to be omitted are together what was captured, in messages and in bytes.",
		Witnesses: []string{"messages omitted", "a message shortened", "nothing omitted"},
		check:     checkAccount, cases: referenceCases(),
	},
	{
		ID: "REF-5", Level: Must, Requirement: "REF-2 REF-5", Needs: []string{subject.CapReference},
		Statement: "A preview is one JSON object within its budget in bytes; what is omitted has its notice beside it, however small the budget; preparing returns.",
		Witnesses: []string{"a preview within 8 bytes of its budget", "a budget that nothing fits"},
		check:     checkPreview, cases: referenceCases(),
	},
	{
		ID: "REF-6", Level: Must, Requirement: "REF-5 OFF-10", Needs: []string{subject.CapReference},
		Statement: "The notice of what is omitted has the pointer to all of it, or says whether there is no store or it failed.",
		Witnesses: []string{"a transcript that was saved", "a transcript that could not be saved"},
		check:     checkNotice, cases: referenceCases(),
	},
	{
		ID: "REF-7", Level: Must, Requirement: "REF-4", Needs: []string{subject.CapReference, subject.CapSpill},
		Statement: "The transcript belongs to the session that is shown the reference.",
		Witnesses: []string{"a transcript that was saved"},
		check:     checkOwner, cases: referenceCases(),
	},
	{
		ID: "REF-8", Level: Must, Requirement: "REF-6", Needs: []string{subject.CapReference, subject.CapSpill},
		Statement: "Message and transcript have the same warning that what follows is not to be trusted, and the transcript says of which format it is.",
		Witnesses: []string{"a transcript that was saved"},
		check:     checkWarning, cases: referenceCases(),
	},
	{
		ID: "REF-9", Level: Must, Requirement: "REF-7", Needs: []string{subject.CapReference},
		Statement: "A preparation that is cancelled publishes nothing.",
		Witnesses: []string{"a cancelled preparation"},
		check:     checkUnpublished, cases: referenceCases(),
	},
	{
		ID: "REF-10", Level: Must, Requirement: "REF-7", Needs: []string{subject.CapReference, subject.CapReplay},
		Statement: "Showing recorded references again gives the same text, reads nothing, and saves nothing.",
		Witnesses: []string{"references with a transcript, again"},
		check:     checkReplay, cases: referenceCases(),
	},
	{
		ID: "REF-11", Level: Must, Requirement: "REF-1 REF-2", Needs: []string{subject.CapReference},
		Statement: "References do not touch each other: in another order, each is what it was.",
		Witnesses: []string{"two references the other way round"},
		relation:  &relation{citedOtherWayRound, sameReferences}, cases: referenceCases(),
	},
}

// reference is one preparation that succeeded.
type preparation struct {
	*trace.Event
	step scenario.Step
}

func preparations(t *trace.Trace) func(yield func(preparation) bool) {
	return func(yield func(preparation) bool) {
		for i := range t.Events {
			e := &t.Events[i]
			if e.Op == scenario.Reference && !e.Skipped && e.Err == nil && e.Broken == nil && !yield(preparation{e, t.Scenario.Steps[e.Step]}) {
				return
			}
		}
	}
}

func checkReads(t *trace.Trace, v *Verdict) {
	for p := range preparations(t) {
		cited := map[string]int{}
		for _, s := range p.step.Sources {
			cited[s.Session]++
		}
		if len(cited) > 1 {
			v.Saw("two sessions")
		}
		for id, times := range cited {
			if times > 1 {
				v.Saw("a session cited twice")
			}
			if n := p.Event.Reads[id]; n != 1 {
				v.Failf("step %d: the session %q was read %d times", p.Event.Step, id, n)
			}
		}
	}
}

// piece is a part of a text that would be known again: its beginning, if that is printable and long enough.
func piece(s string) string {
	const long = 12
	if len(s) < long || !printable(s[:long]) || strings.ContainsAny(s[:long], "\n\"\\<") {
		return ""
	}
	return s[:long]
}

func checkProjection(t *trace.Trace, v *Verdict) {
	for p := range preparations(t) {
		var allowed strings.Builder
		for _, s := range p.step.Sources {
			allowed.WriteString(s.Session + s.Label)
			for _, e := range s.Events {
				if e.Kind != "other" {
					allowed.WriteString(e.Text.String())
				}
			}
		}
		for _, s := range p.step.Sources {
			for _, e := range s.Events {
				known := piece(e.Text.String())
				if known == "" {
					continue
				}
				if shown := strings.Contains(p.References.Text, known); e.Kind != "other" {
					if shown {
						v.Saw("a message that is shown")
					}
					continue
				}
				v.Saw("other events")
				if strings.Contains(allowed.String(), known) {
					continue
				}
				texts := []string{p.References.Text}
				for _, transcript := range p.Transcripts {
					texts = append(texts, transcript)
				}
				if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, known) }) {
					v.Failf("step %d: %q, which neither the user nor the model wrote, is shown of the session %q", p.Event.Step, known, s.Session)
				}
			}
		}
	}
}

func checkFits(t *trace.Trace, v *Verdict) {
	for p := range preparations(t) {
		for _, item := range p.References.Items {
			size := 0
			for _, e := range eventsOf(p.step, item.SessionID) {
				size += 6*e.Text.Len() + 64 // every byte escaped
			}
			if p.step.Budget > 0 && size+6*(len(item.SessionID)+len(item.Label))+300 <= p.step.Budget || p.step.Budget == 0 && size < 60_000 {
				v.Saw("a session that fits")
				if item.OmittedMessages != 0 || item.OmittedBytes != 0 {
					v.Failf("step %d: %d messages and %d bytes of the session %q are omitted from a budget of %d that all of it fits",
						p.Event.Step, item.OmittedMessages, item.OmittedBytes, item.SessionID, p.step.Budget)
				}
			}
			if item.OmittedMessages == 0 && item.OmittedBytes == 0 && (item.Notice != "" || item.Saved.Outcome != bounding.NotNeeded || item.Saved.Locator != "") {
				v.Failf("step %d: nothing of the session %q is omitted, and it has the notice %q and the artifact %q",
					p.Event.Step, item.SessionID, quoted(item.Notice), item.Saved.Locator)
			}
		}
	}
}

// conversation reads the messages of a preview.
func conversation(preview string) ([]string, error) {
	var object struct {
		Conversation []struct {
			Text string `json:"text"`
		} `json:"conversation"`
	}
	err := json.Unmarshal([]byte(preview), &object)
	var texts []string
	for _, m := range object.Conversation {
		texts = append(texts, m.Text)
	}
	return texts, err
}

// ends returns how many bytes of a text are in what is left of it: its beginning at the beginning, and its end somewhere
// behind that. The line about what is missing may stand between them, or after them.
func ends(left, text string) int {
	head := 0
	for head < min(len(left), len(text)) && left[head] == text[head] {
		head++
	}
	rest := left[head:]
	low, high := 0, min(len(rest), len(text)-head)
	for low < high { // an end of an end is there, too
		middle := low + (high-low+1)/2
		if strings.Contains(rest, text[len(text)-middle:]) {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return head + low
}

// firstByte is the beginning of a text by which it is told apart from others.
func firstByte(s string) string { return s[:min(len(s), 1)] }

func checkAccount(t *trace.Trace, v *Verdict) {
	for p := range preparations(t) {
		for _, item := range p.References.Items {
			left, err := conversation(item.Preview)
			events := eventsOf(p.step, item.SessionID)
			if err != nil {
				continue // REF-5 says so
			}
			valid := true
			captured := 0
			for _, e := range events {
				valid = valid && utf8.ValidString(e.Text.String())
				captured += e.Text.Len()
			}
			if !valid {
				continue // invalid bytes are counted as they are shown
			}
			if item.RetainedMessages != len(left) || item.RetainedMessages+item.OmittedMessages != len(events) {
				v.Failf("step %d: of %d messages of %q, %d are shown, and %d are said to be, with %d omitted", p.Event.Step, len(events),
					item.SessionID, len(left), item.RetainedMessages, item.OmittedMessages)
				continue
			}
			begins := map[string]bool{}
			for _, e := range events {
				begins[firstByte(e.Text.String())] = true
			}
			if len(begins) < len(events) {
				continue // what is left of messages that begin alike cannot be told apart
			}
			partly := 0
			for _, l := range left {
				if !slices.ContainsFunc(events, func(e scenario.Event) bool { return e.Text.String() == l }) {
					partly++
				}
			}
			if partly > 1 {
				continue // what is left of several messages cannot be told apart
			}
			// From the newest back: what is left of each message is its own, or the message is omitted.
			kept, slack, j := 0, 0, len(left)-1
			for i := len(events) - 1; i >= 0 && j >= 0; i-- {
				text := events[i].Text.String()
				if left[j] == text {
					kept += len(text)
				} else if slices.ContainsFunc(events[:i], func(e scenario.Event) bool { return e.Text.String() == left[j] }) {
					continue // this one is omitted: what is left is an older one, as a whole
				} else if n := ends(left[j], text); n > 0 || left[j] == "" {
					kept += n
					if left[j] != "" {
						slack += 2 // the line about what is missing begins and ends with newlines
					}
				} else {
					continue
				}
				j--
			}
			if j >= 0 {
				continue // what is left of it may be of any message
			}
			if omitted := captured - kept; item.OmittedBytes < omitted || item.OmittedBytes > omitted+slack {
				v.Failf("step %d: %d of %d bytes of %q are shown, and %d are said to be omitted", p.Event.Step, kept, captured, item.SessionID, item.OmittedBytes)
			}
			switch {
			case item.OmittedMessages > 0:
				v.Saw("messages omitted")
			case item.OmittedBytes > 0:
				v.Saw("a message shortened")
			default:
				v.Saw("nothing omitted")
			}
			if (item.OmittedMessages > 0 || item.OmittedBytes > 0) != (item.Notice != "") {
				v.Failf("step %d: %d messages and %d bytes of %q are omitted, and the notice is %q", p.Event.Step, item.OmittedMessages, item.OmittedBytes,
					item.SessionID, quoted(item.Notice))
			}
		}
	}
}

func checkPreview(t *trace.Trace, v *Verdict) {
	for _, e := range t.Events {
		if (e.Op == scenario.Reference || e.Op == scenario.Replay) && e.Broken != nil && !diskPanicked(e) {
			v.Failf("step %d: %s did not return: %s: %s", e.Step, e.Op, e.Broken.Kind, firstLine(e.Broken.Detail))
			return
		}
		if e.Op == scenario.Reference && !e.Skipped && e.Err != nil && t.Scenario.Steps[e.Step].Budget > 0 && t.Scenario.Steps[e.Step].Budget < 60 {
			v.Saw("a budget that nothing fits")
		}
	}
	for p := range preparations(t) {
		for _, item := range p.References.Items {
			if b := p.step.Budget; b > 0 {
				if n := len(item.Preview); n > b {
					v.Failf("step %d: the preview of %q has %d bytes, and its budget is %d", p.Event.Step, item.SessionID, n, b)
				} else if n > b-8 {
					v.Saw("a preview within 8 bytes of its budget")
				}
			}
			if !json.Valid([]byte(item.Preview)) || !strings.HasPrefix(item.Preview, "{") {
				v.Failf("step %d: the preview of %q is no JSON object: %q", p.Event.Step, item.SessionID, quoted(item.Preview))
			}
			if !strings.Contains(p.References.Text, item.Preview) || !strings.Contains(p.References.Text, item.Notice) {
				v.Failf("step %d: the message does not hold the preview and the notice of %q", p.Event.Step, item.SessionID)
			}
		}
	}
}

// diskPanicked reports whether a subject broke because its disk was told to.
func diskPanicked(e trace.Event) bool {
	return e.Broken != nil && e.Broken.Kind == trace.Panicked && strings.Contains(e.Broken.Detail, "faultfs:")
}

func checkNotice(t *trace.Trace, v *Verdict) {
	for p := range preparations(t) {
		for _, item := range p.References.Items {
			if item.Notice == "" {
				continue
			}
			switch item.Saved.Outcome {
			case bounding.Saved:
				v.Saw("a transcript that was saved")
				if l := item.Saved.Locator; l == "" || !strings.Contains(item.Notice, strings.ReplaceAll(l, `\`, `\\`)) {
					v.Failf("step %d: the transcript of %q is saved at %q, which the notice does not say", p.Event.Step, item.SessionID, l)
				}
			case bounding.NoStore, bounding.SaveFailed:
				v.Saw("a transcript that could not be saved")
				if item.Saved.Locator != "" {
					v.Failf("step %d: the transcript of %q is not saved, and has the pointer %s", p.Event.Step, item.SessionID, item.Saved.Locator)
				}
			default:
				v.Failf("step %d: the notice of %q says that the transcript is %v; it may be saved, or there is no store, or it failed",
					p.Event.Step, item.SessionID, item.Saved.Outcome)
			}
		}
	}
}

func checkOwner(t *trace.Trace, v *Verdict) {
	on := failing(t)
	for p := range preparations(t) {
		for _, item := range p.References.Items {
			if item.Saved.Outcome != bounding.Saved || p.Request.Session != trace.Session || on[p.Event.Step] {
				continue
			}
			v.Saw("a transcript that was saved")
			if !slices.ContainsFunc(p.Stored, func(s subject.Stored) bool { return s.Locator == item.Saved.Locator }) {
				v.Failf("step %d: the transcript of %q, %s, is not among the artifacts of the session that is shown it", p.Event.Step, item.SessionID, item.Saved.Locator)
			}
		}
	}
}

func checkWarning(t *trace.Trace, v *Verdict) {
	for _, tr := range transcripts(t) {
		v.Saw("a transcript that was saved")
		before, _, _ := strings.Cut(tr.References.Text, "{")
		warned := false
		for line := range strings.Lines(before) {
			line = strings.TrimSpace(line)
			warned = warned || len(line) >= 40 && strings.Contains(tr.content, line)
		}
		if !warned {
			v.Failf("step %d: the transcript of %q does not have the warning that stands above the previews", tr.Step, tr.item.SessionID)
		}
		if !strings.Contains(strings.ToLower(tr.content), "format") || !strings.Contains(tr.content, itoa(int(tr.item.FormatVersion))) {
			v.Failf("step %d: the transcript of %q does not say that its format is %d", tr.Step, tr.item.SessionID, tr.item.FormatVersion)
		}
	}
}

func checkUnpublished(t *trace.Trace, v *Verdict) {
	for _, e := range t.Events {
		if e.Op != scenario.Reference || e.Skipped || e.Broken != nil || !cancelled(t, e.Step) || len(t.Scenario.Steps[e.Step].Sources) == 0 {
			continue
		}
		v.Saw("a cancelled preparation")
		if e.Err == nil {
			v.Failf("step %d: the preparation was cancelled, and a message of %d bytes is published", e.Step, len(e.References.Text))
		}
	}
}

func checkReplay(t *trace.Trace, v *Verdict) {
	var last *trace.Event
	var stored []subject.Stored
	for i := range t.Events {
		e := &t.Events[i]
		if e.Skipped || e.Broken != nil || e.Err != nil {
			continue
		}
		switch e.Op {
		case scenario.Reference:
			last, stored = e, e.Stored
		case scenario.Call, scenario.Save, scenario.Batch, scenario.Tighten, scenario.Crash, scenario.Sweep:
			stored = e.Stored
		case scenario.Replay:
			if last == nil {
				continue
			}
			if len(last.Transcripts) > 0 {
				v.Saw("references with a transcript, again")
			}
			if e.References.Text != last.References.Text {
				v.Failf("step %d: shown again, the references are %d bytes, and were %d, or others", e.Step, len(e.References.Text), len(last.References.Text))
			}
			if len(e.Stored) > len(stored) && !slices.Contains(failing(t), true) {
				v.Failf("step %d: showing the references again stores something", e.Step)
			}
			if len(e.Reads) > 0 {
				v.Failf("step %d: showing the references again reads the sessions", e.Step)
			}
		}
	}
}

func citedOtherWayRound(s scenario.Scenario) (scenario.Scenario, bool) {
	found := false
	s.Steps = slices.Clone(s.Steps)
	for i := range s.Steps {
		step := &s.Steps[i]
		sessions := map[string]bool{}
		for _, source := range step.Sources {
			sessions[source.Session] = true
		}
		if step.Op == scenario.Reference && len(step.Sources) > 1 && len(sessions) == len(step.Sources) {
			step.Sources = slices.Clone(step.Sources)
			slices.Reverse(step.Sources)
			found = true
		}
	}
	return s, found
}

func sameReferences(a, b *trace.Trace, v *Verdict) {
	on := failing(a)
	others := slices.Collect(preparations(b))
	i := 0
	for p := range preparations(a) {
		if i >= len(others) {
			return
		}
		o := others[i]
		i++
		if on[p.Event.Step] {
			continue // how much was saved before the storage failed depends on the order
		}
		for _, item := range p.References.Items {
			j := slices.IndexFunc(o.References.Items, func(r subject.Reference) bool { return r.SessionID == item.SessionID })
			if len(p.References.Items) > 1 {
				v.Saw("two references the other way round")
			}
			if j < 0 {
				v.Failf("step %d: %q is not shown when it is cited in another order", p.Event.Step, item.SessionID)
			} else if other := o.References.Items[j]; other.Preview != item.Preview || other.OmittedBytes != item.OmittedBytes || other.OmittedMessages != item.OmittedMessages {
				v.Failf("step %d: the preview of %q depends on the order in which sessions are cited", p.Event.Step, item.SessionID)
			}
		}
	}
}

// referenceCases cite sessions that fit, that do not, and that cannot.
func referenceCases() supply {
	var list []*script
	session := func(id string, events ...scenario.Event) scenario.Source {
		return scenario.Source{Session: id, Label: "the session " + id, Events: events}
	}
	said := func(kind string, n int, unit string) scenario.Event {
		return scenario.Event{Kind: kind, Text: scenario.Of(n, unit)}
	}
	short := session("short", said("user", 1, "what is the answer?"), said("assistant", 1, "the answer is 42."))
	long := session("long", said("user", 3, "old question, "), said("checkpoint", 2, "what was said before. "), said("other", 3, "a secret of a tool; "),
		said("assistant", 60, "long answer; "), said("user", 1, "the newest question"))
	emoji := session("emoji", said("user", 300, "😀"))
	lines := session("lines", said("user", 100, "a\r\n"), said("assistant", 50, "<\"&\\>"))
	for _, budget := range []int{0, 40, 140, 180, 200, 300, 500, 1_000, 5_000} {
		for _, sources := range [][]scenario.Source{{short}, {long}, {emoji}, {lines}, {long, short}, {long, emoji, lines}, {long, long}} {
			s := scripted(scenario.Scaled())
			reference := scenario.Step{Op: scenario.Reference, Budget: budget, Sources: sources}
			s.step(reference, scenario.Step{Op: scenario.Replay}, scenario.Step{Op: scenario.Cancel}, reference,
				scenario.Step{Op: scenario.Fault, Program: "(fail EIO (op sync))"}, reference)
			list = append(list, s)
		}
	}
	full := scripted(bounding.Strict())
	full.step(scenario.Step{Op: scenario.Reference, Sources: []scenario.Source{session("x", said("user", 250_000, "x"))}})
	return scripts(append(list, full)...)
}

package reference_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/leanovate/gopter/gen"

	"github.com/boundcheck/boundcheck/bounding/reference"
	"github.com/boundcheck/boundcheck/bounding/text"
)

var mark = regexp.MustCompile(`\n\[… omitted ([1-9][0-9]*) UTF-8 bytes …\]$`)

// lawful checks a preview against the laws alone, without a second implementation. It returns what is wrong.
func lawful(t *testing.T, c reference.Capture, budget int, p reference.Preview, err error) string {
	var drafts []draft
	total := 0
	for _, m := range c.Messages {
		m.Text = text.Clean(m.Text)
		total += len(m.Text)
		drafts = append(drafts, draft{Message: m, original: m.Text})
	}
	// What can go is a row of the oldest ones; what stays when all of it is gone is the floor.
	floor := slices.Clone(drafts)
	for i := (oracle{}).drop(floor); i >= 0; i = (oracle{}).drop(floor) {
		floor = slices.Delete(floor, i, i+1)
	}
	for i := range floor {
		floor[i].Text = ""
	}
	if least := len(oracle{}.render(c, floor)); (least > budget) != errors.Is(err, reference.BudgetExceeded) || (least > budget) != (err != nil) {
		return fmt.Sprintf("%d bytes are needed, the budget is %d, and the error is %v", least, budget, err)
	}
	if err != nil {
		if p != (reference.Preview{}) {
			return "a preview beside an error"
		}
		return ""
	}
	switch {
	case len(p.JSON) > budget:
		return fmt.Sprintf("%d bytes, the budget is %d", len(p.JSON), budget)
	case strings.Contains(p.JSON, "<"):
		return "a < in the JSON"
	case p.OriginalMessages != len(drafts) || p.RetainedMessages+p.OmittedMessages != p.OriginalMessages:
		return fmt.Sprintf("%+v for %d messages", p.Retention, len(drafts))
	case p.OmittedBytes < 0 || p.OmittedBytes > total:
		return fmt.Sprintf("%+v for %d bytes", p.Retention, total)
	case p.Truncated != (p.OmittedMessages > 0 || p.OmittedBytes > 0),
		p.Truncated != (p.JSON != oracle{}.render(c, drafts)):
		return fmt.Sprintf("truncated is %t", p.Truncated)
	}
	s := decode(t, p)
	if len(s.Conversation) != p.RetainedMessages {
		return fmt.Sprintf("%d messages, %d retained", len(s.Conversation), p.RetainedMessages)
	}
	omitted := 0
	for range p.OmittedMessages {
		i := oracle{}.drop(drafts)
		if i < 0 {
			return "a message was removed that must stay"
		}
		omitted += len(drafts[i].Text)
		drafts = slices.Delete(drafts, i, i+1)
	}
	cut := 0
	for i, m := range s.Conversation {
		want := drafts[i].Text
		drafts[i].Text = m.Text
		if m.Role != string(drafts[i].Role) {
			return "a message changed its role"
		}
		if m.Text == want {
			continue
		}
		lost, problem := lostBytes(want, m.Text)
		if problem != "" {
			return problem
		}
		if m.Text != "" {
			cut++
		}
		omitted += lost
	}
	if omitted != p.OmittedBytes || cut > 1 {
		return fmt.Sprintf("%d bytes omitted, %d stated; %d texts cut", omitted, p.OmittedBytes, cut)
	}
	if again := (oracle{}).render(c, drafts); again != p.JSON {
		return fmt.Sprintf("the dialect is another one:\n%s\n%s", p.JSON, again)
	}
	return ""
}

// lostBytes returns how many bytes of a text are not in what is shown of it.
func lostBytes(original, short string) (int, string) {
	if short == "" {
		return len(original), ""
	}
	m := mark.FindStringSubmatchIndex(short)
	if m == nil {
		return 0, fmt.Sprintf("%s is no text with a mark", brief(short))
	}
	kept := short[:m[0]]
	stated, _ := strconv.Atoi(short[m[2]:m[3]])
	if len(kept)+stated != len(original) {
		return 0, fmt.Sprintf("%d bytes kept and %d stated are not %d", len(kept), stated, len(original))
	}
	for h := range len(kept) + 1 {
		if strings.HasPrefix(original, kept[:h]) && strings.HasSuffix(original, kept[h:]) {
			return stated, ""
		}
	}
	return 0, fmt.Sprintf("%s does not consist of two ends", brief(kept))
}

// spec: REF-2, REF-3
func TestPreviewLaws(t *testing.T) {
	check(t, 1500, func(recipe []byte, a aim) string {
		c := build(recipe)
		before := slices.Clone(c.Messages)
		b := a.budget(c)
		p, err := c.Preview(b)
		if diff := cmp.Diff(before, c.Messages); diff != "" {
			return "the capture has changed: " + diff
		}
		return lawful(t, c, b, p, err)
	}, recipes(), aims())
}

// spec: REF-2
func TestPreviewIsTheOracles(t *testing.T) {
	check(t, 150, func(recipe []byte, a aim) string {
		c := build(short(recipe))
		b := a.budget(c)
		want, wantErr := oracle{}.preview(c, b)
		got, err := c.Preview(b)
		return compare(want, wantErr, got, err)
	}, gen.SliceOfN(9, gen.UInt8()), aims())
}

// More room never shows less.
func TestMoreBudgetNeverOmitsMore(t *testing.T) {
	check(t, 500, func(recipe []byte, a aim, more uint8) string {
		c := build(recipe)
		b := a.budget(c)
		p, err := c.Preview(b)
		q, errMore := c.Preview(b + int(more))
		if err == nil && (errMore != nil || q.OmittedBytes > p.OmittedBytes || q.OmittedMessages > p.OmittedMessages) {
			return fmt.Sprintf("%+v at %d, %+v (%v) at %d", p.Retention, b, q.Retention, errMore, b+int(more))
		}
		return ""
	}, recipes(), aims(), gen.UInt8())
}

// Where one text has to be cut, the source system's rule never keeps more of it than ours.
func TestNeverKeepsLessThanTheSource(t *testing.T) {
	check(t, 300, func(piece, more, room uint8) string {
		original := rep(40+int(more), pieces[int(piece)%19]) + rep(int(more%7), `"`) // no clusters: the source cuts them
		c := capture("s", 0, userText(original)...)
		b := 106 + int(room)*4
		theirs, err := source.preview(c, b)
		ours, ourErr := c.Preview(b)
		if err != nil || ourErr != nil || strings.Contains(original, "\r\n") {
			return ""
		}
		if ours.OmittedBytes > theirs.OmittedBytes {
			return fmt.Sprintf("ours omits %d, the source %d", ours.OmittedBytes, theirs.OmittedBytes)
		}
		return ""
	}, gen.UInt8(), gen.UInt8(), gen.UInt8())
}

// spec: REF-6
func TestTranscriptRoundTrip(t *testing.T) {
	check(t, 500, func(recipe []byte) string {
		return roundTrip(build(recipe))
	}, recipes())
}

// roundTrip renders a transcript and reads it back.
func roundTrip(c reference.Capture) string {
	transcript := c.Transcript()
	if problem := fragmentsOf(transcript); problem != "" {
		return problem
	}
	back, err := reference.ParseTranscript(transcript)
	for i := range back.Messages {
		back.Messages[i].Checkpoint = c.Messages[i].Checkpoint
	}
	if err != nil {
		return err.Error()
	}
	return cmp.Diff(c, back)
}

// A preview is the same object to every decoder: the dialect changes how it is written, not what it says.
func TestPreviewMeansTheSame(t *testing.T) {
	check(t, 300, func(recipe []byte) string {
		c := build(recipe)
		p, err := c.Preview(1 << 30)
		if err != nil {
			return err.Error()
		}
		type message struct {
			Role reference.Role `json:"role"`
			Text string         `json:"text"`
		}
		list := []message{}
		for _, m := range c.Messages {
			list = append(list, message{m.Role, m.Text})
		}
		want, err := json.Marshal(struct {
			SessionID string    `json:"sessionId"`
			Label     string    `json:"label"`
			CWD       *string   `json:"cwd"`
			Seq       *int64    `json:"capturedThroughSeq"`
			Messages  []message `json:"conversation"`
		}{c.SessionID, c.Label, nil, c.ThroughSeq, list})
		if err != nil {
			return err.Error()
		}
		var a, b any
		if err := errors.Join(json.Unmarshal([]byte(p.JSON), &a), json.NewDecoder(bytes.NewReader(want)).Decode(&b)); err != nil {
			return err.Error()
		}
		return cmp.Diff(b, a)
	}, recipes())
}

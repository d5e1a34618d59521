package reference_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boundcheck/boundcheck/bounding/reference"
)

var (
	checkpoint = event(reference.Checkpoint, textPart("<compacted-summary>checkpoint</compacted-summary>"))

	// conversation is a session with everything that is not projected.
	conversation = []reference.Event{
		event(reference.Other, textPart("system prompt")),
		checkpoint,
		event(reference.User, textPart("recent user")),
		event(reference.Other, textPart("workspace context")),
		event(reference.User, textPart("human steer")),
		event(reference.Other, textPart("tool output")),
		event(reference.Assistant, otherPart("reasoning"), textPart("visible answer")),
		event(reference.User, otherPart("an image")),
		event(reference.Assistant, otherPart("reasoning only")),
		event(reference.User, textPart("")),
		event(reference.User),
	}
	latest = event(reference.Assistant, textPart("latest-"+rep(400, "界")))
)

// hostile has one of each kind of escape.
const hostile = "\x00\n\r\t\"\\"

// Right values: measured or derived independently on the system that the rules come from. spec: REF-2, REF-3
func TestRightValues(t *testing.T) {
	const seed = "source"
	for _, test := range []struct {
		name    string
		capture reference.Capture
		budget  int

		size, messages, bytes int // of the source system
		ours                  int // omitted bytes where the source system cuts too much
	}{
		{"huge message", capture(seed, 0, userText("head\n"+rep(10_000, "界😀")+"\ntail")...), 360, 358, 0, 69_807, 0},
		{"whole message dropped", capture(seed, 1, userText("old "+rep(300, "界"), "new fact")...), 180, 124, 1, 904, 0},
		{"300 emoji at 140", capture(seed, 0, userText(rep(300, "😀"))...), 140, 116, 0, 1200, 0},
		{"escapes", capture(seed, 0, userText(rep(300, hostile))...), 180, 116, 0, 1800, 1789},
		{"wide characters", capture(seed, 0, userText(rep(500, "界"))...), 180, 179, 0, 1473, 0},
		{"first of three", capture("one", 0, userText(rep(300, "large"))...), 180, 180, 0, 1466, 0},
		{"third of three", capture("three", 0, userText(rep(300, "large"))...), 180, 180, 0, 1470, 0},
		{"intact", capture("two", 0, userText("intact")...), 180, 116, 0, 0, 0},
		{"250,000 at 65,536", capture(seed, 0, userText(rep(250_000, "x"))...), 65_536, 65_536, 0, 184_618, 0},
		{"250,000 at 160,000", capture(seed, 0, userText(rep(250_000, "x"))...), 160_000, 160_000, 0, 90_153, 0},
		{"250,000 at 80,000", capture(seed, 0, userText(rep(250_000, "x"))...), 80_000, 80_000, 0, 170_154, 0},
		{"250,000 at 360", capture(seed, 0, userText(rep(250_000, "x"))...), 360, 360, 0, 249_794, 0},
		{"conversation", capture(seed, 14, conversation...), 240, 221, 2, 22, 0},
		{"long answer", capture(seed, 15, append(conversation[:len(conversation):len(conversation)], latest)...), 360, 358, 3, 1128, 0},
		{"long checkpoint", capture("one", 1, event(reference.Checkpoint, textPart("one-"+rep(400, "界"))),
			userText("one-tail")[0]), 360, 358, 0, 1026, 0},
		{"200 at 116", capture(seed, 0, userText(rep(200, "x"))...), 116, 116, 0, 200, 0},
		{"200 at 150", capture(seed, 0, userText(rep(200, "x"))...), 150, 116, 0, 200, 0},
		{"200 at 151", capture(seed, 0, userText(rep(200, "x"))...), 151, 151, 0, 200, 0},
		{"200 at 160", capture(seed, 0, userText(rep(200, "x"))...), 160, 160, 0, 191, 0},
		{"loader fixture", reference.Project(loaderFixture()), 360, 186, 1, 8922, 0},
		{"no message", reference.Project(reference.Citation{SessionID: seed}, reference.Snapshot{}), 94, 94, 0, 0, 0},
		{"empty frame", capture(seed, 0, userText("x")...), 116, 116, 0, 1, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := test.capture.Preview(test.budget)
			if err != nil {
				t.Fatal(err)
			}
			want := test.bytes
			if test.ours > 0 {
				want = test.ours
			} else if len(p.JSON) != test.size {
				t.Errorf("%d bytes, want %d", len(p.JSON), test.size)
			}
			if p.OmittedMessages != test.messages || p.OmittedBytes != want {
				t.Errorf("omitted %d messages and %d bytes, want %d and %d", p.OmittedMessages, p.OmittedBytes, test.messages, want)
			}
			if len(test.capture.Messages) > 0 && len(test.capture.Messages[0].Text) > 10_000 {
				return // the naive rule takes its time
			}
			theirs, err := source.preview(test.capture, test.budget)
			if err != nil || len(theirs.JSON) != test.size || theirs.OmittedMessages != test.messages || theirs.OmittedBytes != test.bytes {
				t.Errorf("the source's rule as the tests know it omits %d and %d in %d bytes (%v)",
					theirs.OmittedMessages, theirs.OmittedBytes, len(theirs.JSON), err)
			}
		})
	}
}

// The texts behind some of the right values.
func TestRightTexts(t *testing.T) {
	for _, test := range []struct {
		name    string
		capture reference.Capture
		budget  int
		want    []string
	}{
		{"nothing but a mark", capture("source", 0, userText(rep(200, "x"))...), 151, []string{"\n[… omitted 200 UTF-8 bytes …]"}},
		{"not even a mark", capture("source", 0, userText(rep(300, "😀"))...), 140, []string{""}},
		{"the odd byte is the head's", capture("source", 0, userText("ab"+rep(196, "x")+"yz")...), 154,
			[]string{"abz\n[… omitted 197 UTF-8 bytes …]"}},
		{"a summary stays whole", capture("source", 15, append(conversation[:len(conversation):len(conversation)], latest)...), 360,
			[]string{"<compacted-summary>checkpoint</compacted-summary>",
				"latest-" + rep(17, "界") + rep(19, "界") + "\n[… omitted 1092 UTF-8 bytes …]"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := test.capture.Preview(test.budget)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, texts(t, p)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Of equal texts the first one is cut, however many there are.
func TestFirstOfEqualTexts(t *testing.T) {
	var events []reference.Event
	for i := range 60 {
		events = append(events, event(reference.Checkpoint, textPart(rep(50-i*7%3, "x"))))
	}
	c := capture("s", 0, events...)
	full, err := c.Preview(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.Preview(len(full.JSON) - 5*50 - 10)
	if err != nil {
		t.Fatal(err)
	}
	var cut []int
	for i, s := range texts(t, p) {
		if s != c.Messages[i].Text {
			cut = append(cut, i)
		}
	}
	if diff := cmp.Diff([]int{0, 3, 6, 9, 12, 15}, cut); diff != "" {
		t.Error(diff)
	}
}

// The source system takes what overflows, in bytes of JSON, from the bytes of the text. Where text is written longer than it
// is, that cuts far too much.
func TestNoOverTrimming(t *testing.T) {
	for _, test := range []struct {
		name           string
		text           string
		budget         int
		source, unused int
	}{
		{"200 NULs", rep(200, "\x00"), 653, 0, 547},
		{"quotes", rep(129, `"`), 300, 32, 96},
		{"tags", rep(100, "<"), 500, 0, 394},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := capture("s", 0, userText(test.text)...)
			theirs, err := source.preview(c, test.budget)
			if err != nil {
				t.Fatal(err)
			}
			if kept, unused := len(test.text)-theirs.OmittedBytes, test.budget-len(theirs.JSON); kept != test.source || unused != test.unused {
				t.Errorf("the source's rule keeps %d bytes and leaves %d unused, want %d and %d", kept, unused, test.source, test.unused)
			}
			ours, err := c.Preview(test.budget)
			if err != nil {
				t.Fatal(err)
			}
			if kept, unused := len(test.text)-ours.OmittedBytes, test.budget-len(ours.JSON); kept <= test.source || unused > 6 {
				t.Errorf("ours keeps %d bytes and leaves %d unused", kept, unused)
			}
		})
	}
}

// Text may begin with a byte order mark, which decoders like to drop without counting it.
func TestByteOrderMarkIsKept(t *testing.T) {
	p, err := capture("s", 0, userText("\ufefffact")...).Preview(1000)
	if err != nil || p.Truncated || texts(t, p)[0] != "\ufefffact" {
		t.Errorf("%q, %v", p.JSON, err)
	}
}

// spec: REF-6
func TestLoaderTranscript(t *testing.T) {
	for version, digest := range map[uint]string{
		0: "ea0cf968673240bb4c7362632aba00ce4223c5a2b001e861116704f8d9983898",
		4: "707bb75f551e19fa217715022fe71c1afc0e8b186bbc40c5754ae2d24e15f034",
	} {
		cited, snapshot := loaderFixture()
		snapshot.FormatVersion = version
		got := reference.Project(cited, snapshot).Transcript()
		sum := sha256.Sum256([]byte(got))
		if hex.EncodeToString(sum[:]) != digest || len(got) != 10_093 || strings.Count(got, "\n") != 163 {
			t.Errorf("version %d: %d bytes in %d lines, digest %x", version, len(got), strings.Count(got, "\n"), sum)
		}
	}
}

// spec: REF-2
func TestBudgets(t *testing.T) {
	with := func(bytes int, fraction float64) reference.Limits {
		l := reference.DefaultLimits()
		l.Bytes, l.Fraction = bytes, fraction
		return l
	}
	for _, test := range []struct {
		limits       reference.Limits
		window, want int
	}{
		{reference.DefaultLimits(), 200_001, 160_000},
		{reference.DefaultLimits(), 200_000, 160_000},
		{reference.DefaultLimits(), 8_000, 65_536},
		{reference.DefaultLimits(), 81_920, 65_536},
		{reference.DefaultLimits(), 81_922, 65_537},
		{reference.DefaultLimits(), 0, 65_536},
		{reference.DefaultLimits(), -1, 65_536},
		{reference.DefaultLimits(), math.MinInt, 65_536},
		{reference.DefaultLimits(), math.MaxInt, math.MaxInt32},
		{with(0, 0.1), 200_001, 80_000},
		{with(0, 0), 200_001, 65_536},
		{with(0, 1), 100_000, 400_000},
		{with(360, 0.2), 200_001, 360},
		{with(1, 0.2), 200_001, 1},
	} {
		if got := test.limits.Budget(test.window); got != test.want {
			t.Errorf("%+v with a window of %d: %d, want %d", test.limits, test.window, got, test.want)
		}
	}
}

func TestBadLimits(t *testing.T) {
	for _, test := range []struct {
		limits reference.Limits
		want   []string // "" for good ones
	}{
		{reference.DefaultLimits(), nil},
		{reference.Limits{References: 1}, nil},
		{reference.Limits{References: 3, Bytes: 1, Fraction: 1}, nil},
		{reference.Limits{}, []string{"References is 0"}},
		{reference.Limits{References: 4}, []string{"References is 4"}},
		{reference.Limits{References: 3, Bytes: -1}, []string{"Bytes is -1"}},
		{reference.Limits{References: 3, Fraction: 1.01}, []string{"Fraction is 1.01"}},
		{reference.Limits{References: 3, Fraction: math.NaN()}, []string{"Fraction is NaN"}},
		{reference.Limits{References: -1, Bytes: -2, Fraction: math.Inf(1)}, []string{"References", "Bytes", "Fraction is +Inf"}},
	} {
		err := test.limits.Validate()
		if errors.Is(err, reference.InvalidConfig) != (test.want != nil) {
			t.Errorf("%+v: %v", test.limits, err)
		}
		for _, want := range test.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%+v: %v does not say %s", test.limits, err, want)
			}
		}
	}
}

// What a preview looks like, byte for byte. spec: REF-2
func TestDialect(t *testing.T) {
	c := reference.Project(reference.Citation{SessionID: "<s>", Label: "a\"\x7f"}, reference.Snapshot{
		CWD:    "C:\\work",
		Events: userText("\x00\x08\x0c\n\r\t\x1f\x7f\"\\/<>&'\u2028\u2029\ufeffé😀\xff"),
	})
	const want = `{"sessionId":"\u003cs>","label":"a\"` + "\x7f" + `","cwd":"C:\\work","capturedThroughSeq":null,` +
		`"conversation":[{"role":"user","text":"\u0000\b\f\n\r\t\u001f` + "\x7f" + `\"\\/\u003c>&'` + "\u2028\u2029\ufeffé😀\ufffd" + `"}]}`
	p, err := c.Preview(len(want))
	if err != nil || p.JSON != want || p.Truncated {
		t.Errorf("%v\n%s\n%s", err, p.JSON, want)
	}
	if p, err := c.Preview(len(want) - 1); err != nil || !p.Truncated {
		t.Errorf("one byte less: %q, %v", p.JSON, err)
	}
	if !json.Valid([]byte(p.JSON)) {
		t.Error("not JSON")
	}
}

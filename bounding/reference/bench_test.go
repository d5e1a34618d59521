package reference_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/boundcheck/boundcheck/bounding/reference"
	"github.com/boundcheck/boundcheck/bounding/spill"
)

// longSession is a session of so many messages of about 300 bytes, of which few fit.
func longSession(messages int) []reference.Event {
	events := make([]reference.Event, messages)
	for i := range events {
		kind := reference.User
		if i%2 == 1 {
			kind = reference.Assistant
		}
		events[i] = event(kind, textPart(fmt.Sprintf("message %d\n%s", i, rep(20, "some text, 界 \"q\""))))
	}
	return events
}

// Messages are dropped without rendering what is left again and again, as the source system does: the number of allocations
// does not depend on the number of messages. spec: REF-2
func TestDroppingDoesNotRenderAgain(t *testing.T) {
	for _, messages := range []int{1_000, 20_000} {
		c := capture("s", 0, longSession(messages)...)
		allocs := testing.AllocsPerRun(3, func() {
			if p, err := c.Preview(10_000); err != nil || p.OmittedMessages < messages-100 {
				t.Errorf("%+v, %v", p.Retention, err)
			}
		})
		if allocs > 20 {
			t.Errorf("%d messages: %v allocations", messages, allocs)
		}
	}
}

// BenchmarkPrepare is all of it: reading, preview, transcript, saving in memory, text.
func BenchmarkPrepare(b *testing.B) {
	for _, messages := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("messages=%d", messages), func(b *testing.B) {
			source := sourceOf(map[string][]reference.Event{"s": longSession(messages)})
			for b.Loop() {
				p := preparer(b, 0, source, reference.WithStore(&spill.Memory{}))
				if c, err := p.Prepare(b.Context(), "target", cite("s")); err != nil || !c.References[0].Truncated {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(messages), "ns/message")
		})
	}
}

func BenchmarkPreview(b *testing.B) {
	for _, messages := range []int{250, 500, 1_000, 10_000, 100_000} {
		c := capture("s", 0, longSession(messages)...)
		b.Run(fmt.Sprintf("messages=%d", messages), func(b *testing.B) {
			for b.Loop() {
				if _, err := c.Preview(65_536); err != nil {
					b.Fatal(err)
				}
			}
		})
		// The same messages through encoding/json, once: what one look at all of the text costs.
		b.Run(fmt.Sprintf("encoding-json/messages=%d", messages), func(b *testing.B) {
			for b.Loop() {
				if _, err := json.Marshal(c.Messages); err != nil {
					b.Fatal(err)
				}
			}
		})
		// The rule as the source system carries it out, rendering all that is left before each removal.
		if messages > 500 {
			continue
		}
		b.Run(fmt.Sprintf("render-again/messages=%d", messages), func(b *testing.B) {
			for b.Loop() {
				if _, err := source.preview(c, 10_000); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkShorten cuts one message of 10 MB.
func BenchmarkShorten(b *testing.B) {
	for _, piece := range []string{"x", "界", "\"\n", "\x1b[31mred"} {
		c := capture("s", 0, userText(rep(10<<20/len(piece), piece))...)
		b.Run(fmt.Sprintf("%q", piece), func(b *testing.B) {
			b.SetBytes(10 << 20)
			for b.Loop() {
				if _, err := c.Preview(160_000); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkTranscript(b *testing.B) {
	c := capture("s", 0, longSession(10_000)...)
	b.SetBytes(int64(len(c.Transcript())))
	for b.Loop() {
		c.Transcript()
	}
}

func BenchmarkNormalize(b *testing.B) {
	n := normalizer(b, "/tmp/spill", `C:\spill`)
	s := rep(100, rep(1000, `C:\work\file.txt /tmp/other `)+`"/tmp/spill/session-0123456789ab/ba9876543210-x.txt"`)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		n.Normalize(s)
	}
}

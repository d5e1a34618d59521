package bounding

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/text"
)

// spec: OFF-11
func TestPresetsAreValid(t *testing.T) {
	for name, l := range map[string]Limits{"strict": Strict(), "qwen": Qwen()} {
		if err := l.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	a, b := Strict(), Strict()
	a.Tools["x"] = Tool{Budget: 1}
	if _, ok := b.Tools["x"]; ok {
		t.Error("two presets share their tools")
	}
}

// spec: OFF-11
func TestValidateListsEveryBadField(t *testing.T) {
	bad := Limits{
		Unit: 9, Threshold: -2, Headroom: -1, Lines: 0, Preview: -1, StubKeep: 9, Batch: -2, Sharing: 9,
		ArtifactBytes: -2, SessionBytes: -2, Watermark: Watermark{High: -2, Keep: 0, IdleAfter: -2}, ImageTokens: 0,
		Tools:   map[string]Tool{"a*b": {Budget: -2, Keep: 9, File: 9}, "c": {}},
		Aliases: map[string]string{"c": "d", "d": "e"},
	}
	err := bad.Validate()
	var list *LimitsError
	if !errors.As(err, &list) {
		t.Fatalf("error %v", err)
	}
	var fields []string
	for _, f := range list.Fields {
		fields = append(fields, f.Field)
		if !strings.Contains(err.Error(), f.Field) {
			t.Errorf("%s is not in %q", f.Field, err)
		}
	}
	want := []string{
		"Unit", "Threshold", "Headroom", "Lines", "Preview", "StubKeep", "Batch", "Sharing", "ArtifactBytes", "SessionBytes",
		"Watermark.High", "Watermark.Keep", "Watermark.IdleAfter", "ImageTokens",
		`Tools["a*b"]`, `Tools["a*b"].Budget`, `Tools["a*b"].Keep`, `Tools["a*b"].File`, `Aliases["c"]`, `Aliases["c"]`,
	}
	if !slices.Equal(fields, want) {
		t.Errorf("fields %q", fields)
	}
	if _, err := New(bad); !errors.As(err, &list) {
		t.Errorf("New: %v", err)
	}
	if _, err := New(Strict(), WithStore(nil)); err == nil {
		t.Error("New took a nil store")
	}
	one := limits(func(l *Limits) { l.Watermark.Keep = 0 })
	if got, want := one.Validate().Error(), "bounding: 1 bad limit: Watermark.Keep is 0: it must be at least 1"; got != want {
		t.Errorf("got %q", got)
	}
}

// spec: OFF-11
func TestLimitsAtTheirBorders(t *testing.T) {
	for name, change := range map[string]func(l *Limits){
		"zeros": func(l *Limits) {
			l.Threshold, l.Headroom, l.Preview, l.Batch, l.ArtifactBytes, l.SessionBytes = 0, 0, 0, 0, 0, 0
			l.Watermark.High, l.Watermark.IdleAfter = 0, 0
		},
		"ones": func(l *Limits) { l.Lines, l.Watermark.Keep, l.ImageTokens = 1, 1, 1 },
		"unlimited": func(l *Limits) {
			l.Threshold, l.Lines, l.Batch, l.ArtifactBytes, l.SessionBytes, l.Watermark.High = -1, -1, -1, -1, -1, -1
			l.Watermark.IdleAfter = Never
		},
	} {
		l := limits(change)
		if err := l.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// spec: OFF-3
func TestToolsByNameAliasAndPattern(t *testing.T) {
	l := limits(func(l *Limits) {
		l.Tools = map[string]Tool{"a": {Budget: 1}, "mcp__*": {Budget: 2}, "mcp__x_*": {Budget: 3}, "mcp__x_y": {Budget: 4}}
		l.Aliases = map[string]string{"old": "a", "older": "mcp__x_z"}
	})
	for name, want := range map[string]int{
		"a": 1, "old": 1, "A": 0, "mcp__": 2, "mcp__z": 2, "mcp__x_": 3, "mcp__x_z": 3, "older": 3, "mcp__x_y": 4, "mcp_": 0, "": 0,
	} {
		if got := l.Tool(name).Budget; got != want {
			t.Errorf("%q: budget %d, want %d", name, got, want)
		}
	}
	l.Tools["*"] = Tool{Budget: 9}
	if got := l.Tool("anything").Budget; got != 9 {
		t.Errorf("* gives %d", got)
	}
}

// spec: OFF-11, WMK-5
func TestSettings(t *testing.T) {
	for _, tt := range []struct {
		json string
		want func(l *Limits)
	}{
		{`{}`, func(*Limits) {}},
		{`{"toolOutputThreshold": null}`, func(*Limits) {}},
		{`{"toolOutputThreshold": 1, "toolOutputLines": 1, "toolOutputBatchBudget": 1}`,
			func(l *Limits) { l.Threshold, l.Lines, l.Batch = 1, 1, 1 }},
		{`{"toolOutputThreshold": 0, "toolOutputLines": 0, "toolOutputBatchBudget": 0}`,
			func(l *Limits) { l.Threshold, l.Lines, l.Batch = Unlimited, Unlimited, Unlimited }},
		{`{"toolOutputThreshold": -5, "toolOutputLines": -5, "toolOutputBatchBudget": -5}`,
			func(l *Limits) { l.Threshold, l.Lines, l.Batch = Unlimited, Unlimited, Unlimited }},
		{`{"toolResultsTotalThreshold": 0}`, func(l *Limits) { l.Watermark.High = 0 }},
		{`{"toolResultsTotalThreshold": -7}`, func(l *Limits) { l.Watermark.High = Unlimited }},
		{`{"toolResultsIdleMinutes": 0}`, func(l *Limits) { l.Watermark.IdleAfter = 0 }},
		{`{"toolResultsIdleMinutes": 1.5}`, func(l *Limits) { l.Watermark.IdleAfter = 90 * time.Second }},
		{`{"toolResultsIdleMinutes": -1}`, func(l *Limits) { l.Watermark.IdleAfter, l.Watermark.High = Never, Unlimited }},
		{`{"toolResultsIdleMinutes": -1, "toolResultsTotalThreshold": 9}`,
			func(l *Limits) { l.Watermark.IdleAfter, l.Watermark.High = Never, 9 }},
		{`{"toolResultsNumToKeep": 0}`, func(l *Limits) { l.Watermark.Keep = 1 }},
		{`{"toolResultsNumToKeep": 9}`, func(l *Limits) { l.Watermark.Keep = 9 }},
	} {
		var s Settings
		if err := json.Unmarshal([]byte(tt.json), &s); err != nil {
			t.Fatal(err)
		}
		got, err := s.Limits(Strict())
		if diff := cmp.Diff(limits(tt.want), got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", tt.json, err, diff)
		}
	}
	for _, minutes := range []float64{math.NaN(), math.Inf(1), 1e12} {
		var list *LimitsError
		if _, err := (Settings{IdleMinutes: &minutes}).Limits(Strict()); !errors.As(err, &list) {
			t.Errorf("%v minutes: %v", minutes, err)
		}
		base := limits(func(l *Limits) { l.Preview, l.Watermark.Keep = -4, 0 })
		var fields []string
		if _, err := (Settings{IdleMinutes: &minutes}).Limits(base); errors.As(err, &list) {
			for _, f := range list.Fields {
				fields = append(fields, f.Field)
			}
		}
		if want := []string{"toolResultsIdleMinutes", "Preview", "Watermark.Keep"}; !slices.Equal(fields, want) {
			t.Errorf("%v minutes and two bad limits: %q", minutes, fields)
		}
	}
}

// spec: OFF-10, OFF-12
func TestTraceTellsEveryTransitionAndNoPayload(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	p, err := New(limits(func(l *Limits) {
		l.Watermark = Watermark{High: 5_000, Keep: 1, IdleAfter: Never}
		l.Batch, l.ArtifactBytes, l.Unit = 60_000, 100_000, text.Runes
	}), WithStore(&spill.Memory{}), WithTracer(LogTo(logger)))
	if err != nil {
		t.Fatal(err)
	}
	h := p.NewHistory()
	body := func(n int) string { return strings.Repeat("Payload", n/7) + strings.Repeat("P", n%7) }
	turn(t, p, h,
		Output{Call: Call{ID: "1", Tool: "ls"}, Text: body(20_000)},
		Output{Call: Call{ID: "2", Tool: "ls"}, Text: body(26_000)},
		Output{Call: Call{ID: "3", Tool: "ls"}, Text: body(30_000)},
		Output{Call: Call{ID: "4", Tool: "ls"}, Text: body(200_000)},
		Output{Call: Call{ID: "5", Tool: "ls"}, Metadata: []string{body(60_000)}},
	)
	turn(t, p, h, Output{Call: Call{ID: "6", Tool: "ls"}, Text: body(100)})
	type record struct {
		Level, Msg, Call, Before, After, Cause, Outcome, Unit string
	}
	var got []record
	for line := range strings.Lines(log.String()) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatal(err)
		}
		str := func(key string) string { s, _ := fields[key].(string); return s }
		r := record{
			str("level"), str("msg"), str("call"), str("before"), str("after"), str("cause"), str("outcome"), str("unit"),
		}
		if _, ok := fields["target"]; ok {
			r = record{Level: r.Level, Msg: "cleared"}
		}
		got = append(got, r)
	}
	want := []record{
		{"DEBUG", "tool result bounded", "1", "raw", "kept", "within-bounds", "not-needed", "runes"},
		{"DEBUG", "tool result bounded", "2", "raw", "trimmed", "tool", "saved", "runes"},
		{"DEBUG", "tool result bounded", "3", "raw", "stubbed", "gate", "saved", "runes"},
		{"WARN", "tool output store failed", "4", "", "", "", "too-large", ""},
		{"DEBUG", "tool result bounded", "4", "raw", "stubbed", "gate", "too-large", "runes"},
		{"DEBUG", "tool result bounded", "5", "raw", "kept", "within-bounds", "not-needed", "runes"},
		{"DEBUG", "tool result bounded", "5", "kept", "kept", "metadata", "not-needed", "runes"},
		{"DEBUG", "tool result bounded", "1", "kept", "stubbed", "batch", "saved", "runes"},
		{"DEBUG", "tool result bounded", "2", "trimmed", "stubbed", "batch", "saved", "runes"},
		{Level: "INFO", Msg: "cleared"}, // all of it is pending: nothing could be cleared
		{"DEBUG", "tool result bounded", "6", "raw", "kept", "within-bounds", "not-needed", "runes"},
		{"DEBUG", "tool result bounded", "1", "stubbed", "cleared", "watermark", "saved", "runes"},
		{"DEBUG", "tool result bounded", "2", "stubbed", "cleared", "watermark", "saved", "runes"},
		{"DEBUG", "tool result bounded", "3", "stubbed", "cleared", "watermark", "saved", "runes"},
		{Level: "INFO", Msg: "cleared"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if strings.Contains(log.String(), "Payload") {
		t.Error("the log holds payload")
	}
}

func TestNamesOfValues(t *testing.T) {
	for got, want := range map[string]string{
		Stubbed.String(): "stubbed", State(99).String(): "state(99)", Aged.String(): "aged", SaveCancelled.String(): "save-cancelled",
		Cancelled.String(): "cancelled", MemoryPressure.String(): "memory-pressure", ForcedPath.String(): "forced",
		WaterFill.String(): "water-fill", WritesFile.String(): "writes", ToolRole.String(): "tool", Watermarked.String(): "watermark",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, v := range []interface{ MarshalText() ([]byte, error) }{Kept, Saved, IdlePath} {
		if b, err := v.MarshalText(); err != nil || len(b) == 0 {
			t.Errorf("%v: %q, %v", v, b, err)
		}
	}
}

// spec: OFF-10
func TestFailureOfAStoreIsReportedAlthoughAnotherSaves(t *testing.T) {
	var log bytes.Buffer
	p, err := New(Strict(), WithStore(failing{errors.New("disk on fire")}, &spill.Memory{}),
		WithTracer(LogTo(slog.New(slog.NewTextHandler(&log, nil)))))
	if err != nil {
		t.Fatal(err)
	}
	p.Bound(t.Context(), output("ls", strings.Repeat("x", 40_000)))
	if s := log.String(); !strings.Contains(s, "level=WARN") || !strings.Contains(s, "outcome=saved") || !strings.Contains(s, "disk on fire") {
		t.Errorf("log: %s", s)
	}
}

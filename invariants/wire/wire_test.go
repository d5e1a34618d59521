package wire

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/model"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// TestMain lets the test binary be the program at the other end.
func TestMain(m *testing.M) {
	if behaviour := os.Getenv("WIRE_TEST_PROGRAM"); behaviour != "" {
		program(behaviour)
		return
	}
	os.Exit(m.Run())
}

// program is a program that speaks the protocol, or one that does something wrong in answer to a bound.
func program(behaviour string) {
	misbehave := map[string]func(id int){
		"hangs":     func(int) { time.Sleep(time.Hour) },
		"dies":      func(int) { fmt.Fprintln(os.Stderr, "out of luck"); os.Exit(3) },
		"no id":     func(int) { fmt.Println(`{"result":{"text":""}}`) },
		"wrong id":  func(id int) { fmt.Printf("{\"id\":%d}\n", id+1) },
		"no json":   func(int) { fmt.Println("starting tool") },
		"array":     func(int) { fmt.Println("[]") },
		"no result": func(id int) { fmt.Printf("{\"id\":%d}\n", id) },
		"twice": func(id int) {
			fmt.Printf("{\"id\":%d,\"result\":{\"text\":\"\"}}\n{\"id\":%d,\"result\":{\"text\":\"\"}}\n", id, id)
		},
		"floods":       func(int) { flood(strings.Repeat("x", 1<<20), 100) },
		"floods lines": func(int) { flood("x\n", 1<<30) },
		"bad text":     func(id int) { fmt.Printf("{\"id\":%d,\"result\":{\"text\":{}}}\n", id) },
		"bad state":    func(id int) { fmt.Printf("{\"id\":%d,\"result\":{\"text\":\"\",\"state\":\"fine\"}}\n", id) },
		"unsupported": func(id int) {
			fmt.Printf("{\"id\":%d,\"error\":{\"kind\":\"unsupported\",\"definite\":true,\"text\":\"never\"}}\n", id)
		},
		"indefinite": func(id int) {
			fmt.Printf("{\"id\":%d,\"error\":{\"kind\":\"io\",\"definite\":false,\"text\":\"lost\"}}\n", id)
		},
	}
	newSubject := func() (subject.Bounder, error) { return model.New(), nil }
	if behaviour == "model" {
		if err := Serve(context.Background(), os.Stdin, os.Stdout, Hello{Name: "model"}, newSubject); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	in := json.NewDecoder(os.Stdin)
	for {
		var q Request
		if in.Decode(&q) != nil {
			return
		}
		switch q.Op {
		case "hello":
			fmt.Printf("{\"id\":%d,\"hello\":{\"proto\":\"BCP/1\",\"name\":\"wrong\",\"caps\":[\"bound\"]}}\n", q.ID)
		case "bound":
			misbehave[behaviour](q.ID)
		default:
			fmt.Printf("{\"id\":%d}\n", q.ID)
		}
	}
}

func flood(s string, times int) {
	for range times {
		if _, err := os.Stdout.WriteString(s); err != nil {
			return
		}
	}
}

func newProgram(t *testing.T, behaviour string) *Program {
	t.Helper()
	t.Setenv("WIRE_TEST_PROGRAM", behaviour)
	p, err := NewProgram(t.Context(), 2*time.Second, os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

var oneCall = scenario.Scenario{Limits: bounding.Strict(), Steps: []scenario.Step{{Op: scenario.Call, ID: "a", Tool: "shell", Payload: scenario.Of(10, "x")}}}

// TestMisbehaviour holds each way in which a program can fail against what the event says about it.
func TestMisbehaviour(t *testing.T) {
	tests := []struct {
		behaviour string
		kind      trace.BrokenKind
		says      string
	}{
		{"hangs", trace.Hung, "flushed"},
		{"dies", trace.Crashed, "out of luck"},
		{"no id", trace.Protocol, `has no "id"`},
		{"wrong id", trace.Protocol, "has the id 4"},
		{"no json", trace.Protocol, "standard output is for answers alone"},
		{"array", trace.Protocol, "no JSON object"},
		{"no result", trace.Protocol, `no field "result"`},
		{"floods", trace.Protocol, "longer than"},
		{"floods lines", trace.Protocol, "no JSON object"},
		{"bad text", trace.Protocol, "a text has to be"},
		{"bad state", trace.Protocol, `"fine" is no state: use raw, kept`},
	}
	for _, tt := range tests {
		t.Run(tt.behaviour, func(t *testing.T) {
			p := newProgram(t, tt.behaviour)
			s, err := p.New()
			if err != nil {
				t.Fatal(err)
			}
			events := trace.Run(t.Context(), s, oneCall, 30*time.Second).Events
			b := events[0].Broken
			if b == nil || b.Kind != tt.kind || !strings.Contains(b.Detail, tt.says) {
				t.Errorf("got %+v, want %s that says %q", b, tt.kind, tt.says)
			}
			if _, err := p.New(); err != nil {
				t.Errorf("the program is not started again: %v", err)
			}
		})
	}
}

// TestAnswersTwice: the second answer is found out by the next request.
func TestAnswersTwice(t *testing.T) {
	s, err := newProgram(t, "twice").New()
	if err != nil {
		t.Fatal(err)
	}
	sc := oneCall
	sc.Steps = slices.Repeat(sc.Steps, 2)
	events := trace.Run(t.Context(), s, sc, 30*time.Second).Events
	if b := events[1].Broken; events[0].Broken != nil || b == nil || b.Kind != trace.Protocol || !strings.Contains(b.Detail, "answered once, in order") {
		t.Errorf("got %+v, want a fault of the protocol at the second call", events)
	}
}

func TestErrors(t *testing.T) {
	for behaviour, want := range map[string]error{"unsupported": subject.ErrUnsupported, "indefinite": subject.ErrIndefinite} {
		s, err := newProgram(t, behaviour).New()
		if err != nil {
			t.Fatal(err)
		}
		e := trace.Run(t.Context(), s, oneCall, 30*time.Second).Events[0]
		if !errors.Is(e.Err, want) || e.Skipped != (behaviour == "unsupported") {
			t.Errorf("%s: %+v", behaviour, e)
		}
	}
}

// TestSameTrace runs scenarios in-process and over the pipe: nothing may be lost on the way.
func TestSameTrace(t *testing.T) {
	p := newProgram(t, "model")
	limits := bounding.Strict()
	limits.Watermark.High = 60_000
	sc := scenario.Scenario{Limits: limits}
	for i, payload := range []scenario.Payload{
		scenario.Of(20_000, "x"), scenario.Of(30_000, "é"), slices.Concat(scenario.Of(5_000, "a\xff"), scenario.Of(9_000, "\r\n")), scenario.Of(1, ""), scenario.Of(9_000, "👍🏽 "),
	} {
		sc.Steps = append(sc.Steps,
			scenario.Step{Op: scenario.Call, ID: fmt.Sprint("id", i), Tool: "shell", Payload: payload, Media: i % 2, Metadata: []scenario.Payload{scenario.Of(3, "m")}},
			scenario.Step{Op: scenario.Call, ID: "../\x00\xfe", Tool: "read_file", Files: []string{"a\xff"}, Payload: payload, Status: bounding.Failed, More: []scenario.Payload{payload}, Nested: true, Media: 1},
			scenario.Step{Op: scenario.Tighten, Of: 2 * i}, scenario.Step{Op: scenario.Batch, Order: []int{1, 0}},
			scenario.Step{Op: scenario.User, Payload: scenario.Of(300, "ab"), Media: 2},
			scenario.Step{Op: scenario.Checkpoint}, scenario.Step{Op: scenario.Commit},
			scenario.Step{Op: scenario.Cancel}, scenario.Step{Op: scenario.Diagnose})
	}
	sc.Steps = append(sc.Steps, scenario.Step{Op: scenario.Checkpoint, Trigger: bounding.BeforeQuery, Gap: time.Hour})
	over, err := p.New()
	if err != nil {
		t.Fatal(err)
	}
	direct := trace.Run(t.Context(), model.New(), sc, 0)
	piped := trace.Run(t.Context(), over, sc, 0)
	if want := slices.DeleteFunc(slices.Clone(direct.Caps), func(c string) bool { return c == subject.CapPlan }); !slices.Equal(want, piped.Caps) {
		t.Errorf("capabilities %q over the pipe, %q in-process", piped.Caps, want)
	}
	for i, e := range direct.Events {
		if e.Err != nil || e.Broken != nil {
			t.Fatalf("step %d: %v %v", i, e.Err, e.Broken)
		}
		if diff := cmp.Diff(short(e), short(piped.Events[i])); diff != "" {
			t.Fatalf("step %d, in-process and over the pipe: %s", i, diff)
		}
	}
	if direct.Log != piped.Log {
		t.Error("the logs differ")
	}
}

// short replaces the texts of an event by their digests, so that a difference can be printed.
func short(e trace.Event) trace.Event {
	results := func(rs []subject.Result) []subject.Result {
		rs = slices.Clone(rs)
		for i := range rs {
			rs[i].Text = fmt.Sprintf("%d bytes, %x", len(rs[i].Text), sha256.Sum256([]byte(rs[i].Text)))
			if len(rs[i].Media) == 0 {
				rs[i].Media = nil
			}
		}
		return rs
	}
	history := func(h subject.History) subject.History {
		h = h.Clone()
		for i := range h.Messages {
			m := &h.Messages[i]
			m.Results = results(m.Results)
		}
		return h
	}
	e.In, e.Out, e.Before, e.After = results(e.In), results(e.Out), history(e.Before), history(e.After)
	e.Limits = bounding.Limits{}
	return e
}

// TestText reads back every form of text that is written.
func TestText(t *testing.T) {
	for _, s := range []string{"", "x", "a\xff", strings.Repeat("x", 25_000), strings.Repeat("é\n", 200), "a" + strings.Repeat("👍", 255) + "b<&>", strings.Repeat("ab", 5000) + strings.Repeat("\n", 9)} {
		for _, recipes := range []bool{false, true} {
			b, err := json.Marshal(Text{s, recipes})
			var back Text
			if err == nil {
				err = json.Unmarshal(b, &back)
			}
			if err != nil || back.S != s {
				t.Errorf("%.60q as %.60s: %.60q, %v", s, b, back.S, err)
			}
			if recipes && len(s) == 25_000 && string(b) != `{"rep":[["x",25000]]}` {
				t.Errorf("25,000 x are %.80s", b)
			}
		}
	}
	for _, bad := range []string{`{}`, `3`, `{"b64":"x"}`, `{"rep":[["x"]]}`, `{"rep":[["x",-1]]}`, `{"rep":[["x",99999999999]]}`, `{"rep":[["x",9223372036854775807]]}`, `{"b64":"","rep":[]}`} {
		var back Text
		if err := json.Unmarshal([]byte(bad), &back); err == nil {
			t.Errorf("%s is read as %.60q", bad, back.S)
		}
	}
}

package wire

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/model"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// record runs scenarios over a pipe within this process and returns every line that went through it.
func record(t *testing.T, s subject.Bounder, scenarios ...scenario.Scenario) []string {
	t.Helper()
	var spoken bytes.Buffer
	requests, in := io.Pipe()
	out, replies := io.Pipe()
	serving := make(chan error, 1)
	go func() {
		serving <- Serve(t.Context(), io.TeeReader(requests, &spoken), replies, Hello{Name: "all"}, func() (subject.Bounder, error) { return s, nil })
		replies.Close()
	}()
	var answered bytes.Buffer
	p := &process{in: in, lines: make(chan line), stop: make(chan struct{}), errs: &tail{}, timeout: time.Minute}
	go p.read(io.TeeReader(out, &answered))
	reply, err := p.ask(t.Context(), &Request{Op: "hello", Proto: Proto})
	if err == nil {
		err = p.greeted(reply)
	}
	if err != nil {
		t.Fatal(err)
	}
	c := &Client{program: &Program{ctx: t.Context()}, process: p, encoder: encoder{recipes: true}}
	for _, sc := range scenarios {
		for _, e := range trace.Run(t.Context(), c, sc, 0).Events {
			if e.Broken != nil || e.Skipped && e.Op != scenario.Tighten {
				t.Errorf("step %d: %+v, skipped %v, %v", e.Step, e.Broken, e.Skipped, e.Err)
			}
		}
	}
	p.bye(t.Context())
	if err := <-serving; err != nil {
		t.Error(err)
	}
	return append(strings.Split(strings.TrimSpace(spoken.String()), "\n"), strings.Split(strings.TrimSpace(answered.String()), "\n")...)
}

// TestSchema holds every line of a long conversation against the schema, and lines that are wrong.
func TestSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../spec/bcp1.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	valid := func(line string) error {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		if err != nil {
			return err
		}
		return schema.Validate(v)
	}
	limits := bounding.Strict()
	limits.Watermark.High = 10_000
	sc := scenario.Scenario{Limits: limits}
	for _, payload := range []scenario.Payload{scenario.Of(30_000, "x"), scenario.Of(9000, "a\xff"), scenario.Of(20_000, "é")} {
		sc.Steps = append(sc.Steps,
			scenario.Step{Op: scenario.Call, ID: "a", Tool: "shell", Payload: payload, Media: 1, Metadata: []scenario.Payload{payload}},
			scenario.Step{Op: scenario.Call, ID: "\xfe", Tool: "write_file", Files: []string{"f"}, More: []scenario.Payload{payload}, Nested: true, Media: 1, Protected: true, Bounded: true},
			scenario.Step{Op: scenario.Call, ID: "c", Tool: "x", Status: bounding.Failed, Payload: payload},
			scenario.Step{Op: scenario.Tighten}, scenario.Step{Op: scenario.Batch}, scenario.Step{Op: scenario.Commit},
			scenario.Step{Op: scenario.User, Payload: payload, Media: 1}, scenario.Step{Op: scenario.Commit},
			scenario.Step{Op: scenario.Checkpoint, Trigger: bounding.OnDemand}, scenario.Step{Op: scenario.Cancel}, scenario.Step{Op: scenario.Diagnose})
	}
	sc.Steps = append(sc.Steps,
		scenario.Step{Op: scenario.Save, ID: "s\xff", Tool: "x", Payload: scenario.Of(300, "\xff\n")},
		scenario.Step{Op: scenario.Read, Of: 9, Offset: 3, Limit: 10}, scenario.Step{Op: scenario.Page, Of: 0, Limit: 10_000},
		scenario.Step{Op: scenario.Read, Of: 9, Session: trace.Session},
		scenario.Step{Op: scenario.Reference, Budget: 200, Sources: []scenario.Source{{Session: "cited", Label: "a", Events: []scenario.Event{
			{Kind: "user", Text: scenario.Of(300, "😀")}, {Kind: "other", Text: scenario.Of(1, "x")}}}}},
		scenario.Step{Op: scenario.Replay}, scenario.Step{Op: scenario.Fault, Program: "(fail EIO (op sync))"},
		scenario.Step{Op: scenario.Save, ID: "t", Payload: scenario.Of(3, "x")}, scenario.Step{Op: scenario.Crash, Survive: 50, Seed: 3},
		scenario.Step{Op: scenario.Advance, Gap: time.Hour}, scenario.Step{Op: scenario.Sweep, Gap: time.Minute},
		scenario.Step{Op: scenario.Read, Of: 9})
	lines := record(t, model.New(), sc)
	ops := map[string]bool{}
	for _, line := range lines {
		if err := valid(line); err != nil {
			t.Errorf("%.200s\n%v", line, err)
		}
		var q Request
		if json.Unmarshal([]byte(line), &q) == nil && q.Op != "" {
			ops[q.Op] = true
		}
	}
	for _, op := range []string{"hello", "bound", "tighten", "batch", "clear", "doctor", "save", "open", "list", "reference", "replay", "fault", "reopen", "advance",
		"sweep", "log", "bye"} {
		if !ops[op] {
			t.Errorf("nothing was asked to %s", op)
		}
	}
	for _, wrong := range []string{`{}`, `[]`, `{"id":"1"}`, `{"id":1,"op":"fly"}`, `{"id":1,"result":{}}`, `{"id":1,"result":{"text":3}}`,
		`{"id":1,"result":{"text":"","state":"fine"}}`, `{"id":1,"hello":{"proto":"BCP/1","name":"","caps":[]}}`, `{"id":1,"extra":1}`} {
		if valid(wrong) == nil {
			t.Errorf("the schema allows %s", wrong)
		}
	}
}

package wire

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// TestSamples runs each sample whose language is installed: at the limit the text is whole, above it there is a marker.
func TestSamples(t *testing.T) {
	built := filepath.Join(t.TempDir(), "sample")
	for language, command := range map[string][]string{
		"python": {"python3", "samples/python/agent.py"},
		"node":   {"node", "samples/node/agent.mjs"},
		"go":     {"go", "build", "-o", built, "./samples/go"},
	} {
		t.Run(language, func(t *testing.T) {
			if _, err := exec.LookPath(command[0]); err != nil {
				t.Skipf("%s is not installed", command[0])
			}
			if language == "go" {
				if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				command = []string{built}
			}
			p, err := NewProgram(t.Context(), 20*time.Second, command...)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			s, err := p.New()
			if err != nil {
				t.Fatal(err)
			}
			limits := bounding.Strict()
			limits.Threshold = 100
			calls := []scenario.Payload{scenario.Of(100, "x"), scenario.Of(101, "x"), scenario.Of(1, "a\xffb")}
			sc := scenario.Scenario{Limits: limits}
			for _, payload := range calls {
				sc.Steps = append(sc.Steps, scenario.Step{Op: scenario.Call, ID: "a", Tool: "shell", Payload: payload})
			}
			for i, e := range trace.Run(t.Context(), s, sc, time.Minute).Events {
				if e.Err != nil || e.Broken != nil {
					t.Fatalf("call %d: %v, %+v", i, e.Err, e.Broken)
				}
				text := e.Out[0].Text
				whole := text == calls[i].String() || i == 2 && text == "a\ufffdb"
				if whole == (i == 1) || len(text) > 101 || i == 1 && !strings.ContainsAny(text, "[") {
					t.Errorf("call %d gives %q", i, text)
				}
			}
		})
	}
}

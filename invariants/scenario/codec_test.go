package scenario

import (
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// random returns bytes with many choices and some values in full.
func random(seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	data := make([]byte, r.IntN(200))
	for i := range data {
		data[i] = byte(r.IntN(256))
		if r.IntN(8) > 0 {
			data[i] = byte(r.IntN(explicit))
		}
	}
	return data
}

// roundTrips reads back what is written of a scenario in both forms.
func roundTrips(t *testing.T, s Scenario) {
	t.Helper()
	if again := FromBytes(s.Bytes()); !reflect.DeepEqual(s, again) {
		t.Fatalf("of its bytes: %.2000s\n%.2000s", cmp.Diff(s, again), Format(s))
	}
	script, err := Parse("a", []byte(Format(s)))
	if err != nil {
		t.Fatalf("%v\n%.3000s", err, Format(s))
	}
	if !reflect.DeepEqual(s, script.Scenario) {
		t.Fatalf("of its script: %.2000s\n%.3000s", cmp.Diff(s, script.Scenario), Format(s))
	}
	if again := Format(script.Scenario); again != Format(s) {
		t.Fatalf("written twice: %.2000s\n%.2000s", Format(s), again)
	}
}

// TestRoundTrip: what bytes make can be written as bytes and as a script, and is the same again.
func TestRoundTrip(t *testing.T) {
	seen := map[Op]int{}
	for seed := range uint64(3000) {
		s := FromBytes(random(seed))
		for _, step := range s.Steps {
			seen[step.Op]++
		}
		roundTrips(t, s)
	}
	for op, v := range verbs {
		if seen[op] < 20 {
			t.Errorf("%s was made %d times", v.name, seen[op])
		}
	}
}

func FuzzScenario(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(random(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) { roundTrips(t, FromBytes(data)) })
}

func FuzzParse(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(Format(FromBytes(random(seed))))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "repeat") {
			return // what repeats makes more than a fuzzer should wait for
		}
		script, err := Parse("a", []byte(text))
		if err != nil {
			return
		}
		written := script.Format()
		again, err := Parse("a", []byte(written))
		if err != nil || again.Format() != written {
			t.Errorf("%q is written as %q: %v", text, written, err)
		}
	})
}

// TestScript is the form in which people meet scenarios.
func TestScript(t *testing.T) {
	const text = `# clear_amortised: results of 25.5K, each checked while it is pending
limits strict high=400000
tool "my tool" budget=30 keep=tail
repeat 167
  call a shell 25500*x+"\n" file=a
  batch
  checkpoint before-tool-turn
  commit
end
checkpoint before-query gap=1h1m0s
user 2*"a b" media=1
reference budget=140
  source other "a label"
    event user 300*"😀"
fault "(fail EIO (op sync))"
violates CLR-2 PFX-5
`
	script, err := Parse("a.txtar", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := script.Format(); got != text {
		t.Errorf("written as\n%s", cmp.Diff(text, got))
	}
	s := script.Scenario
	if len(s.Steps) != 4*167+4 || s.Limits.Watermark.High != 400_000 || s.Steps[0].Payload.Len() != 25_501 ||
		s.Steps[4*167].Gap != 61*time.Minute || s.Limits.Tools["my tool"].Budget != 30 {
		t.Errorf("%d steps, %+v", len(s.Steps), s.Limits)
	}
	if len(script.Expect) != 1 || script.Expect[0].Line != 16 || script.Expect[0].After != len(s.Steps) {
		t.Errorf("%+v", script.Expect)
	}
	short, err := Parse("a.txtar", []byte("repeat 3 call r$i shell \"$i\"+$i ; batch ; checkpoint ; commit\nidle 61m\nforce\nreopen\n"))
	if err != nil {
		t.Fatal(err)
	}
	const long = `limits strict
call r0 shell "$i"+0
batch
checkpoint before-tool-turn
commit
call r1 shell "$i"+1
batch
checkpoint before-tool-turn
commit
call r2 shell "$i"+2
batch
checkpoint before-tool-turn
commit
checkpoint before-query gap=1h1m0s
checkpoint on-demand
crash survive=100
`
	if got := short.Format(); got != long {
		t.Errorf("written as\n%s", cmp.Diff(long, got))
	}
	withFile, err := Parse("a.txtar", []byte("call a shell file:log\n-- log --\none\ntwo\n"))
	if err != nil || withFile.Scenario.Steps[0].Payload.String() != "one\ntwo\n" {
		t.Errorf("%+v, %v", withFile, err)
	}
}

// TestFiles: long texts of lines stand in files, once, and only if a file can hold them.
func TestFiles(t *testing.T) {
	log := strings.Repeat("a line of a log\n", 20)
	for text, inFile := range map[string]bool{
		log: true, log + "no newline": false, log + "-- a --\n": false, "\xff" + log: false, "\r\n" + log: false, "short\n": false,
	} {
		s := Scenario{Limits: Scaled(), Steps: []Step{
			{Op: Call, ID: "a", Tool: "shell", Payload: Payload{{3, "x"}, {2, text}}}, {Op: User, Payload: Of(1, text)},
		}}
		roundTrips(t, s)
		written := Format(s)
		if got := strings.Count(written, "-- text0 --\n"+text) == 1; got != inFile {
			t.Errorf("%.20q: in a file: %v\n%.500s", text, got, written)
		}
		if inFile && !strings.Contains(written, "call a shell 3*x+2*file:text0\nuser file:text0\n") {
			t.Errorf("%s", written)
		}
	}
}

// TestParseErrors: an error says the line, what was expected and what was there.
func TestParseErrors(t *testing.T) {
	for text, says := range map[string]string{
		"\n\nfly":                              `a:3: expected a step, and there is "fly"; steps are advance,`,
		"call a shell":                         "a:1: expected an id, a tool and a payload, and there are 2 words\nusage: call ID",
		"call a shell x*3":                     `expected a number before *, as in 25500*x, and there is "x"`,
		"call a shell @what":                   "no unit is called @what; there are x, newline",
		`call a shell "x`:                      "do not end",
		"call a shell x size=3":                `expected one of status, more, media, nested, metadata, bounded, protected, file, and there is "size=3"`,
		"call a shell x status=fine":           `"fine" is no status: use success, failed`,
		"call a shell x media=many":            `expected a number, and there is "many"`,
		"commit now":                           `expected the end of the line, and there is "now"`,
		"checkpoint sometimes":                 `"sometimes" is no trigger: use before-tool-turn`,
		"advance soon":                         `expected a duration such as 61m, or none, and there is "soon"`,
		"limits strange":                       `expected strict, scaled, roomy or qwen, and there is "strange"`,
		"limits strict size=3":                 `expected FIELD=VALUE, and there is "size=3"; fields are unit, threshold`,
		"limits strict unit=words":             `unknown unit "words"`,
		"commit\ntool a":                       "a:2: tool has to follow limits",
		"tool a size=3":                        `and there is "size=3"`,
		"repeat 3\ncommit":                     "the repeat has no end",
		"repeat many\nend":                     `expected how often to repeat, and there is "many"`,
		"repeat":                               "expected how often to repeat; usage",
		"\nrepeat 2\ncommit\nfly\nend":         `a:4: expected a step, and there is "fly"`,
		"repeat 2 commit ; fly":                `a:1: expected a step, and there is "fly"`,
		"call r$i shell x":                     "a:1: r$i stands in no repeat",
		"idle":                                 "expected a duration such as 61m, or none, and there is \"\"\nusage: checkpoint",
		"call a shell x+file:none":             `the archive has no file "none"`,
		"repeat 2\nrepeat 2\ncommit\nend\nend": "a:2: a repeat inside of a repeat",
		"repeat 200000\ncommit\nend":           "more than 100000 steps",
		"end":                                  "an end without a repeat",
		"source a b":                           "source has to follow a reference",
		"reference\nevent user x":              "event has to follow a source",
		"tighten":                              "expected the number of a call",
		"call a shell file:none":               `the archive has no file "none"`,
		"batch order=1,x":                      "expected an order such as 1,0,2",
	} {
		if _, err := Parse("a", []byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", text, err, says)
		}
	}
}

// TestSizesReachTheLimits: just below, at and just above each limit, and of each total, are choices.
func TestSizesReachTheLimits(t *testing.T) {
	in := session{limits: Scaled(), total: 100, batch: 50}
	l := in.limits
	for _, already := range []int{0, 7} {
		have := map[int64]bool{}
		for _, n := range in.choices("shell", already) {
			have[n+int64(already)] = true
		}
		for _, limit := range []int{l.Threshold, l.Threshold + l.Headroom, 720, 1440, l.Preview, l.Batch, l.Batch - 50, l.Watermark.High,
			l.Watermark.High - 150, l.Watermark.Low(), l.Watermark.Low() - 150, l.Lines} {
			for _, n := range []int{limit - 1, limit, limit + 1} {
				if !have[int64(n)] {
					t.Errorf("with %d already, %d is no choice", already, n)
				}
			}
		}
	}
	if n := len(in.choices("shell", 0)); n > explicit {
		t.Errorf("%d sizes are more than a byte can choose from", n)
	}
}

// TestBasesAreValid: what is no limit comes from values in full only, so that few scenarios end in an error of the limits.
func TestBasesAreValid(t *testing.T) {
	for i, l := range bases() {
		if err := l.Validate(); err != nil {
			t.Errorf("base %d: %v", i, err)
		}
		for _, f := range limitFields {
			for _, value := range limitChoices[f.name] {
				changed := l
				if err := set(f.of(&changed), strconv.FormatInt(value, 10)); err != nil {
					if err := set(f.of(&changed), time.Duration(value).String()); err != nil {
						t.Fatal(err)
					}
				}
				if err := changed.Validate(); err != nil {
					t.Errorf("%s=%d: %v", f.name, value, err)
				}
			}
		}
	}
}

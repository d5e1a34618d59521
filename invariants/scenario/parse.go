package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/boundcheck/boundcheck/bounding"
)

// Script is a scenario with what is expected of it.
type Script struct {
	Name     string // of the file
	Comment  string // the first lines, without their #
	Scenario Scenario
	Expect   []Expectation
}

// Expectation is a line of a script that does nothing, and says what must be so. This package does not judge it.
type Expectation struct {
	Line  int
	After int      // how many steps come before it
	Words []string // as they stand there, the verb first
}

// Expecting are the verbs of expectations.
//
//	violates ID…    the scenario shows that the invariants do not hold
//	holds ID…       it shows no such thing
var Expecting = []string{"violates", "holds"}

// Format returns the script as [Parse] reads it. Expectations stand at the end.
func (s Script) Format() string {
	var b strings.Builder
	for line := range strings.Lines(s.Comment) {
		b.WriteString(strings.TrimRight("# "+line, " \n") + "\n")
	}
	b.WriteString(Format(s.Scenario))
	for _, e := range s.Expect {
		b.WriteString(strings.Join(e.Words, " ") + "\n")
	}
	return b.String()
}

// Parse reads a script. Files of a txtar archive behind it are texts that payloads name as file:NAME. An error names the
// line, what was expected and what was there.
func Parse(name string, data []byte) (Script, error) {
	p := &parser{script: Script{Name: name}, verbs: map[string]Op{}}
	for op, v := range verbs {
		p.verbs[v.name] = op
	}
	archive := txtar.Parse(data)
	for _, f := range archive.Files {
		p.files = append(p.files, f)
	}
	p.script.Scenario.Limits = bounding.Strict()
	lines := slices.Collect(strings.Lines(string(archive.Comment)))
	if err := p.block(lines, 0, false); err != nil {
		return Script{}, err
	}
	return p.script, nil
}

type parser struct {
	script Script
	verbs  map[string]Op
	files  []txtar.File
	limits *bounding.Limits // that a tool or an alias line changes
	given  bool             // limits of the scenario
	begun  bool             // something else than a comment
}

// maxSteps bounds what repetitions make of a script.
const maxSteps = 100_000

// block reads lines up to the end of the script or of the repetition.
func (p *parser) block(lines []string, first int, inside bool) error {
	for i := 0; i < len(lines); i++ {
		at := first + i + 1
		text := strings.TrimSpace(lines[i])
		if comment, ok := strings.CutPrefix(text, "#"); ok && !p.begun {
			p.script.Comment += strings.TrimPrefix(comment, " ") + "\n"
			continue
		}
		w, err := words(text)
		if err != nil {
			return p.errorf(at, "%v", err)
		}
		if len(w) == 0 {
			continue
		}
		p.begun = true
		if w[0] != "repeat" {
			if err := p.line(w, at); err != nil {
				return p.errorf(at, "%v", err)
			}
			continue
		}
		if inside {
			return p.errorf(at, "a repeat inside of a repeat")
		}
		body, times, err := repetition(lines[i:])
		if err != nil {
			return p.errorf(at, "%v", err)
		}
		for range times {
			if err := p.block(body, at, true); err != nil {
				return err
			}
			if len(p.script.Scenario.Steps) > maxSteps {
				return p.errorf(at, "more than %d steps", maxSteps)
			}
		}
		i += len(body) + 1
	}
	return nil
}

// repetition returns the lines between a repeat and its end.
func repetition(lines []string) (body []string, times int, err error) {
	w := strings.Fields(lines[0])
	if len(w) != 2 {
		return nil, 0, fmt.Errorf("usage: repeat N, and then end")
	}
	if times, err = strconv.Atoi(w[1]); err != nil || times < 1 {
		return nil, 0, fmt.Errorf("expected how often to repeat, and there is %q", w[1])
	}
	for n, line := range lines[1:] {
		if strings.TrimSpace(line) == "end" {
			return lines[1 : n+1], times, nil
		}
	}
	return nil, 0, fmt.Errorf("the repeat has no end")
}

func (p *parser) errorf(line int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", p.script.Name, line, fmt.Sprintf(format, args...))
}

func (p *parser) line(w []string, at int) error {
	s := &p.script.Scenario
	switch w[0] {
	case "limits":
		return p.setLimits(w[1:])
	case "tool", "no-tool", "alias", "no-alias":
		return p.changeTools(w)
	case "source", "event":
		return p.source(w)
	case "end":
		return fmt.Errorf("an end without a repeat")
	}
	if slices.Contains(Expecting, w[0]) {
		p.script.Expect = append(p.script.Expect, Expectation{at, len(s.Steps), w})
		return nil
	}
	op, ok := p.verbs[w[0]]
	if !ok {
		known := slices.Concat(slices.Sorted(maps.Keys(p.verbs)), []string{"tool", "alias", "repeat"}, Expecting)
		return fmt.Errorf("expected a step, and there is %q; steps are %s", w[0], strings.Join(known, ", "))
	}
	step := Step{Op: op}
	if err := p.step(&step, w[1:]); err != nil {
		return fmt.Errorf("%w\nusage: %s", err, verbs[op].usage)
	}
	s.Steps = append(s.Steps, step)
	p.limits = nil
	return nil
}

// setLimits reads the limits of the scenario, or a step that sets others.
func (p *parser) setLimits(w []string) error {
	l := bounding.Strict()
	if len(w) > 0 && !strings.Contains(w[0], "=") {
		i := slices.IndexFunc(presets, func(preset struct {
			name   string
			limits func() bounding.Limits
		}) bool {
			return preset.name == w[0]
		})
		if i < 0 {
			return fmt.Errorf("expected strict, scaled, roomy or qwen, and there is %q", w[0])
		}
		l = presets[i].limits()
		w = w[1:]
	}
	for _, option := range w {
		name, value, ok := strings.Cut(option, "=")
		i := slices.IndexFunc(limitFields, func(f field) bool { return f.name == name })
		if i < 0 || !ok {
			var known []string
			for _, f := range limitFields {
				known = append(known, f.name)
			}
			return fmt.Errorf("expected FIELD=VALUE, and there is %q; fields are %s", option, strings.Join(known, ", "))
		}
		if err := set(limitFields[i].of(&l), value); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	s := &p.script.Scenario
	if !p.given && len(s.Steps) == 0 {
		p.given = true
		s.Limits = l
		p.limits = &s.Limits
		return nil
	}
	s.Steps = append(s.Steps, Step{Op: SetLimits, Limits: &l})
	p.limits = &l
	return nil
}

func (p *parser) changeTools(w []string) error {
	if p.limits == nil {
		if len(p.script.Scenario.Steps) > 0 {
			return fmt.Errorf("%s has to follow limits", w[0])
		}
		p.given = true
		p.limits = &p.script.Scenario.Limits
	}
	if len(w) < 2 {
		return fmt.Errorf("expected a name of a tool after %s", w[0])
	}
	name, err := unquote(w[1])
	if err != nil {
		return err
	}
	l := p.limits
	switch w[0] {
	case "no-tool":
		l.Tools = cut(l.Tools, name)
	case "no-alias":
		l.Aliases = cut(l.Aliases, name)
	case "alias":
		if len(w) != 3 {
			return fmt.Errorf("usage: alias NAME TOOL")
		}
		tool, err := unquote(w[2])
		if err != nil {
			return err
		}
		l.Aliases = put(l.Aliases, name, tool)
	default:
		var tool bounding.Tool
		for _, option := range w[2:] {
			key, value, _ := strings.Cut(option, "=")
			found := false
			for _, f := range toolFields(&tool) {
				if f.name == key {
					found = true
					if err := set(f.p, value); err != nil {
						return fmt.Errorf("%s: %w", key, err)
					}
				}
			}
			if !found {
				return fmt.Errorf("expected budget=, keep=, exempt=, fixed= or file=, and there is %q", option)
			}
		}
		l.Tools = put(l.Tools, name, tool)
	}
	return nil
}

// put returns a map with one entry more, and leaves the given one alone.
func put[V any](m map[string]V, key string, value V) map[string]V {
	if m = maps.Clone(m); m == nil {
		m = map[string]V{}
	}
	m[key] = value
	return m
}

// cut returns a map with one entry less, and nil for none.
func cut[V any](m map[string]V, key string) map[string]V {
	m = maps.Clone(m)
	if delete(m, key); len(m) == 0 {
		return nil
	}
	return m
}

// source reads what is cited by the reference before it.
func (p *parser) source(w []string) error {
	steps := p.script.Scenario.Steps
	if len(steps) == 0 || steps[len(steps)-1].Op != Reference {
		return fmt.Errorf("%s has to follow a reference", w[0])
	}
	if len(w) != 3 {
		return fmt.Errorf("usage: source ID LABEL, or event KIND PAYLOAD")
	}
	step := &steps[len(steps)-1]
	first, err := unquote(w[1])
	if err != nil {
		return err
	}
	if w[0] == "source" {
		label, err := unquote(w[2])
		if err != nil {
			return err
		}
		step.Sources = append(step.Sources, Source{Session: first, Label: label})
		return nil
	}
	if len(step.Sources) == 0 {
		return fmt.Errorf("event has to follow a source")
	}
	payload, err := p.payload(w[2])
	if err != nil {
		return err
	}
	last := &step.Sources[len(step.Sources)-1]
	last.Events = append(last.Events, Event{first, payload})
	return nil
}

// payload reads a payload, which may be a file of the archive.
func (p *parser) payload(word string) (Payload, error) {
	name, ok := strings.CutPrefix(word, "file:")
	if !ok {
		return parsePayload(word)
	}
	for _, f := range p.files {
		if f.Name == name {
			return Of(1, string(f.Data)), nil
		}
	}
	return nil, fmt.Errorf("the archive has no file %q", name)
}

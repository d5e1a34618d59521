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
	steps, files := format(s.Scenario)
	b.WriteString(steps)
	for _, e := range s.Expect {
		b.WriteString(strings.Join(e.Words, " ") + "\n")
	}
	return b.String() + string(txtar.Format(&txtar.Archive{Files: files}))
}

// Parse reads a script. Files of a txtar archive behind it are texts that payloads name as file:NAME. An error names the
// line, what was expected and what was there.
func Parse(name string, data []byte) (Script, error) {
	p := &parser{script: Script{Name: name}, verbs: map[string]Op{}}
	for op, v := range verbs {
		p.verbs[v.name] = op
	}
	archive := txtar.Parse(data)
	p.files = archive.Files
	p.script.Scenario.Limits = bounding.Strict()
	if err := p.all(slices.Collect(strings.Lines(string(archive.Comment)))); err != nil {
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

// statement is what one line, or a part of a repeat that stands in one line, says.
type statement struct {
	line  int
	words []string
}

// all reads the lines of a script.
func (p *parser) all(lines []string) error {
	for i := 0; i < len(lines); i++ {
		text := strings.TrimSpace(lines[i])
		if comment, ok := strings.CutPrefix(text, "#"); ok && !p.begun {
			p.script.Comment += strings.TrimPrefix(comment, " ") + "\n"
			continue
		}
		w, err := words(text)
		if err != nil {
			return p.errorf(i+1, "%v", err)
		}
		if len(w) == 0 {
			continue
		}
		p.begun = true
		if w[0] != "repeat" {
			if err := p.do(statement{i + 1, w}, ""); err != nil {
				return err
			}
			continue
		}
		last, err := p.repeat(lines, i, w)
		if err != nil {
			return err
		}
		i = last
	}
	return nil
}

// repeat reads and does a repetition, and returns where its last line is.
func (p *parser) repeat(lines []string, at int, w []string) (last int, err error) {
	if len(w) < 2 {
		return 0, p.errorf(at+1, "expected how often to repeat; usage: repeat N, steps, and end, or repeat N STEP ; STEP")
	}
	times, err := strconv.Atoi(w[1])
	if err != nil || times < 1 {
		return 0, p.errorf(at+1, "expected how often to repeat, and there is %q", w[1])
	}
	body, last := oneLine(at+1, w[2:]), at
	if len(body) == 0 {
		if body, last, err = p.untilEnd(lines, at); err != nil {
			return 0, err
		}
	}
	for n := range times {
		for _, s := range body {
			if err := p.do(s, strconv.Itoa(n)); err != nil {
				return 0, err
			}
		}
		if len(p.script.Scenario.Steps) > maxSteps {
			return 0, p.errorf(at+1, "more than %d steps", maxSteps)
		}
	}
	return last, nil
}

// oneLine takes words apart at semicolons.
func oneLine(line int, w []string) []statement {
	var body []statement
	for len(w) > 0 {
		i := slices.Index(w, ";")
		if i < 0 {
			i = len(w)
		}
		if i > 0 {
			body = append(body, statement{line, w[:i]})
		}
		w = w[min(i+1, len(w)):]
	}
	return body
}

// untilEnd reads the lines up to the end of a repetition.
func (p *parser) untilEnd(lines []string, at int) (body []statement, last int, err error) {
	for i := at + 1; i < len(lines); i++ {
		w, err := words(strings.TrimSpace(lines[i]))
		switch {
		case err != nil:
			return nil, 0, p.errorf(i+1, "%v", err)
		case len(w) == 0:
		case w[0] == "end" && len(w) == 1:
			return body, i, nil
		case w[0] == "repeat":
			return nil, 0, p.errorf(i+1, "a repeat inside of a repeat")
		default:
			body = append(body, statement{i + 1, w})
		}
	}
	return nil, 0, p.errorf(at+1, "the repeat has no end")
}

// do does what a statement says. In a repetition $i is which one it is, counted from 0.
func (p *parser) do(s statement, round string) error {
	w := make([]string, len(s.words))
	for i, word := range s.words {
		if w[i] = substitute(word, round); round == "" && w[i] != word {
			return p.errorf(s.line, "%s stands in no repeat: write \"$i\" in quotes for the text", word)
		}
	}
	if err := p.line(w, s.line); err != nil {
		return p.errorf(s.line, "%v", err)
	}
	return nil
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
	w = longForm(w)
	op, ok := p.verbs[w[0]]
	if !ok {
		known := slices.Concat(slices.Sorted(maps.Keys(p.verbs)), []string{"tool", "alias", "repeat", "idle", "force", "reopen"}, Expecting)
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

// longForm is what a short form of a step stands for.
func longForm(w []string) []string {
	switch w[0] {
	case "idle":
		return []string{"checkpoint", bounding.BeforeQuery.String(), "gap=" + strings.Join(w[1:], " ")}
	case "force":
		return append([]string{"checkpoint", bounding.OnDemand.String()}, w[1:]...)
	case "reopen":
		return append([]string{"crash", "survive=100"}, w[1:]...)
	}
	return w
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

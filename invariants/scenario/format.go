package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/txtar"
)

// Format returns the scenario as a script that [Parse] reads. Texts of many lines stand in files behind it.
func Format(s Scenario) string { return Script{Scenario: s}.Format() }

// format returns the steps as lines, and the files that they name.
func format(s Scenario) (string, []txtar.File) {
	var f attached
	lines := formatLimits(s.Limits)
	steps := make([]string, len(s.Steps))
	for i, step := range s.Steps {
		steps[i] = f.step(step)
	}
	return strings.Join(append(lines, fold(steps)...), "\n") + "\n", f
}

// attached are the texts that are too long for a line.
type attached []txtar.File

// longText is from how many bytes on a text stands in a file, if it can.
const longText = 200

// name returns the name of the file with a text, or false if the text has to stand in the line.
func (f *attached) name(text string) (string, bool) {
	if len(text) < longText || !utf8.ValidString(text) || strings.ContainsAny(text, "\r\x00") {
		return "", false
	}
	for _, file := range *f {
		if string(file.Data) == text {
			return file.Name, true
		}
	}
	file := txtar.File{Name: fmt.Sprintf("text%d", len(*f)), Data: []byte(text)}
	back := txtar.Parse(txtar.Format(&txtar.Archive{Files: []txtar.File{file}}))
	if len(back.Files) != 1 || string(back.Files[0].Data) != text {
		return "", false // it does not end in a newline, or looks like an archive itself
	}
	*f = append(*f, file)
	return file.Name, true
}

// longest repetition that is folded, and how often it must stand there.
const (
	maxPeriod  = 8
	minRepeats = 3
)

// fold writes steps that repeat as a block.
func fold(steps []string) []string {
	var lines []string
	for i := 0; i < len(steps); {
		period, times := 0, 0
		for p := 1; p <= maxPeriod && i+p*minRepeats <= len(steps); p++ {
			n := 1
			for i+(n+1)*p <= len(steps) && slices.Equal(steps[i:i+p], steps[i+n*p:i+(n+1)*p]) {
				n++
			}
			if n >= minRepeats && n*p > period*times {
				period, times = p, n
			}
		}
		if times == 0 {
			lines = append(lines, steps[i])
			i++
			continue
		}
		lines = append(lines, "repeat "+strconv.Itoa(times))
		for _, step := range steps[i : i+period] {
			for line := range strings.Lines(step) {
				lines = append(lines, "  "+strings.TrimSuffix(line, "\n"))
			}
		}
		lines = append(lines, "end")
		i += period * times
	}
	return lines
}

// line collects the words of a step.
type line []string

func (l *line) add(words ...string) { *l = append(*l, words...) }

// option adds name=value unless it is the zero value.
func option[T comparable](l *line, name string, value T, pointer any) {
	var zero T
	if value != zero {
		l.add(name + "=" + get(pointer))
	}
}

func (l *line) flag(name string, on bool) {
	if on {
		l.add(name)
	}
}

func (l *line) text(name, value string) {
	if value != "" {
		l.add(name + "=" + quote(value))
	}
}

func (f *attached) step(s Step) string {
	l := line{verbs[s.Op].name}
	switch s.Op {
	case Call:
		l.add(quote(s.ID), quote(s.Tool), f.payload(s.Payload))
		option(&l, "status", s.Status, &s.Status)
		for _, p := range s.More {
			l.add("more=" + f.payload(p))
		}
		option(&l, "media", s.Media, &s.Media)
		l.flag("nested", s.Nested)
		for _, p := range s.Metadata {
			l.add("metadata=" + f.payload(p))
		}
		l.flag("bounded", s.Bounded)
		l.flag("protected", s.Protected)
		for _, path := range s.Files {
			l.add("file=" + quote(path))
		}
	case Batch:
		if len(s.Order) > 0 {
			order := make([]string, len(s.Order))
			for i, n := range s.Order {
				order[i] = strconv.Itoa(n)
			}
			l.add("order=" + strings.Join(order, ","))
		}
	case User:
		l.add(f.payload(s.Payload))
		option(&l, "media", s.Media, &s.Media)
	case Checkpoint:
		l.add(s.Trigger.String())
		option(&l, "gap", s.Gap, &s.Gap)
	case SetLimits:
		return strings.Join(formatLimits(*s.Limits), "\n")
	case Tighten:
		l.add(strconv.Itoa(s.Of))
	case Save:
		l.add(quote(s.ID), quote(s.Tool), f.payload(s.Payload))
		l.text("session", s.Session)
	case Read, Page:
		l.add(strconv.Itoa(s.Of))
		option(&l, "offset", s.Offset, &s.Offset)
		option(&l, "limit", s.Limit, &s.Limit)
		l.text("session", s.Session)
	case Reference:
		option(&l, "budget", s.Budget, &s.Budget)
		l.text("session", s.Session)
		step := strings.Join(l, " ")
		for _, source := range s.Sources {
			step += "\n  source " + quote(source.Session) + " " + quote(source.Label)
			for _, e := range source.Events {
				step += "\n    event " + quote(e.Kind) + " " + f.payload(e.Text)
			}
		}
		return step
	case Fault:
		l.add(strconv.Quote(s.Program))
	case Crash:
		l.add("survive=" + strconv.Itoa(s.Survive))
		option(&l, "seed", s.Seed, &s.Seed)
	case Advance, Sweep:
		l.add(formatDuration(s.Gap))
	case Plant:
		l.add(quote(s.ID))
	}
	return strings.Join(l, " ")
}

// verb is the first word of a step.
type verb struct {
	name  string
	usage string
}

var verbs = map[Op]verb{
	Call:       {"call", "call ID TOOL PAYLOAD [status=S] [more=PAYLOAD] [media=N] [nested] [metadata=PAYLOAD] [bounded] [protected] [file=PATH]"},
	Batch:      {"batch", "batch [order=1,0,2]"},
	Commit:     {"commit", "commit"},
	User:       {"user", "user PAYLOAD [media=N]"},
	Checkpoint: {"checkpoint", "checkpoint [before-tool-turn|before-query|on-demand|memory-pressure] [gap=DURATION]"},
	Tighten:    {"tighten", "tighten N"},
	SetLimits:  {"limits", "limits [strict|scaled|roomy|qwen] [FIELD=VALUE]"},
	Save:       {"save", "save ID TOOL PAYLOAD [session=ID]"},
	Read:       {"read", "read N [offset=BYTES] [limit=BYTES] [session=ID]"},
	Page:       {"page", "page N [limit=BYTES] [session=ID]"},
	Reference:  {"reference", "reference [budget=BYTES] [session=ID], then source ID LABEL and event KIND PAYLOAD"},
	Replay:     {"replay", "replay"},
	Diagnose:   {"diagnose", "diagnose"},
	Fault:      {"fault", `fault "PROGRAM"`},
	Cancel:     {"cancel", "cancel"},
	Crash:      {"crash", "crash survive=PERCENT [seed=N]"},
	Advance:    {"advance", "advance DURATION"},
	Sweep:      {"sweep", "sweep DURATION"},
	Plant:      {"plant", "plant session|artifact"},
}

// String is the word with which the step begins in a script.
func (o Op) String() string { return verbs[o].name }

package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// step reads the words behind the verb.
func (p *parser) step(s *Step, w []string) error {
	var err error
	switch s.Op {
	case Call, Save:
		if len(w) < 3 {
			return fmt.Errorf("expected an id, a tool and a payload, and there are %d words", len(w))
		}
		if s.ID, err = unquote(w[0]); err != nil {
			return err
		}
		if s.Tool, err = unquote(w[1]); err != nil {
			return err
		}
		if s.Payload, err = p.payload(w[2]); err != nil {
			return err
		}
		w = w[3:]
	case User:
		if len(w) < 1 {
			return fmt.Errorf("expected a payload")
		}
		if s.Payload, err = p.payload(w[0]); err != nil {
			return err
		}
		w = w[1:]
	case Checkpoint:
		if len(w) > 0 && !strings.Contains(w[0], "=") {
			if err := set(&s.Trigger, w[0]); err != nil {
				return err
			}
			w = w[1:]
		}
	case Tighten, Read, Page:
		if len(w) < 1 {
			return fmt.Errorf("expected the number of a call or a save, counted from 0")
		}
		if err := set(&s.Of, w[0]); err != nil {
			return err
		}
		w = w[1:]
	case Advance, Sweep:
		if len(w) < 1 {
			return fmt.Errorf("expected a duration")
		}
		if err := set(&s.Gap, w[0]); err != nil {
			return err
		}
		w = w[1:]
	case Plant:
		if len(w) < 1 {
			return fmt.Errorf("expected session or artifact")
		}
		if s.ID, err = unquote(w[0]); err != nil {
			return err
		}
		w = w[1:]
	case Fault:
		if len(w) < 1 {
			return fmt.Errorf("expected a program in quotes; an empty one ends all faults")
		}
		if s.Program, err = unquote(w[0]); err != nil {
			return err
		}
		w = w[1:]
	}
	for _, word := range w {
		if err := p.option(s, word); err != nil {
			return err
		}
	}
	return nil
}

// options are the words with which a step may end.
var options = map[Op][]string{
	Call:       {"status", "more", "media", "nested", "metadata", "bounded", "protected", "file"},
	Batch:      {"order"},
	User:       {"media"},
	Checkpoint: {"gap"},
	Save:       {"session"},
	Read:       {"offset", "limit", "session"},
	Page:       {"limit", "session"},
	Reference:  {"budget", "session"},
	Crash:      {"survive", "seed"},
}

func (p *parser) option(s *Step, word string) (err error) {
	name, value, _ := strings.Cut(word, "=")
	if !slices.Contains(options[s.Op], name) {
		if len(options[s.Op]) == 0 {
			return fmt.Errorf("expected the end of the line, and there is %q", word)
		}
		return fmt.Errorf("expected one of %s, and there is %q", strings.Join(options[s.Op], ", "), word)
	}
	switch name {
	case "status":
		return set(&s.Status, value)
	case "media":
		return set(&s.Media, value)
	case "gap":
		return set(&s.Gap, value)
	case "offset":
		return set(&s.Offset, value)
	case "limit":
		return set(&s.Limit, value)
	case "budget":
		return set(&s.Budget, value)
	case "survive":
		return set(&s.Survive, value)
	case "seed":
		return set(&s.Seed, value)
	case "session":
		s.Session, err = unquote(value)
	case "nested":
		s.Nested = true
	case "bounded":
		s.Bounded = true
	case "protected":
		s.Protected = true
	case "file":
		var file string
		file, err = unquote(value)
		s.Files = append(s.Files, file)
	case "more", "metadata":
		var payload Payload
		payload, err = p.payload(value)
		if name == "more" {
			s.More = append(s.More, payload)
		} else {
			s.Metadata = append(s.Metadata, payload)
		}
	case "order":
		for number := range strings.SplitSeq(value, ",") {
			n, err := strconv.Atoi(number)
			if err != nil {
				return fmt.Errorf("expected an order such as 1,0,2, and there is %q", value)
			}
			s.Order = append(s.Order, n)
		}
	}
	return err
}

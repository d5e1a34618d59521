package faultfs

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Program is what goes wrong, and when. It counts what happened, so a program is for one disk; it may be used by several
// goroutines.
type Program struct {
	rules []rule

	mu      sync.Mutex
	stopped bool
	signal  func()
	written int64
	seen    []string
	acted   int
}

type rule struct {
	action    string
	number    int    // of short and flip
	err       string // of fail and short
	condition condition
}

func (r rule) String() string {
	parts := []string{r.action}
	if takesNumber(r.action) {
		parts = append(parts, strconv.Itoa(r.number))
	}
	if takesError(r.action) {
		parts = append(parts, r.err)
	}
	if r.condition != nil {
		parts = append(parts, r.condition.String())
	}
	return "(" + strings.Join(parts, " ") + ")"
}

func takesNumber(action string) bool { return action == "short" || action == "flip" }
func takesError(action string) bool  { return action == "fail" || action == "short" }

// actions are the names of what a rule can do.
var actions = []string{"fail", "short", "flip", "lie", "panic", "signal"}

// operation is one thing that a store asks of its disk.
type operation struct {
	op, name string
	bytes    int64 // of a write
}

// String returns the program, as Parse reads it.
func (p *Program) String() string {
	var rules []string
	for _, r := range p.rules {
		rules = append(rules, r.String())
	}
	return strings.Join(rules, "\n")
}

// OnSignal sets what a rule with the action signal calls.
func (p *Program) OnSignal(call func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.signal = call
}

// Load replaces the rules by those of another program, and begins to count anew.
func (p *Program) Load(program string) error {
	parsed, err := Parse(program)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rules, p.stopped, p.written, p.acted, p.seen = parsed.rules, false, 0, 0, nil
	return nil
}

// Stop ends all faults. Operations are still counted.
func (p *Program) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped = true
}

// Operations returns the operations so far, one line each.
func (p *Program) Operations() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.seen)
}

// Acted is how often a rule has acted.
func (p *Program) Acted() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.acted
}

// decide returns the rule that acts on an operation, or nil.
func (p *Program) decide(op, name string, bytes int) *rule {
	p.mu.Lock()
	o := operation{op, name, int64(bytes)}
	p.seen = append(p.seen, op+" "+name)
	p.written += o.bytes
	i := slices.IndexFunc(p.rules, func(r rule) bool { return r.condition == nil || r.condition.holds(p, o) })
	if i < 0 || p.stopped {
		p.mu.Unlock()
		return nil
	}
	p.acted++
	r, signal := p.rules[i], p.signal
	p.mu.Unlock()
	if r.action == "signal" {
		if signal != nil {
			signal()
		}
		return nil
	}
	if r.action == "panic" {
		panic(fmt.Sprintf("faultfs: %s %s", op, name))
	}
	return &r
}

// condition says when a rule acts. It is asked with the lock of the program.
type condition interface {
	holds(p *Program, o operation) bool
	String() string
}

type ofKind []string

func (c ofKind) holds(_ *Program, o operation) bool { return slices.Contains(c, o.op) }
func (c ofKind) String() string                     { return "(op " + strings.Join(c, " ") + ")" }

type named string

func (c named) holds(_ *Program, o operation) bool {
	ok, err := path.Match(string(c), o.name)
	return ok && err == nil // Parse has tried the pattern
}
func (c named) String() string { return "(name " + strconv.Quote(string(c)) + ")" }

type counted struct {
	at, asked int
	later     bool
}

func (c *counted) holds(*Program, operation) bool {
	c.asked++
	return c.asked == c.at || c.later && c.asked > c.at
}

func (c *counted) String() string {
	if c.later {
		return fmt.Sprintf("(from %d)", c.at)
	}
	return fmt.Sprintf("(nth %d)", c.at)
}

type beyond int

func (c beyond) holds(p *Program, o operation) bool { return o.bytes > 0 && p.written > int64(c) }
func (c beyond) String() string                     { return fmt.Sprintf("(beyond %d)", int(c)) }

type all []condition

func (c all) holds(p *Program, o operation) bool {
	for _, each := range c {
		if !each.holds(p, o) {
			return false
		}
	}
	return true
}
func (c all) String() string { return list("and", c) }

type anyOf []condition

func (c anyOf) holds(p *Program, o operation) bool {
	return slices.ContainsFunc(c, func(each condition) bool { return each.holds(p, o) })
}
func (c anyOf) String() string { return list("or", c) }

type not struct{ condition }

func (c not) holds(p *Program, o operation) bool { return !c.condition.holds(p, o) }
func (c not) String() string                     { return "(not " + c.condition.String() + ")" }

func list(word string, of []condition) string {
	parts := []string{word}
	for _, c := range of {
		parts = append(parts, c.String())
	}
	return "(" + strings.Join(parts, " ") + ")"
}

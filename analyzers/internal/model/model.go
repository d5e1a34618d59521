package model

import (
	"maps"
	"slices"
	"sync"
)

// An Op is what a rule says about a function, a method, a type or a field.
type Op string

const (
	// Source: the places in Out carry output of the rule's Kind. For a function: its results or
	// out-parameters. For a field: every load of it.
	Source Op = "source"
	// Attach: a writer stored in the field (exec.Cmd.Stdout) or passed at In receives output of Kind.
	Attach Op = "attach"
	// Sink: what is passed at In enters a history, or what Kind (a code) says. For a field of a type:
	// what is stored in it.
	Sink Op = "sink"
	// Tool: a function value passed at In, or stored in the field, is registered as a tool; its results are sinks of Kind.
	Tool Op = "tool"
	// Method: in a type that implements the interface Recv the method Name, which need not be one of the
	// interface's own, is a tool function; its results are sinks of Kind.
	Method Op = "method"
	// History: the named type (or field) is a conversation history or an element of one.
	History Op = "history"
	// Bound: the places in Out are bounded, by the number or length at By when there is one. What is at In, when
	// the rule has one, is what was bounded. For a field: what is stored in it or loaded from it; By then names
	// other fields of the type.
	Bound Op = "bound"
	// Guard: the call measures In; a comparison of the result, or of its length, with a limit is a guard for In.
	Guard Op = "guard"
	// Clean: the places in Out carry nothing (hashes, model replies, embedded files). For a field: every load of it.
	Clean Op = "clean"
	// Flow: what is at In is found again at Out, and nothing else flows through the call. A result in In is a
	// writer: what is written to it is meant.
	Flow Op = "flow"
)

// A Place is a position in a call: a parameter or result by index or name, or the receiver.
type Place struct {
	Recv   bool
	Result bool
	Index  int    // 0-based; -1 when Name is set or every one is meant
	Name   string // parameter or result name, matched without regard to case; "" when Index or all is meant
	Field  string // a field of the value at that place; "" means the whole value
}

// A Rule is one line of a model file.
type Rule struct {
	Op    Op
	Kind  string // source kind, or BC code of a sink; "" where the op has none
	Pkg   string // import path pattern, without major version; see [MatchPath]
	Recv  string // type name, "" for a function; "*" for any
	Name  string // function, method or field name; a type rule has only Recv
	Field bool   // the rule is about the field Recv.Name, not about a method
	In    []Place
	Out   []Place
	By    []Place // where a bound's limit is
	Limit int64   // a fixed limit in bytes, 0 when none
	Pos   string  // "file:line", for messages
}

// A Set is a collection of rules with fast look-up. The zero Set is empty and ready to use. Once filled it may be
// read by many goroutines.
type Set struct {
	base     *blocks           // the built-in rules, nil in a set without them
	exact    map[string][]Rule // normalised path -> rules
	patterns []patternRules    // in the order in which the patterns first came
	size     int
	answers  sync.Map // import path -> []Rule: an analysis asks for the same few packages again and again
}

// patternRules are the rules that share one pattern, so that a look-up matches it once.
type patternRules struct {
	pkg   string
	rules []Rule
}

// Add puts rules into the set. Later rules do not replace earlier ones: all that match apply.
func (s *Set) Add(rules ...Rule) {
	s.answers.Clear()
	for _, r := range rules {
		s.size++
		if isPattern(r.Pkg) {
			s.addPattern(r)
			continue
		}
		if s.exact == nil {
			s.exact = map[string][]Rule{}
		}
		s.exact[r.Pkg] = append(s.exact[r.Pkg], r)
	}
}

func (s *Set) addPattern(r Rule) {
	for i := range s.patterns {
		if s.patterns[i].pkg == r.Pkg {
			s.patterns[i].rules = append(s.patterns[i].rules, r)
			return
		}
	}
	s.patterns = append(s.patterns, patternRules{r.Pkg, []Rule{r}})
}

// Clone returns a set with the same rules, to which others can be added.
func (s *Set) Clone() *Set {
	c := &Set{base: s.base, exact: maps.Clone(s.exact), patterns: slices.Clone(s.patterns), size: s.size}
	// Cut capacities, so that no append of the clone writes into an array of the original.
	for pkg, rules := range c.exact {
		c.exact[pkg] = slices.Clip(rules)
	}
	for i := range c.patterns {
		c.patterns[i].rules = slices.Clip(c.patterns[i].rules)
	}
	return c
}

// Len is the number of rules in the set.
func (s *Set) Len() int {
	if s.base == nil {
		return s.size
	}
	return s.base.len() + s.size
}

// For returns the rules of one package, given by its import path as the compiler has it. The caller must not
// change them.
func (s *Set) For(importPath string) []Rule {
	if rules, ok := s.answers.Load(importPath); ok {
		return rules.([]Rule)
	}
	rules := slices.Clip(s.find(Normalize(importPath))) // what a caller appends goes elsewhere
	s.answers.Store(importPath, rules)
	return rules
}

// find collects the rules of a normalised path: those of exact paths, then those of patterns.
func (s *Set) find(p string) []Rule {
	var rules []Rule
	if s.base != nil {
		rules = of(rules, s.base.exact[p], p)
	}
	rules = append(rules, s.exact[p]...)
	if s.base != nil {
		for _, e := range s.base.patterns {
			if MatchPath(e.pkg, p) {
				rules = of(rules, e.blocks, e.pkg)
			}
		}
	}
	for _, e := range s.patterns {
		if MatchPath(e.pkg, p) {
			rules = append(rules, e.rules...)
		}
	}
	return rules
}

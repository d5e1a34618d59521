package model

import (
	"regexp"
	"strings"
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
	// Method: an implementation of this interface method is a tool function; its results are sinks of Kind.
	Method Op = "method"
	// History: the named type (or field) is a conversation history or an element of one.
	History Op = "history"
	// Bound: the places in Out are bounded, by the number or length at By when there is one.
	Bound Op = "bound"
	// Guard: the call measures In; a comparison of the result with a limit is a guard for In.
	Guard Op = "guard"
	// Clean: the places in Out carry nothing (hashes, model replies, embedded files).
	Clean Op = "clean"
	// Flow: what is at In is found again at Out, and nothing else flows through the call.
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

// A Set is a collection of rules with fast look-up. The zero Set is empty and ready to use.
type Set struct {
	exact    map[string][]Rule // normalised path -> rules
	patterns []Rule            // rules whose Pkg has a wildcard
}

// Add puts rules into the set. Later rules do not replace earlier ones: all that match apply.
func (s *Set) Add(rules ...Rule) {
	for _, r := range rules {
		if strings.Contains(r.Pkg, "...") || strings.Contains(r.Pkg, "*") {
			s.patterns = append(s.patterns, r)
			continue
		}
		if s.exact == nil {
			s.exact = map[string][]Rule{}
		}
		s.exact[r.Pkg] = append(s.exact[r.Pkg], r)
	}
}

// For returns the rules of one package, given by its import path as the compiler has it.
func (s *Set) For(importPath string) []Rule {
	p := Normalize(importPath)
	rules := s.exact[p]
	for _, r := range s.patterns {
		if MatchPath(r.Pkg, p) {
			rules = append(rules[:len(rules):len(rules)], r)
		}
	}
	return rules
}

var majorVersion = regexp.MustCompile(`/v[0-9]+(/|$)|\.v[0-9]+$`)

// Normalize drops what must not matter for matching: vendor directories, test-variant suffixes and major versions
// ("/v2" elements, gopkg.in's ".v3").
func Normalize(importPath string) string {
	if i := strings.Index(importPath, " ["); i >= 0 {
		importPath = importPath[:i]
	}
	if i := strings.LastIndex(importPath, "/vendor/"); i >= 0 {
		importPath = importPath[i+len("/vendor/"):]
	}
	return majorVersion.ReplaceAllStringFunc(importPath, func(m string) string {
		if strings.HasSuffix(m, "/") {
			return "/"
		}
		return ""
	})
}

// MatchPath reports whether a normalised import path matches a pattern: "..." stands for anything, also nothing,
// and "*" for one path element or a part of one.
func MatchPath(pattern, importPath string) bool {
	for {
		i := strings.IndexAny(pattern, "*.")
		for i >= 0 && pattern[i] == '.' && !strings.HasPrefix(pattern[i:], "...") {
			j := strings.IndexAny(pattern[i+1:], "*.")
			if j < 0 {
				i = -1
				break
			}
			i += 1 + j
		}
		if i < 0 {
			return pattern == importPath
		}
		if !strings.HasPrefix(importPath, pattern[:i]) {
			return false
		}
		importPath = importPath[i:]
		if pattern[i] == '*' {
			pattern = pattern[i+1:]
			for k := 0; ; k++ {
				if MatchPath(pattern, importPath[k:]) {
					return true
				}
				if k == len(importPath) || importPath[k] == '/' {
					return false
				}
			}
		}
		pattern = pattern[i+3:]
		for k := 0; k <= len(importPath); k++ {
			if MatchPath(pattern, importPath[k:]) {
				return true
			}
		}
		return false
	}
}

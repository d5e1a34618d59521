package model

import (
	"errors"
	"fmt"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// Kinds are the kinds of output that a source or attach line may name.
var Kinds = []string{"process", "file", "http", "mcp", "database", "kubernetes", "ssh", "browser", "remote", "tool"}

// Codes are the finding codes that a sink, tool or method line may name.
var Codes = []string{"BC1001", "BC1002", "BC1003", "BC1004", "BC1005"}

// Parse reads a model file; name is used in messages and in the rules' Pos. If lines are wrong, the error has one
// sentence a line, for all of them, and there are no rules.
func Parse(name string, src []byte) ([]Rule, error) { return parseFrom(name, 1, string(src)) }

// parseFrom parses a part of a model file, of which the first line has the number first.
func parseFrom(name string, first int, src string) ([]Rule, error) {
	var (
		rules []Rule
		pkgs  []string
		errs  []error
	)
	n := first - 1
	for line := range strings.Lines(src) {
		n++
		words := strings.Fields(stripComment(line))
		if len(words) == 0 {
			continue
		}
		pos := name + ":" + strconv.Itoa(n)
		var err error
		if words[0] == "package" {
			// Even a wrong package line ends the previous block: its rules must not fall to another package.
			pkgs, err = parsePackage(words[1:])
		} else {
			var rs []Rule
			rs, err = parseRule(words, pkgs, pos)
			rules = append(rules, rs...)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", pos, err))
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return rules, nil
}

// stripComment cuts a line at a "#" that begins a word.
func stripComment(line string) string {
	for i, c := range line {
		if c == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t') {
			return line[:i]
		}
	}
	return line
}

func parsePackage(paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, errors.New("package needs an import path, such as os/exec or .../openai-go")
	}
	pkgs := make([]string, 0, len(paths))
	for _, p := range paths {
		if p[0] == '/' || p[len(p)-1] == '/' || strings.Contains(p, "//") || strings.ContainsAny(p, "\"'`:@,;()[]{}\\") {
			return pkgs, fmt.Errorf("%q is not an import path; write it as in an import, without quotes and version", p)
		}
		if p = Normalize(p); !slices.Contains(pkgs, p) {
			pkgs = append(pkgs, p)
		}
	}
	return pkgs, nil
}

// need says whether a part of a line may, must or must not be there.
type need int

const (
	never need = iota
	maybe
	always
)

// A grammar is what may follow an op.
type grammar struct {
	kinds  []string // allowed words after the op; nil when it has none
	call   bool     // the subject may be a function or a method
	method bool     // the subject may only be a method
	field  bool     // the subject may be a field
	typ    bool     // a bare name is a type
	in     need     // of a call
	out    need     // of a call
	by     bool     // "by" and "limit" are allowed
}

var grammars = map[Op]grammar{
	Source:  {kinds: Kinds, call: true, field: true, out: always},
	Attach:  {kinds: Kinds, call: true, field: true, in: always},
	Sink:    {kinds: Codes, call: true, field: true, in: always},
	Tool:    {kinds: Codes, call: true, field: true, in: always},
	Method:  {kinds: Codes, method: true},
	History: {typ: true, field: true},
	Bound:   {call: true, field: true, in: maybe, out: maybe, by: true},
	Guard:   {call: true, in: always},
	Clean:   {call: true, field: true, out: maybe},
	Flow:    {call: true, in: always, out: always},
}

var ops = []Op{Source, Attach, Sink, Tool, Method, History, Bound, Guard, Clean, Flow}

func parseRule(words, pkgs []string, pos string) ([]Rule, error) {
	op := Op(words[0])
	g, ok := grammars[op]
	if !ok {
		return nil, fmt.Errorf("%q cannot begin a line; use package, %s", op, oneOf(ops))
	}
	if len(pkgs) == 0 {
		return nil, fmt.Errorf("%s stands before any valid package line; put \"package PATH\" above it", op)
	}
	words = words[1:]
	r := Rule{Op: op, Pos: pos}
	if g.kinds != nil {
		if len(words) == 0 || !slices.Contains(g.kinds, words[0]) {
			return nil, fmt.Errorf("%s of %q; use %s", op, first(words), oneOf(g.kinds))
		}
		r.Kind, words = words[0], words[1:]
	}
	if len(words) > 0 && words[0] == "field" {
		if !g.field {
			return nil, fmt.Errorf("%s cannot be about a field; name %s", op, g.subject())
		}
		r.Field, words = true, words[1:]
	}
	if len(words) == 0 {
		return nil, fmt.Errorf("%s names nothing; add %s", op, g.subject())
	}
	subjects := words[0]
	if err := r.parsePlaces(words[1:]); err != nil {
		return nil, err
	}
	if err := r.check(g); err != nil {
		return nil, err
	}
	var rules []Rule
	for s := range strings.SplitSeq(subjects, ",") {
		if err := r.parseSubject(s, g); err != nil {
			return nil, err
		}
		for _, r.Pkg = range pkgs {
			rules = append(rules, r)
		}
	}
	return rules, nil
}

// subject describes what a line with this grammar is about.
func (g grammar) subject() string {
	var forms []string
	if g.call {
		forms = append(forms, "a function or Type.Method")
	}
	if g.method {
		forms = append(forms, "Interface.Method")
	}
	if g.typ {
		forms = append(forms, "a type")
	}
	if g.field {
		forms = append(forms, "field Type.Field")
	}
	return strings.Join(forms, " or ")
}

func (r *Rule) parseSubject(s string, g grammar) error {
	bad := func() error {
		return fmt.Errorf("%q is not what %s can be about; write %s", s, r.Op, g.subject())
	}
	recv, name, dotted := strings.Cut(dropTypeParams(s), ".")
	if dotted {
		if inner, ok := strings.CutPrefix(recv, "("); ok {
			if inner, ok = strings.CutSuffix(inner, ")"); !ok {
				return bad()
			}
			recv = strings.TrimPrefix(inner, "*")
		}
		if recv != "*" && !token.IsIdentifier(recv) || !token.IsIdentifier(name) {
			return bad()
		}
		if !r.Field && !g.call && !g.method {
			return bad()
		}
		r.Recv, r.Name = recv, name
		return nil
	}
	if r.Field || g.method || !token.IsIdentifier(recv) {
		return bad()
	}
	if g.typ {
		r.Recv, r.Name = recv, ""
	} else {
		r.Recv, r.Name = "", recv
	}
	return nil
}

// dropTypeParams cuts a "[T]" out of a name, as rules mean the generic declaration.
func dropTypeParams(s string) string {
	open := strings.IndexByte(s, '[')
	shut := strings.LastIndexByte(s, ']')
	if open > 0 && shut > open {
		return s[:open] + s[shut+1:]
	}
	return s
}

// parsePlaces reads what follows the subject: [IN...] [-> OUT...] [by PLACE...] [limit N].
func (r *Rule) parsePlaces(words []string) error {
	section, dst := "", &r.In
	for i, w := range words {
		next := &r.Out
		switch w {
		case "by":
			next = &r.By
			fallthrough
		case "->":
			if w == section || len(*next) > 0 {
				return fmt.Errorf("%q stands twice on the line; put all its places after the first", w)
			}
			if err := filled(section, *dst); err != nil {
				return err
			}
			section, dst = w, next
		case "limit":
			if err := filled(section, *dst); err != nil {
				return err
			}
			return r.parseLimit(words[i+1:])
		default:
			p, err := parsePlace(w)
			if err != nil {
				return err
			}
			*dst = append(*dst, p)
		}
	}
	return filled(section, *dst)
}

// filled reports a section that was opened and holds nothing.
func filled(section string, places []Place) error {
	if section != "" && len(places) == 0 {
		return fmt.Errorf("nothing follows %q; name a parameter, argN, recv or resultN", section)
	}
	return nil
}

// parseLimit reads the end of a line after "limit".
func (r *Rule) parseLimit(words []string) error {
	n, err := strconv.ParseInt(first(words), 10, 64)
	if err != nil || n <= 0 {
		return fmt.Errorf("limit %q; write a number of bytes above 0", first(words))
	}
	if len(words) > 1 {
		return fmt.Errorf("%q stands after limit, which must end the line; put it before", words[1])
	}
	r.Limit = n
	return nil
}

// check compares the places of a rule with what its op allows, and fills in the results that bound and clean mean
// when they name none.
func (r *Rule) check(g grammar) error {
	in, out := g.in, g.out
	if !g.call || r.Field {
		in, out = never, never
	}
	switch {
	case in == always && len(r.In) == 0:
		return fmt.Errorf("%s of a call names no parameter; add its name, argN, arg* or recv", r.Op)
	case in == never && len(r.In) > 0:
		return fmt.Errorf("%s here takes nothing at %q; leave it out%s", r.Op, r.In[0], hint(out))
	case out == always && len(r.Out) == 0:
		return fmt.Errorf("%s of a call does not say where to; add \"->\" and resultN, a parameter or recv", r.Op)
	case out == never && len(r.Out) > 0:
		return fmt.Errorf("%s here has no place after \"->\"; leave out %q", r.Op, r.Out[0])
	case !g.by && (len(r.By) > 0 || r.Limit > 0):
		return fmt.Errorf("%s has no \"by\" or \"limit\"; only bound has", r.Op)
	case r.Field && !areNames(r.By):
		return fmt.Errorf("%s of a field can only be by other fields of the type; write their names or \"limit N\"", r.Op)
	case r.Op != Flow && slices.ContainsFunc(r.In, func(p Place) bool { return p.Result }):
		return fmt.Errorf("%s cannot be about a result before \"->\"; results stand after \"->\"", r.Op)
	case slices.ContainsFunc(r.By, func(p Place) bool { return p.Result }):
		return fmt.Errorf("%s cannot be by a result; name the parameter that holds the limit", r.Op)
	}
	if out == maybe && len(r.Out) == 0 {
		r.Out = []Place{{Result: true, Index: -1}}
	}
	return nil
}

// areNames reports whether every place is a bare name.
func areNames(places []Place) bool {
	return !slices.ContainsFunc(places, func(p Place) bool { return p.Name == "" || p.Result || p.Field != "" })
}

// hint adds the way out where a result was probably meant.
func hint(out need) string {
	if out == never {
		return ""
	}
	return `, or put it after "->"`
}

// first is the first word, or "" when there is none.
func first(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

// oneOf lists words as "a, b or c".
func oneOf[S ~string](words []S) string {
	var b strings.Builder
	for i, w := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(string(w))
	}
	return b.String()
}

package faultfs

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"text/scanner"
)

// Parse reads a program. An error names the line and the column, what was expected and what was there.
func Parse(program string) (*Program, error) {
	p := &parser{}
	p.scanner.Init(strings.NewReader(program))
	p.scanner.Mode = scanner.ScanIdents | scanner.ScanInts | scanner.ScanStrings
	p.scanner.Error = func(_ *scanner.Scanner, message string) { p.fail("%s", message) }
	p.next()
	parsed := &Program{}
	for p.err == nil && p.token != scanner.EOF {
		parsed.rules = append(parsed.rules, p.rule())
	}
	if p.err != nil {
		return nil, p.err
	}
	return parsed, nil
}

type parser struct {
	scanner scanner.Scanner
	token   rune
	depth   int
	err     error
}

// maxDepth bounds how deep conditions nest, so that no program exhausts the stack.
const maxDepth = 100

func (p *parser) next() { p.token = p.scanner.Scan() }

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		at := p.scanner.Position
		if !at.IsValid() {
			at = p.scanner.Pos()
		}
		p.err = fmt.Errorf("faultfs: %d:%d: %s", at.Line, at.Column, fmt.Sprintf(format, args...))
	}
	p.token = scanner.EOF
}

// there is the token as errors show it.
func (p *parser) there() string {
	if p.token == scanner.EOF {
		return "the end"
	}
	return strconv.Quote(p.scanner.TokenText())
}

func (p *parser) expect(token rune) {
	if p.token != token {
		p.fail("expected %q, and there is %s", string(token), p.there())
		return
	}
	p.next()
}

// word takes one of a list of words.
func (p *parser) word(what string, words []string) string {
	text := p.scanner.TokenText()
	if p.token != scanner.Ident || !slices.Contains(words, text) {
		p.fail("expected %s, which is one of %s, and there is %s", what, strings.Join(words, ", "), p.there())
		return ""
	}
	p.next()
	return text
}

func (p *parser) number(least int) int {
	n, err := strconv.Atoi(p.scanner.TokenText())
	if p.token != scanner.Int || err != nil || n < least {
		p.fail("expected a number of at least %d, and there is %s", least, p.there())
		return 0
	}
	p.next()
	return n
}

func (p *parser) rule() rule {
	p.expect('(')
	r := rule{action: p.word("an action", actions)}
	if takesNumber(r.action) {
		r.number = p.number(0)
	}
	if takesError(r.action) {
		r.err = p.word("an error", errorNames)
	}
	if p.err == nil && p.token != ')' && p.token != scanner.EOF {
		r.condition = p.condition()
	}
	p.expect(')')
	return r
}

var conditions = []string{"op", "name", "nth", "from", "beyond", "and", "or", "not"}

func (p *parser) condition() (c condition) {
	if p.depth++; p.depth > maxDepth {
		p.fail("conditions nest more than %d deep", maxDepth)
		return nil
	}
	defer func() { p.depth-- }()
	p.expect('(')
	switch p.word("a condition", conditions) {
	case "op":
		kinds := ofKind{p.word("an operation", operationNames)}
		for p.err == nil && p.token != ')' {
			kinds = append(kinds, p.word("an operation", operationNames))
		}
		c = kinds
	case "name":
		c = p.pattern()
	case "nth":
		c = &counted{at: p.number(1)}
	case "from":
		c = &counted{at: p.number(1), later: true}
	case "beyond":
		c = beyond(p.number(0))
	case "and":
		c = all(p.conditions())
	case "or":
		c = anyOf(p.conditions())
	case "not":
		c = not{p.condition()}
	}
	p.expect(')')
	return c
}

func (p *parser) pattern() condition {
	pattern, err := strconv.Unquote(p.scanner.TokenText())
	if p.token != scanner.String || err != nil {
		p.fail("expected a pattern in quotes, and there is %s", p.there())
		return nil
	}
	if _, err := path.Match(pattern, ""); err != nil {
		p.fail("the pattern %q is none of path.Match", pattern)
		return nil
	}
	p.next()
	return named(pattern)
}

func (p *parser) conditions() []condition {
	var list []condition
	for p.err == nil && p.token != ')' {
		list = append(list, p.condition())
	}
	if len(list) == 0 {
		p.fail("expected a condition, and there is %s", p.there())
	}
	return list
}

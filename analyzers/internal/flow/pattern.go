package flow

import (
	"regexp"
	"sync"
)

// A pattern is a regular expression that is compiled when it is first used, and remembers its answers. Under go vet the
// program starts once for each package of the standard library too, and there it uses none; elsewhere it is asked about
// the same names again and again.
type pattern struct {
	expr    string
	mu      sync.Mutex
	re      *regexp.Regexp
	answers map[string]bool
}

func lazy(expr string) *pattern { return &pattern{expr: expr} }

// MatchString reports whether the text matches.
func (p *pattern) MatchString(s string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, ok := p.answers[s]
	if ok {
		return r
	}
	if p.re == nil {
		p.re = regexp.MustCompile(p.expr)
		p.answers = map[string]bool{}
	}
	r = p.re.MatchString(s)
	p.answers[s] = r
	return r
}

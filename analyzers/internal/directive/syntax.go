package directive

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/analyzers/internal/model"
)

const prefix = "//boundcheck:"

// The words of the language.
const (
	wordSource  = "source"
	wordSink    = "sink"
	wordBound   = "bound"
	wordHistory = "history"
	wordIgnore  = "ignore"
)

var words = []string{wordBound, wordHistory, wordIgnore, wordSink, wordSource}

// problemCode is the code under which a driver reports a [Problem].
const problemCode = "BC0001"

// codes are all codes a finding can have, sorted.
var codes = slices.Concat([]string{problemCode, "BC0002", "BC0003"}, model.Codes)

const (
	defaultKind = "tool"
	defaultCode = "BC1001"
)

// Codes returns every code that a finding of this module can have, sorted.
func Codes() []string { return slices.Clone(codes) }

// A directive is one comment, split but not yet understood.
type directive struct {
	word     string
	args     []string
	pos, end token.Pos
}

// parse splits a comment; ok is false when it is no directive and does not look like one.
func parse(c *ast.Comment) (d directive, ok bool) {
	text, ok := strings.CutPrefix(c.Text, prefix)
	if !ok {
		return d, false
	}
	d = directive{pos: c.Pos(), end: c.End()}
	if i := remark(text); i >= 0 {
		text = text[:i]
	}
	fields := strings.Fields(text)
	if len(fields) > 0 && strings.HasPrefix(text, fields[0]) {
		d.word, d.args = fields[0], fields[1:]
	} else {
		d.args = fields
	}
	return d, true
}

// remark returns where a trailing remark begins, or -1. Slashes count only after a space, so that a reason may hold an
// address.
func remark(text string) int {
	for i := range text {
		if strings.HasPrefix(text[i:], " //") || strings.HasPrefix(text[i:], "\t//") {
			return i
		}
	}
	return -1
}

// spaced returns the word when a comment is a directive but for a space after the slashes.
func spaced(c *ast.Comment) (string, bool) {
	text, ok := strings.CutPrefix(c.Text, "// ")
	if !ok {
		return "", false
	}
	text, ok = strings.CutPrefix(strings.TrimLeft(text, " "), "boundcheck:")
	if !ok {
		return "", false
	}
	word, _, _ := strings.Cut(text, " ")
	return word, slices.Contains(words, word)
}

// oneOf checks the single optional argument of a directive against a closed list. The second result is a sentence
// when it is not on it.
func oneOf(d directive, what, standard string, known []string) (string, string) {
	switch {
	case len(d.args) == 0:
		return standard, ""
	case len(d.args) > 1:
		return "", tooMany(d)
	case !slices.Contains(known, d.args[0]):
		return "", fmt.Sprintf("boundcheck:%s has no %s %q%s; it takes one of %s",
			d.word, what, d.args[0], suggest(d.args[0], known), strings.Join(known, ", "))
	}
	return d.args[0], ""
}

func limit(d directive) (int64, string) {
	switch len(d.args) {
	case 0:
		return 0, ""
	case 1:
		n, err := strconv.ParseInt(d.args[0], 0, 64)
		if err != nil || n <= 0 {
			return 0, fmt.Sprintf("boundcheck:bound takes a positive number of bytes, such as 65536 or 64_000, not %q", d.args[0])
		}
		return n, ""
	}
	return 0, tooMany(d)
}

func tooMany(d directive) string {
	return fmt.Sprintf("boundcheck:%s takes at most one argument, and here are %d; put a remark behind //", d.word, len(d.args))
}

// reason splits the arguments of an ignore into its codes and whether a reason follows them. A comma at the end of
// an argument says that the list goes on.
func reason(d directive) (list []string, given bool) {
	rest := d.args
	for more := true; more && len(rest) > 0; rest = rest[1:] {
		more = strings.HasSuffix(rest[0], ",")
		for c := range strings.SplitSeq(rest[0], ",") {
			if c != "" && !slices.Contains(list, c) {
				list = append(list, c)
			}
		}
	}
	return list, len(rest) > 0
}

// suggest returns ", did you mean …" when something on the list is near enough to be what was meant.
func suggest(got string, known []string) string {
	best, least := "", 3
	for _, k := range known {
		if n := distance(strings.ToLower(got), strings.ToLower(k)); n < least {
			best, least = k, n
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(", did you mean %q", best)
}

// distance is the number of letters to insert, delete or replace.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

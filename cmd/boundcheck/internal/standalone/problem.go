package standalone

import (
	"errors"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/report"
	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/source"
)

// problem says in one sentence why a package cannot be analysed, if so: what the go command found comes before
// what the type checker makes of it.
func (c *checker) problem(n *node, errs []*source.Error) (report.Problem, bool) {
	var all []*source.Error
	for _, e := range n.meta.Errors {
		if e.Kind == packages.ListError || e.Kind == packages.UnknownError {
			all = append(all, c.listed(e))
		}
	}
	if len(all) == 0 {
		all = errs
	}
	if len(all) == 0 {
		return report.Problem{}, false
	}
	slices.SortStableFunc(all, source.Compare)
	first := all[0]
	p := report.Problem{Package: n.meta.PkgPath, Line: first.Pos.Line, Message: oneLine(first.Message)}
	if strings.HasPrefix(p.Message, "pattern ") {
		p.Package = "" // the go command makes a package of the pattern
	}
	if first.Pos.Filename != "" {
		p.File = c.name(first.Pos.Filename)
	}
	if more := len(all) - 1; more > 0 {
		p.Message += fmt.Sprintf(" (and %d more)", more)
	}
	return p, true
}

// listed takes an error of the go command apart. Its position is "file:line:col" or less; what a compiler said has it
// in the text, below a line with the name of the package.
func (c *checker) listed(e packages.Error) *source.Error {
	pos, msg := e.Pos, e.Msg
	if strings.HasPrefix(msg, "# ") {
		msg = compilerMessage(msg)
		if before, after, ok := strings.Cut(msg, ": "); ok && position(before).Line > 0 {
			pos, msg = before, after
		}
	}
	err := &source.Error{Message: msg}
	if at := position(pos); at.Line > 0 {
		err.Pos = at
		if !filepath.IsAbs(at.Filename) {
			err.Pos.Filename = filepath.Join(c.opt.Dir, at.Filename)
		}
	}
	if strings.HasPrefix(msg, "pattern ") && strings.Contains(msg, "does not contain main module") {
		err.Message += "; run boundcheck inside a module, or name the directory of one with -C"
	}
	return err
}

// compilerMessage is the first line of what a compiler said, without the heading.
func compilerMessage(s string) string {
	if heading, rest, ok := strings.Cut(s, "\n"); ok && strings.HasPrefix(heading, "# ") {
		s = rest
	}
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// position reads "file:line:col" or "file:line"; the line is 0 when there is none.
func position(s string) (pos token.Position) {
	parts := strings.Split(s, ":")
	numbers := 0
	for numbers < 2 && numbers < len(parts)-1 {
		n, err := strconv.Atoi(parts[len(parts)-1-numbers])
		if err != nil {
			break
		}
		pos.Line, pos.Column = n, pos.Line
		numbers++
	}
	pos.Filename = strings.Join(parts[:len(parts)-numbers], ":")
	return pos
}

// oneLine makes a sentence of what the go command spreads over several lines.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// tidy drops the command line and the exit status from an error of the go command.
func tidy(err error) error {
	s := oneLine(err.Error())
	if _, rest, ok := strings.Cut(s, "exit status "); ok {
		if _, message, ok := strings.Cut(rest, ": "); ok {
			s = message
		}
	}
	return errors.New(strings.TrimPrefix(s, "stderr: "))
}

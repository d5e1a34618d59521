package standalone

import (
	"errors"
	"fmt"
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
			all = append(all, listed(e))
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
	if first.Pos.Filename != "" {
		p.File = c.name(first.Pos.Filename)
	}
	if more := len(all) - 1; more > 0 {
		p.Message += fmt.Sprintf(" (and %d more)", more)
	}
	return p, true
}

// listed takes an error of the go command apart; its position is "file:line:col" or less.
func listed(e packages.Error) *source.Error {
	err := &source.Error{Message: e.Msg}
	parts := strings.Split(e.Pos, ":")
	numbers := 0
	for numbers < 2 && numbers < len(parts)-1 {
		if _, convErr := strconv.Atoi(parts[len(parts)-1-numbers]); convErr != nil {
			break
		}
		numbers++
	}
	if numbers == 0 {
		return err
	}
	err.Pos.Filename = filepath.Clean(strings.Join(parts[:len(parts)-numbers], ":"))
	err.Pos.Line, _ = strconv.Atoi(parts[len(parts)-numbers])
	return err
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

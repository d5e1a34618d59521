package model

import (
	"fmt"
	"go/token"
	"strconv"
	"strings"
)

// parsePlace reads one place of a call. See the package documentation for the forms.
func parsePlace(w string) (Place, error) {
	bad := func() (Place, error) {
		return Place{}, fmt.Errorf("%q is not a place; write a parameter's name, argN, arg*, arg:NAME, recv, resultN, result* or result:NAME, with .Field if only that is meant", w)
	}
	base, field, dotted := strings.Cut(w, ".")
	if dotted && !token.IsIdentifier(field) {
		return bad()
	}
	p := Place{Index: -1, Field: field}
	if base == "recv" {
		p.Recv, p.Index = true, 0
		return p, nil
	}
	rest := base
	for _, side := range []string{"arg", "result"} {
		tail, ok := strings.CutPrefix(base, side)
		if !ok {
			continue
		}
		p.Result = side == "result"
		if tail == "*" {
			return p, nil
		}
		if n, err := strconv.Atoi(tail); err == nil && n >= 0 && tail[0] != '+' {
			p.Index = n
			return p, nil
		}
		if name, ok := strings.CutPrefix(tail, ":"); ok {
			rest = name
		} else {
			p.Result = false
		}
		break
	}
	if !token.IsIdentifier(rest) {
		return bad()
	}
	p.Name = rest
	return p, nil
}

// String is the place as a model file has it.
func (p Place) String() string {
	side := "arg"
	if p.Result {
		side = "result"
	}
	var s string
	switch {
	case p.Recv:
		s = "recv"
	case p.Name != "" && (p.Result || reserved(p.Name)):
		s = side + ":" + p.Name
	case p.Name != "":
		s = p.Name
	case p.Index < 0:
		s = side + "*"
	default:
		s = side + strconv.Itoa(p.Index)
	}
	if p.Field != "" {
		s += "." + p.Field
	}
	return s
}

// reserved reports whether a bare name would be read as something else than a parameter.
func reserved(name string) bool {
	if name == "by" || name == "limit" {
		return true
	}
	p, err := parsePlace(name)
	return err != nil || p.Name != name
}

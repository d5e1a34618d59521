package model

import (
	"strconv"
	"strings"
)

// String is the rule as a line of a model file, without its package.
func (r Rule) String() string {
	words := []string{string(r.Op)}
	if r.Kind != "" {
		words = append(words, r.Kind)
	}
	if r.Field {
		words = append(words, "field")
	}
	switch {
	case r.Name == "":
		words = append(words, r.Recv)
	case r.Recv == "":
		words = append(words, r.Name)
	default:
		words = append(words, r.Recv+"."+r.Name)
	}
	words = appendPlaces(words, r.In)
	if len(r.Out) > 0 {
		words = appendPlaces(append(words, "->"), r.Out)
	}
	if len(r.By) > 0 {
		words = appendPlaces(append(words, "by"), r.By)
	}
	if r.Limit > 0 {
		words = append(words, "limit", strconv.FormatInt(r.Limit, 10))
	}
	return strings.Join(words, " ")
}

func appendPlaces(words []string, places []Place) []string {
	for _, p := range places {
		words = append(words, p.String())
	}
	return words
}

// Format writes rules as a model file that [Parse] reads back as the same rules, in the same order.
func Format(rules []Rule) []byte {
	var b strings.Builder
	pkg := ""
	for _, r := range rules {
		if r.Pkg != pkg {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			pkg = r.Pkg
			b.WriteString("package " + pkg + "\n")
		}
		b.WriteString(r.String() + "\n")
	}
	return []byte(b.String())
}

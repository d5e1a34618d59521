package bounding

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/bounding/text"
)

// FieldError is one bad value in [Limits] or [Settings].
type FieldError struct {
	Field   string // such as Watermark.Keep or Tools["shell"].Budget
	Problem string // what is wrong with it, and what would be right
}

// LimitsError lists every bad field of a configuration, in the order of the fields.
//
// spec: OFF-11
type LimitsError struct{ Fields []FieldError }

func (e *LimitsError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "bounding: %d bad limit", len(e.Fields))
	if len(e.Fields) != 1 {
		b.WriteByte('s')
	}
	for i, f := range e.Fields {
		b.WriteString([]string{": ", "; "}[min(i, 1)])
		b.WriteString(f.Field + " " + f.Problem)
	}
	return b.String()
}

// Validate returns a [*LimitsError] that lists every bad field, or nil. [New] calls it.
//
// spec: OFF-11
func (l Limits) Validate() error {
	var e LimitsError
	bad := func(field, format string, args ...any) {
		e.Fields = append(e.Fields, FieldError{field, fmt.Sprintf(format, args...)})
	}
	atLeast := func(field string, value, least int64) {
		if value < least {
			bad(field, "is %d: it must be at least %d", value, least)
		}
	}
	orUnlimited := func(field string, value, least int64) {
		if value < least && value != Unlimited {
			bad(field, "is %d: it must be at least %d, or Unlimited", value, least)
		}
	}
	keep := func(field string, k text.Keep) {
		if _, err := k.MarshalText(); err != nil {
			bad(field, "is %v: it must be text.Both, text.Head or text.Tail", k)
		}
	}

	if _, err := l.Unit.MarshalText(); err != nil {
		bad("Unit", "is %v: it must be text.UTF16, text.Bytes or text.Runes", l.Unit)
	}
	orUnlimited("Threshold", int64(l.Threshold), 0)
	atLeast("Headroom", int64(l.Headroom), 0)
	orUnlimited("Lines", int64(l.Lines), 1)
	atLeast("Preview", int64(l.Preview), 0)
	keep("StubKeep", l.StubKeep)
	orUnlimited("Batch", int64(l.Batch), 0)
	if l.Sharing > WaterFill {
		bad("Sharing", "is %v: it must be LargestFirst or WaterFill", l.Sharing)
	}
	orUnlimited("ArtifactBytes", l.ArtifactBytes, 0)
	orUnlimited("SessionBytes", l.SessionBytes, 0)
	orUnlimited("Watermark.High", int64(l.Watermark.High), 0)
	atLeast("Watermark.Keep", int64(l.Watermark.Keep), 1)
	if d := l.Watermark.IdleAfter; d < 0 && d != Never {
		bad("Watermark.IdleAfter", "is %v: it must be at least 0, or Never", d)
	}
	atLeast("ImageTokens", int64(l.ImageTokens), 1)

	for _, name := range slices.Sorted(maps.Keys(l.Tools)) {
		tool, field := l.Tools[name], fmt.Sprintf("Tools[%q]", name)
		if i := strings.IndexByte(name, '*'); i >= 0 && i < len(name)-1 {
			bad(field, "has a * that is not at its end: only beginnings of names can be given")
		}
		orUnlimited(field+".Budget", int64(tool.Budget), 0)
		keep(field+".Keep", tool.Keep)
		if tool.File > WritesFile {
			bad(field+".File", "is %v: it must be NoFile, ReadsFile, EditsFile or WritesFile", tool.File)
		}
	}
	for _, alias := range slices.Sorted(maps.Keys(l.Aliases)) {
		target, field := l.Aliases[alias], fmt.Sprintf("Aliases[%q]", alias)
		if _, ok := l.Aliases[target]; ok {
			bad(field, "is %q, an alias itself: give the name that stands in Tools", target)
		}
		if _, ok := l.Tools[alias]; ok {
			bad(field, "is also a name in Tools: one of the two has no effect")
		}
	}
	if len(e.Fields) > 0 {
		return &e
	}
	return nil
}

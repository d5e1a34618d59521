package scenario

import (
	"encoding"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/text"
)

// Scaled are limits that are small enough for scenarios to be small: a few hundred units reach every one of them.
func Scaled() bounding.Limits {
	l := bounding.Strict()
	l.Threshold, l.Headroom, l.Lines, l.Preview, l.Batch = 600, 72, 20, 60, 2_400
	l.ArtifactBytes, l.SessionBytes = 40_000, 100_000
	l.Watermark.High, l.Watermark.Keep = 1_200, 2
	l.Tools = map[string]bounding.Tool{
		"shell":      {Budget: 720},
		"agent":      {Budget: 700, Keep: text.Tail},
		"mcp__*":     {Budget: 1_800},
		"read_file":  {Budget: bounding.Unlimited, Exempt: true, File: bounding.ReadsFile},
		"edit_file":  {File: bounding.EditsFile},
		"write_file": {File: bounding.WritesFile},
		"plan":       {Fixed: true},
	}
	return l
}

// Roomy are limits under which most results stay whole, so that two or three of them reach the watermark, in as exact a way
// as a scenario likes.
func Roomy() bounding.Limits {
	l := Scaled()
	l.Threshold, l.Headroom, l.Lines, l.Batch = 2_500, 250, 1_000, 6_000
	l.ArtifactBytes, l.SessionBytes = 6_000, 20_000
	l.Watermark.Keep = 1
	for _, name := range []string{"shell", "agent", "mcp__*"} {
		delete(l.Tools, name)
	}
	return l
}

// presets are the limits that scripts begin with, by name.
var presets = []struct {
	name   string
	limits func() bounding.Limits
}{{"strict", bounding.Strict}, {"scaled", Scaled}, {"roomy", Roomy}, {"qwen", bounding.Qwen}}

// field is one number, switch or name of limits, as scripts write it.
type field struct {
	name string
	of   func(l *bounding.Limits) any // a pointer
}

var limitFields = []field{
	{"unit", func(l *bounding.Limits) any { return &l.Unit }},
	{"threshold", func(l *bounding.Limits) any { return &l.Threshold }},
	{"headroom", func(l *bounding.Limits) any { return &l.Headroom }},
	{"lines", func(l *bounding.Limits) any { return &l.Lines }},
	{"preview", func(l *bounding.Limits) any { return &l.Preview }},
	{"stub-keep", func(l *bounding.Limits) any { return &l.StubKeep }},
	{"batch", func(l *bounding.Limits) any { return &l.Batch }},
	{"sharing", func(l *bounding.Limits) any { return &l.Sharing }},
	{"artifact", func(l *bounding.Limits) any { return &l.ArtifactBytes }},
	{"session", func(l *bounding.Limits) any { return &l.SessionBytes }},
	{"image-tokens", func(l *bounding.Limits) any { return &l.ImageTokens }},
	{"high", func(l *bounding.Limits) any { return &l.Watermark.High }},
	{"keep", func(l *bounding.Limits) any { return &l.Watermark.Keep }},
	{"idle-after", func(l *bounding.Limits) any { return &l.Watermark.IdleAfter }},
	{"forget-locator", func(l *bounding.Limits) any { return &l.Watermark.ForgetLocator }},
	{"clear-small", func(l *bounding.Limits) any { return &l.Watermark.ClearSmall }},
	{"idle-is-final", func(l *bounding.Limits) any { return &l.Watermark.IdleIsFinal }},
	{"failed-media-kept", func(l *bounding.Limits) any { return &l.Watermark.FailedMediaKept }},
}

// set reads a value into what a pointer points to.
func set(pointer any, value string) error {
	var err error
	switch p := pointer.(type) {
	case *int:
		*p, err = strconv.Atoi(value)
	case *int64:
		*p, err = strconv.ParseInt(value, 10, 64)
	case *uint64:
		*p, err = strconv.ParseUint(value, 10, 64)
	case *bool:
		*p, err = strconv.ParseBool(value)
	case *time.Duration:
		*p, err = parseDuration(value)
	case encoding.TextUnmarshaler:
		return p.UnmarshalText([]byte(value))
	}
	if err != nil {
		return fmt.Errorf("expected a %s, and there is %q", kindOf(pointer), value)
	}
	return nil
}

func kindOf(pointer any) string {
	switch pointer.(type) {
	case *bool:
		return "true or false"
	case *time.Duration:
		return "duration such as 61m, or none"
	}
	return "number"
}

// get writes what a pointer points to.
func get(pointer any) string {
	switch p := pointer.(type) {
	case *int:
		return strconv.Itoa(*p)
	case *int64:
		return strconv.FormatInt(*p, 10)
	case *uint64:
		return strconv.FormatUint(*p, 10)
	case *bool:
		return strconv.FormatBool(*p)
	case *time.Duration:
		return formatDuration(*p)
	}
	return fmt.Sprint(pointer) // enumerations print their names
}

// none is how scripts write the durations that mean that there is none: bounding.Never and bounding.NoGap.
const none = "none"

func formatDuration(d time.Duration) string {
	if d == bounding.NoGap {
		return none
	}
	return d.String()
}

func parseDuration(s string) (time.Duration, error) {
	if s == none {
		return bounding.NoGap, nil
	}
	return time.ParseDuration(s)
}

// sameLimits compares limits as scripts write them.
func sameLimits(a, b bounding.Limits) bool {
	return len(changes(&a, &b)) == 0 && maps.Equal(a.Tools, b.Tools) && maps.Equal(a.Aliases, b.Aliases)
}

// changes returns the fields of b that are not as in a.
func changes(a, b *bounding.Limits) []string {
	var changed []string
	for _, f := range limitFields {
		if was, is := get(f.of(a)), get(f.of(b)); was != is {
			changed = append(changed, f.name+"="+is)
		}
	}
	return changed
}

// formatLimits writes limits as the lines of a script: what differs from the preset that is nearest.
func formatLimits(l bounding.Limits) []string {
	var best []string
	for _, preset := range presets {
		base := preset.limits()
		lines := []string{strings.Join(append([]string{"limits", preset.name}, changes(&base, &l)...), " ")}
		for _, name := range slices.Sorted(maps.Keys(base.Tools)) {
			if _, ok := l.Tools[name]; !ok {
				lines = append(lines, "no-tool "+quote(name))
			}
		}
		for _, name := range slices.Sorted(maps.Keys(l.Tools)) {
			if tool, ok := base.Tools[name]; !ok || tool != l.Tools[name] {
				lines = append(lines, formatTool(name, l.Tools[name]))
			}
		}
		for _, name := range slices.Sorted(maps.Keys(base.Aliases)) {
			if _, ok := l.Aliases[name]; !ok {
				lines = append(lines, "no-alias "+quote(name))
			}
		}
		for _, name := range slices.Sorted(maps.Keys(l.Aliases)) {
			if tool, ok := base.Aliases[name]; !ok || tool != l.Aliases[name] {
				lines = append(lines, "alias "+quote(name)+" "+quote(l.Aliases[name]))
			}
		}
		if best == nil || length(lines) < length(best) {
			best = lines
		}
	}
	return best
}

func length(lines []string) int { return len(strings.Join(lines, "\n")) }

func toolFields(t *bounding.Tool) []struct {
	name string
	p    any
} {
	return []struct {
		name string
		p    any
	}{{"budget", &t.Budget}, {"keep", &t.Keep}, {"exempt", &t.Exempt}, {"fixed", &t.Fixed}, {"file", &t.File}}
}

func formatTool(name string, t bounding.Tool) string {
	line := []string{"tool", quote(name)}
	var zero bounding.Tool
	for i, f := range toolFields(&t) {
		if value := get(f.p); value != get(toolFields(&zero)[i].p) {
			line = append(line, f.name+"="+value)
		}
	}
	return strings.Join(line, " ")
}

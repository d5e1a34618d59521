package scenario

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/text"
)

// bases are the limits that changes are made to; a byte chooses one, most often a small one. The large ones are there for
// numbers that somebody wrote into a program.
var bases = sync.OnceValue(func() []bounding.Limits {
	odd := Roomy()
	odd.Watermark.High++ // so that its half is rounded
	bare := Scaled()
	bare.Tools, bare.Aliases = nil, nil
	switched := Scaled()
	switched.Watermark.High, switched.Watermark.IdleAfter, switched.Batch = bounding.Unlimited, bounding.Never, bounding.Unlimited
	return slices.Concat(
		slices.Repeat([]bounding.Limits{Scaled()}, 13),
		slices.Repeat([]bounding.Limits{Roomy()}, 4),
		slices.Repeat([]bounding.Limits{odd}, 4),
		slices.Repeat([]bounding.Limits{tiny()}, 4),
		slices.Repeat([]bounding.Limits{bare}, 2),
		[]bounding.Limits{switched, switched, switched, bounding.Strict(), bounding.Qwen()},
	)
})

// Bases are the limits of which [FromBytes] makes others, each as often as its share.
func Bases() []bounding.Limits { return slices.Clone(bases()) }

// tiny are limits below the length of the notices about them.
func tiny() bounding.Limits {
	l := Scaled()
	l.Threshold, l.Headroom, l.Lines, l.Preview, l.Batch = 25, 3, 4, 10, 500
	l.Watermark.High, l.Watermark.Keep = 251, 1
	l.ArtifactBytes, l.SessionBytes = 1_000, 3_000
	l.Tools = map[string]bounding.Tool{
		"shell":      {Budget: 30},
		"agent":      {Budget: 28, Keep: text.Tail},
		"mcp__*":     {Budget: 300},
		"read_file":  {Budget: bounding.Unlimited, Exempt: true, File: bounding.ReadsFile},
		"edit_file":  {File: bounding.EditsFile},
		"write_file": {File: bounding.WritesFile},
		"plan":       {Fixed: true},
	}
	return l
}

// limitChoices are the values that fields are changed to: those that are as small as they may be, one more, none, and some.
// What is no valid value is left to values in full.
var limitChoices = map[string][]int64{
	"threshold":    {0, 1, 10, 33, 100, 250, 600, 2_000, bounding.Unlimited},
	"headroom":     {0, 1, 10, 72, 600},
	"lines":        {1, 2, 3, 20, 100, bounding.Unlimited},
	"preview":      {0, 1, 2, 5, 10, 33, 60, 100, 600},
	"batch":        {0, 1, 100, 600, 1_000, 2_000, 5_000, bounding.Unlimited},
	"artifact":     {0, 1, 100, 1_000, 40_000, bounding.Unlimited},
	"session":      {0, 1, 100, 1_000, 5_000, 100_000, bounding.Unlimited},
	"image-tokens": {1, 2, 100, 1_600},
	"high":         {0, 1, 2, 33, 101, 251, 600, 601, 1_000, 1_201, 3_001, bounding.Unlimited},
	"keep":         {1, 2, 3, 5, 10},
	"idle-after":   {int64(time.Hour), int64(bounding.Never), 0, 1},
}

func (c *coder) setLimits(l *bounding.Limits) {
	var base byte
	if !c.reading {
		base = nearest(*l)
	}
	c.byte(&base)
	from := bases()[int(base)%len(bases())]
	changed := changedFields(&from, l)
	if c.reading {
		*l, changed = from, nil
	}
	several(c, &changed, len(limitFields), []int64{0, 0, 0, 1, 2, 3}, func(i *int) {
		integer(c, i)
		if c.reading {
			*i = ((*i % len(limitFields)) + len(limitFields)) % len(limitFields)
		}
		c.field(limitFields[*i], l)
	})
	own := !c.reading && ownTools(from, *l)
	if c.flag(&own); own {
		c.tools(l)
	}
}

func (c *coder) field(f field, l *bounding.Limits) {
	switch p := f.of(l).(type) {
	case *int:
		integer(c, p, limitChoices[f.name]...)
	case *int64:
		integer(c, p, limitChoices[f.name]...)
	case *time.Duration:
		integer(c, p, limitChoices[f.name]...)
	case *bool:
		b := uint8(0)
		if *p {
			b = 1
		}
		among(c, &b, 2)
		*p = b == 1
	case *text.Unit:
		among(c, p, text.Runes+1)
	case *text.Keep:
		among(c, p, text.Tail+1)
	case *bounding.Sharing:
		among(c, p, bounding.WaterFill+1)
	}
}

func (c *coder) tools(l *bounding.Limits) {
	tools, aliases := slices.Sorted(maps.Keys(l.Tools)), slices.Sorted(maps.Keys(l.Aliases))
	if c.reading {
		l.Tools, l.Aliases, tools, aliases = nil, nil, nil, nil
	}
	several(c, &tools, 32, few, func(name *string) {
		c.text(name, toolNames...)
		t := l.Tools[*name]
		integer(c, &t.Budget, 0, 100, 720, bounding.Unlimited, 1)
		among(c, &t.Keep, text.Tail+1)
		c.flag(&t.Exempt)
		c.flag(&t.Fixed)
		among(c, &t.File, bounding.WritesFile+1)
		if c.reading {
			l.Tools = put(l.Tools, *name, t)
		}
	})
	several(c, &aliases, 8, few[:2], func(name *string) {
		tool := l.Aliases[*name]
		c.text(name, toolNames...)
		c.text(&tool, toolNames...)
		if c.reading {
			l.Aliases = put(l.Aliases, *name, tool)
		}
	})
}

// nearest is the base with the fewest changes.
func nearest(l bounding.Limits) byte {
	best, least := byte(0), 1<<30
	for i, from := range bases() {
		n := len(changedFields(&from, &l))
		if ownTools(from, l) {
			n += 1 + len(l.Tools) + len(l.Aliases)
		}
		if n < least {
			best, least = byte(i), n
		}
	}
	return best
}

// ownTools reports whether the tools are not those of the base.
func ownTools(from, l bounding.Limits) bool {
	return !maps.Equal(from.Tools, l.Tools) || !maps.Equal(from.Aliases, l.Aliases)
}

func changedFields(from, l *bounding.Limits) []int {
	var changed []int
	for i, f := range limitFields {
		if get(f.of(from)) != get(f.of(l)) {
			changed = append(changed, i)
		}
	}
	return changed
}

package model

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

// view shows the planners a history of plain data.
type view struct{ limits *bounding.Limits }

// Slots implements [bounding.View]: one slot for each medium of a user and one for each result.
func (v view) Slots(dst []bounding.Slot, m subject.Message) []bounding.Slot {
	for _, medium := range m.Media {
		s := bounding.Slot{Kind: bounding.MediaSlot, Media: 1}
		if medium.Cleared {
			s = bounding.Slot{Kind: bounding.OtherSlot}
		}
		dst = append(dst, s)
	}
	for _, r := range m.Results {
		dst = append(dst, v.slot(r))
	}
	return dst
}

func (v view) slot(r subject.Result) bounding.Slot {
	if v.limits.Tool(r.Call.Tool).Fixed {
		return bounding.Slot{Kind: bounding.NestedMediaSlot, Media: len(r.Media), Failed: r.Failed}
	}
	return bounding.Slot{
		Kind: bounding.ResultSlot, Units: body(*v.limits, r), Media: len(r.Media), Placeholder: v.limits.Unit.Count(v.placeholder(r)),
		Failed: r.Failed, Cleared: r.State == bounding.Cleared, Protected: r.Protected,
	}
}

func (v view) placeholder(r subject.Result) string {
	if v.limits.Watermark.ForgetLocator {
		return bounding.Placeholder("")
	}
	return bounding.Placeholder(r.Locator)
}

// File implements [bounding.View].
func (v view) File(m subject.Message, i int) bounding.File {
	if i -= len(m.Media); i < 0 {
		return bounding.File{}
	}
	call := m.Results[i].Call
	return bounding.File{Use: v.limits.Tool(call.Tool).File, Paths: call.Files}
}

// Clear implements [bounding.View].
func (v view) Clear(m subject.Message, slots []int) subject.Message {
	m.Media, m.Results = slices.Clone(m.Media), slices.Clone(m.Results)
	for _, i := range slots {
		if i < len(m.Media) {
			m.Media[i] = bounding.Media{Type: m.Media[i].Type, Cleared: true}
			continue
		}
		r := &m.Results[i-len(m.Media)]
		r.Media = nil
		if v.limits.Tool(r.Call.Tool).Fixed {
			continue
		}
		r.Text = v.placeholder(*r)
		if r.Metadata != "" {
			r.Text += metadataBreak + r.Metadata
		}
		if r.State = bounding.Cleared; r.Outcome == bounding.NotNeeded {
			r.Outcome = bounding.Aged
		}
	}
	return m
}

// metadataBreak stands between the body of a result and its metadata.
const metadataBreak = "\n\n"

// bodyText is the text of a result without its metadata.
func bodyText(r subject.Result) string {
	if r.Metadata == "" {
		return r.Text
	}
	return strings.TrimSuffix(strings.TrimSuffix(r.Text, r.Metadata), metadataBreak)
}

func body(l bounding.Limits, r subject.Result) int { return l.Unit.Count(bodyText(r)) }

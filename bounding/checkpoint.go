package bounding

import (
	"context"
	"slices"
)

// Checkpoint clears old results of a history where the occasion and the limits ask for it, and says what it did. Between
// clearings it looks only at what is new, and every entry stays as it is, so that a prompt cache keeps its prefix. The
// report is nil when no path fired.
//
// The history must be one of this pipeline's [Pipeline.NewHistory]; nil is an empty one.
//
// spec: WMK-1, WMK-3, WMK-6, WMK-9
func (p *Pipeline) Checkpoint(ctx context.Context, h *History, at Checkpoint) *Report {
	if h == nil {
		return nil
	}
	plan := h.tracker.Checkpoint(at)
	for _, slot := range plan.Cleared {
		p.clear(ctx, h, slot)
	}
	r := report(plan, at, h.file)
	if r != nil && !r.repeats(h.last) && p.tracer != nil {
		p.tracer.Cleared(given(ctx), r)
	}
	if h.last = nil; r != nil {
		said := *r // the caller may change the report
		h.last = &said
	}
	return r
}

// clear rewrites the entry of a slot.
func (p *Pipeline) clear(ctx context.Context, h *History, slot int) {
	owner := h.owner[slot]
	entry := &h.entries[owner.entry]
	switch h.tracker.Slot(slot).Kind {
	case MediaSlot:
		p.tell(ctx, Transition{Before: Kept, After: Cleared, Cause: Watermarked, Unit: p.limits.Unit, Media: 1})
		entry.Media = slices.Clone(entry.Media) // what was handed out before stays as it was
		entry.Media[owner.media] = Media{Type: entry.Media[owner.media].Type, Cleared: true}
	case NestedMediaSlot:
		r := &entry.Result
		t := r.became(r.state, r.Size(), Watermarked)
		t.Media = len(r.media)
		r.dropMedia()
		p.tell(ctx, t)
	default:
		r := &entry.Result
		before, from, media := r.state, r.Size(), len(r.media)
		r.clear(h.placeholder(r), h.tracker.Slot(slot).Units)
		t := r.became(before, from, Watermarked)
		t.Media = media
		p.tell(ctx, t)
	}
}

// clear replaces the body by a placeholder of n units. Call, status and metadata stay.
//
// spec: WMK-3
func (r *Result) clear(placeholder string, n int) {
	r.dropMedia()
	r.body.shown, r.body.units, r.body.cut = placeholder, n, true
	r.body.raw, r.body.head, r.body.tail = "", "", ""
	if r.body.outcome == NotNeeded {
		r.body.outcome = Aged
	}
	r.parts = nil
	r.state = Cleared
}

// dropMedia takes the media out of a result.
func (r *Result) dropMedia() {
	r.media = nil
	var kept []Part
	for _, part := range r.parts {
		if part.Media == nil {
			kept = append(kept, part)
		}
	}
	r.parts = kept
}

// file says what a slot has to do with files.
func (h *History) file(slot int) File {
	entry := &h.entries[h.owner[slot].entry]
	if entry.Role != ToolRole {
		return File{}
	}
	call := &entry.Result.call
	return File{Use: h.by.limits.Tool(call.Tool).File, Paths: call.Files}
}

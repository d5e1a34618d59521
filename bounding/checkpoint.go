package bounding

import (
	"context"
	"slices"
)

// Checkpoint clears old results of a history where the occasion and the limits ask for it, and says what it did. Between
// clearings it looks only at what is new, and every entry stays as it is, so that a prompt cache keeps its prefix. The
// report is nil when no path fired.
//
// The history must be one of this pipeline's [Pipeline.NewHistory].
//
// spec: WMK-1, WMK-3, WMK-6, WMK-9
func (p *Pipeline) Checkpoint(ctx context.Context, h *History, at Checkpoint) *Report {
	plan := h.tracker.Checkpoint(at)
	for _, slot := range plan.Cleared {
		p.clear(ctx, h, slot)
	}
	r := report(plan, at, h.file)
	if r != nil && !r.repeats(h.last) && p.tracer != nil {
		p.tracer.Cleared(ctx, r)
	}
	h.last = r
	return r
}

// clear rewrites the entry of a slot.
func (p *Pipeline) clear(ctx context.Context, h *History, slot int) {
	owner := h.owner[slot]
	entry := &h.entries[owner.entry]
	switch h.tracker.Slot(slot).Kind {
	case MediaSlot:
		entry.Media = slices.Clone(entry.Media) // what was handed out before stays as it was
		entry.Media[owner.media] = Media{Type: entry.Media[owner.media].Type, Cleared: true}
	case NestedMediaSlot:
		entry.Result.dropMedia()
	default:
		before, from := entry.Result.state, entry.Result.Size()
		entry.Result.clear(h.placeholder(&entry.Result), h.tracker.Slot(slot).Units)
		p.transition(ctx, &entry.Result, before, from, Watermarked)
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
	call := entry.Result.call
	return File{Use: h.by.limits.Tool(call.Tool).File, Paths: call.Files}
}

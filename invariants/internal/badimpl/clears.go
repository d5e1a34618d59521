package badimpl

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/model"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

// cleared changes what a checkpoint made. The history is the subject's own.
func cleared(change func(w *wrong, l bounding.Limits, before subject.History, h *subject.History, r **subject.ClearReport)) func(w *wrong) {
	return func(w *wrong) {
		w.clear = func(w *wrong, ctx context.Context, l bounding.Limits, given subject.History, at bounding.Checkpoint) (subject.History, *subject.ClearReport, error) {
			h, r, err := w.Subject.Clear(ctx, l, given.Clone(), at)
			h = h.Clone()
			if err == nil {
				change(w, l, given, &h, &r)
			}
			return h, r, err
		}
	}
}

// each visits the results that a checkpoint has cleared.
func each(before subject.History, h *subject.History, visit func(was subject.Result, is *subject.Result)) {
	for i := range h.Messages {
		for j := range h.Messages[i].Results {
			was, is := before.Messages[i].Results[j], &h.Messages[i].Results[j]
			if was.Text != is.Text || len(was.Media) != len(is.Media) {
				visit(was, is)
			}
		}
	}
}

// vouched takes files out of a report that kept results of a tool name.
func vouched(use bounding.FileUse, pending bool) func(w *wrong) {
	return cleared(func(_ *wrong, l bounding.Limits, _ subject.History, h *subject.History, r **subject.ClearReport) {
		if *r == nil {
			return
		}
		for p, result := range h.All() {
			if l.Tool(result.Call.Tool).File != use || result.State == bounding.Cleared || pending && p.Message < h.Committed {
				continue
			}
			(*r).Evicted = slices.DeleteFunc((*r).Evicted, func(f string) bool { return slices.Contains(result.Call.Files, f) })
		}
	})
}

// ticks is the time of the placeholder that tells it.
var ticks atomic.Int64

var clears = []Bug{
	bug("clear-changes-the-history-given", "the caller's own history is changed", design, func(w *wrong) {
		w.clear = func(w *wrong, ctx context.Context, l bounding.Limits, given subject.History, at bounding.Checkpoint) (subject.History, *subject.ClearReport, error) {
			h, r, err := w.Subject.Clear(ctx, l, given.Clone(), at)
			if r != nil && r.Cleared > 0 {
				for i := range h.Messages {
					copy(given.Messages[i].Results, h.Messages[i].Results)
				}
			}
			return h, r, err
		}
	}, "CLR-11"),
	bug("clear-renames-calls", "a cleared result answers another call", design, cleared(func(_ *wrong, _ bounding.Limits, before subject.History, h *subject.History, _ **subject.ClearReport) {
		each(before, h, func(_ subject.Result, is *subject.Result) { is.Call.ID = "call" })
	}), "CLR-5"),
	bug("clear-drops-metadata", "metadata goes with a cleared result", design, cleared(func(_ *wrong, _ bounding.Limits, before subject.History, h *subject.History, _ **subject.ClearReport) {
		each(before, h, func(_ subject.Result, is *subject.Result) {
			is.Text = strings.TrimSuffix(strings.TrimSuffix(is.Text, is.Metadata), "\n\n")
			is.Metadata = ""
		})
	}), "CLR-5"),
	bug("clear-empties", "a cleared result has no text", reports, cleared(func(_ *wrong, _ bounding.Limits, before subject.History, h *subject.History, _ **subject.ClearReport) {
		each(before, h, func(_ subject.Result, is *subject.Result) { is.Text = "" })
	}), "PFX-6"),
	bug("clear-rewrites-placeholders", "each checkpoint writes all placeholders anew", reports, cleared(func(w *wrong, _ bounding.Limits, _ subject.History, h *subject.History, _ **subject.ClearReport) {
		w.count++
		for p, r := range h.All() {
			if r.State == bounding.Cleared {
				h.Messages[p.Message].Results[p.Result].Text = fmt.Sprintf("%s%*s", bounding.ClearedText, w.count%9, "")
			}
		}
	}), "CLR-6", "PFX-1", "PFX-2"),
	bug("clear-tells-the-time", "placeholders say when the result was cleared", reports, cleared(func(_ *wrong, _ bounding.Limits, before subject.History, h *subject.History, _ **subject.ClearReport) {
		each(before, h, func(_ subject.Result, is *subject.Result) { is.Text += fmt.Sprint(" ", ticks.Add(1)) })
	}), "PFX-7"),
	bug("clear-changes-the-first-message", "a checkpoint that clears changes the beginning of the history", reports,
		cleared(func(_ *wrong, _ bounding.Limits, before subject.History, h *subject.History, r **subject.ClearReport) {
			if *r != nil && (*r).Cleared > 0 && len(h.Messages) > 1 && len(h.Messages[1].Results) > 0 && h.Messages[1].Results[0].Text == before.Messages[1].Results[0].Text {
				h.Messages[1].Results[0].Text += "."
			}
		}), "PFX-3"),
	bug("clear-silent", "nothing is reported", design, cleared(func(_ *wrong, _ bounding.Limits, _ subject.History, _ *subject.History, r **subject.ClearReport) {
		*r = nil
	}), "CLR-8"),
	bug("clear-counts-wrong", "the report counts units for results", design, cleared(func(_ *wrong, _ bounding.Limits, _ subject.History, _ *subject.History, r **subject.ClearReport) {
		if *r != nil {
			(*r).Cleared = (*r).After
		}
	}), "CLR-8"),
	bug("clear-panics", "a checkpoint breaks down", reports, cleared(func(*wrong, bounding.Limits, subject.History, *subject.History, **subject.ClearReport) {
		panic("index out of range")
	}), "CLR-8"),
	{Name: "clear-each-checkpoint", Does: "a checkpoint clears just enough to be below the watermark, so that the next one clears again", Source: design,
		Kills: []string{"PFX-4"}, New: func() subject.Bounder { return planned{model.New(), "stop at the watermark"} }},
	bug("clear-looks-at-texts", "a text that begins like the placeholder is taken for a cleared result", qwen, func(w *wrong) {
		w.clear = func(w *wrong, ctx context.Context, l bounding.Limits, given subject.History, at bounding.Checkpoint) (subject.History, *subject.ClearReport, error) {
			h := given.Clone()
			for p, r := range h.All() {
				if strings.HasPrefix(r.Text, bounding.ClearedText) {
					h.Messages[p.Message].Results[p.Result].State = bounding.Cleared
				}
			}
			after, report, err := w.Subject.Clear(ctx, l, h, at)
			after = after.Clone()
			for p, r := range given.All() {
				if is := &after.Messages[p.Message].Results[p.Result]; is.Text == r.Text {
					is.State = r.State
				}
			}
			return after, report, err
		}
	}, "SEN-4"),
	bug("clear-drops-the-pointer", "the placeholder of a stub has no pointer", qwen, func(w *wrong) {
		w.clear = func(w *wrong, ctx context.Context, l bounding.Limits, h subject.History, at bounding.Checkpoint) (subject.History, *subject.ClearReport, error) {
			l.Watermark.ForgetLocator = true
			return w.Subject.Clear(ctx, l, h, at)
		}
	}, "REC-5"),
	bug("files-edits-vouch", "an edit that is still there vouches for the file", review, vouched(bounding.EditsFile, false), "FIL-1"),
	bug("files-reads-vouch", "a read that is still there vouches for the file", review, vouched(bounding.ReadsFile, false), "FIL-1"),
	bug("files-pending-vouch", "a write that was not sent yet vouches for the file", review, vouched(bounding.WritesFile, true), "FIL-1"),
	bug("files-unreported", "no file is reported", design, cleared(func(_ *wrong, _ bounding.Limits, _ subject.History, _ *subject.History, r **subject.ClearReport) {
		if *r != nil {
			(*r).Evicted = nil
		}
	}), "FIL-1"),
	bug("files-unknown-ignored", "cleared results of unknown files are not counted", design, cleared(func(_ *wrong, _ bounding.Limits, _ subject.History, _ *subject.History, r **subject.ClearReport) {
		if *r != nil {
			(*r).Unresolved, (*r).DisarmAll = 0, false
		}
	}), "FIL-2"),
	diagnosed("diagnosis-counts-errors", "errors count towards the watermark", qwen, func(l bounding.Limits, r subject.Result, d *subject.Diagnosis) {
		if r.Failed {
			d.Counted += l.Unit.Count(r.Text)
		}
	}, "DIA-1"),
	diagnosed("diagnosis-counts-placeholders", "placeholders count towards the watermark", qwen, func(l bounding.Limits, r subject.Result, d *subject.Diagnosis) {
		if r.State == bounding.Cleared {
			d.Counted += l.Unit.Count(r.Text)
		}
	}, "DIA-1"),
	diagnosed("diagnosis-shows-content", "the report shows the texts", reports, func(_ bounding.Limits, r subject.Result, d *subject.Diagnosis) { d.Text += r.Text }, "DIA-2"),
	diagnosed("diagnosis-has-control-characters", "the report holds control characters", reports, func(_ bounding.Limits, _ subject.Result, d *subject.Diagnosis) { d.Text += "\x1b[1m" }, "DIA-2"),
	diagnosed("diagnosis-skips-what-looks-bounded", "a text that looks bounded is not called oversized", qwen, func(_ bounding.Limits, r subject.Result, d *subject.Diagnosis) {
		if strings.Contains(r.Text, marker) || strings.HasPrefix(r.Text, "<persisted-output>") {
			d.Oversized = slices.DeleteFunc(d.Oversized, func(id string) bool { return id == r.Call.ID })
		}
	}, "DIA-4"),
	diagnosed("diagnosis-limit-exclusive", "a body at the limit is called oversized", design, func(l bounding.Limits, r subject.Result, d *subject.Diagnosis) {
		if l.Unit.Count(r.Text) == 2*l.Threshold+500 {
			d.Oversized = append(d.Oversized, r.Call.ID)
		}
	}, "DIA-4"),
}

// diagnosed is a bug that changes a diagnosis for each result.
func diagnosed(name, does, source string, change func(l bounding.Limits, r subject.Result, d *subject.Diagnosis), kills ...string) Bug {
	return bug(name, does, source, func(w *wrong) {
		w.diagnose = func(w *wrong, ctx context.Context, l bounding.Limits, h subject.History) (subject.Diagnosis, error) {
			d, err := w.Subject.Diagnose(ctx, l, h)
			for _, r := range h.All() {
				change(l, r, &d)
			}
			return d, err
		}
	}, kills...)
}

package badimpl

import (
	"context"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/invariants/model"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

// wrong is the model with other answers. A function that is nil is the model's own.
type wrong struct {
	*model.Subject
	bound     func(w *wrong, ctx context.Context, l bounding.Limits, out bounding.Output) (subject.Result, error)
	tighten   func(w *wrong, ctx context.Context, l bounding.Limits, r subject.Result) (subject.Result, error)
	batch     func(w *wrong, ctx context.Context, l bounding.Limits, results []subject.Result) ([]subject.Result, error)
	clear     func(w *wrong, ctx context.Context, l bounding.Limits, h subject.History, at bounding.Checkpoint) (subject.History, *subject.ClearReport, error)
	save      func(w *wrong, ctx context.Context, l bounding.Limits, req spill.Request) (subject.Saved, error)
	open      func(w *wrong, ctx context.Context, locator string, offset, limit int64) (subject.Page, error)
	openAs    func(w *wrong, ctx context.Context, session, locator string, offset, limit int64) (subject.Page, error)
	reference func(w *wrong, ctx context.Context, req subject.ReferenceRequest) (subject.References, error)
	replay    func(w *wrong, ctx context.Context, recorded []byte) (subject.References, error)
	diagnose  func(w *wrong, ctx context.Context, l bounding.Limits, h subject.History) (subject.Diagnosis, error)
	files     func(w *wrong) ([]subject.File, error)
	log       func(w *wrong) string

	count int               // of what a function counts
	kept  map[string]string // of what a function remembers
	last  subject.ReferenceRequest
}

func (w *wrong) Bound(ctx context.Context, l bounding.Limits, out bounding.Output) (subject.Result, error) {
	if w.bound != nil {
		return w.bound(w, ctx, l, out)
	}
	return w.Subject.Bound(ctx, l, out)
}

func (w *wrong) Tighten(ctx context.Context, l bounding.Limits, r subject.Result) (subject.Result, error) {
	if w.tighten != nil {
		return w.tighten(w, ctx, l, r)
	}
	return w.Subject.Tighten(ctx, l, r)
}

func (w *wrong) Batch(ctx context.Context, l bounding.Limits, results []subject.Result) ([]subject.Result, error) {
	if w.batch != nil {
		return w.batch(w, ctx, l, results)
	}
	return w.Subject.Batch(ctx, l, results)
}

func (w *wrong) Clear(ctx context.Context, l bounding.Limits, h subject.History, at bounding.Checkpoint) (subject.History, *subject.ClearReport, error) {
	if w.clear != nil {
		return w.clear(w, ctx, l, h, at)
	}
	return w.Subject.Clear(ctx, l, h, at)
}

func (w *wrong) Save(ctx context.Context, l bounding.Limits, req spill.Request) (subject.Saved, error) {
	if w.save != nil {
		return w.save(w, ctx, l, req)
	}
	return w.Subject.Save(ctx, l, req)
}

func (w *wrong) Open(ctx context.Context, locator string, offset, limit int64) (subject.Page, error) {
	if w.open != nil {
		return w.open(w, ctx, locator, offset, limit)
	}
	return w.Subject.Open(ctx, locator, offset, limit)
}

func (w *wrong) OpenAs(ctx context.Context, session, locator string, offset, limit int64) (subject.Page, error) {
	if w.openAs != nil {
		return w.openAs(w, ctx, session, locator, offset, limit)
	}
	return w.Subject.OpenAs(ctx, session, locator, offset, limit)
}

func (w *wrong) Reference(ctx context.Context, req subject.ReferenceRequest) (subject.References, error) {
	w.last = req
	if w.reference != nil {
		return w.reference(w, ctx, req)
	}
	return w.Subject.Reference(ctx, req)
}

func (w *wrong) Replay(ctx context.Context, recorded []byte) (subject.References, error) {
	if w.replay != nil {
		return w.replay(w, ctx, recorded)
	}
	return w.Subject.Replay(ctx, recorded)
}

func (w *wrong) Diagnose(ctx context.Context, l bounding.Limits, h subject.History) (subject.Diagnosis, error) {
	if w.diagnose != nil {
		return w.diagnose(w, ctx, l, h)
	}
	return w.Subject.Diagnose(ctx, l, h)
}

func (w *wrong) Files() ([]subject.File, error) {
	if w.files != nil {
		return w.files(w)
	}
	return w.Subject.Files()
}

func (w *wrong) Log() string {
	if w.log != nil {
		return w.log(w)
	}
	return w.Subject.Log()
}

// bug is a bug that changes answers of the model.
func bug(name, does, source string, change func(w *wrong), kills ...string) Bug {
	return Bug{Name: name, Does: does, Source: source, Kills: kills, New: func() subject.Bounder {
		w := &wrong{Subject: model.New(), kept: map[string]string{}}
		change(w)
		return w
	}}
}

// disk is a bug of the disk, or of how it is used.
func disk(name, does, source string, wrap func(open func(string) (spill.Dir, error)) func(string) (spill.Dir, error), kills ...string) Bug {
	return Bug{Name: name, Does: does, Source: source, Kills: kills, New: func() subject.Bounder { return model.NewOn(wrap) }}
}

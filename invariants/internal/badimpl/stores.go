package badimpl

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/reference"
	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/invariants/faultfs"
	"github.com/boundcheck/boundcheck/invariants/model"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// opened changes pages.
func opened(change func(w *wrong, locator string, offset int64, p *subject.Page)) func(w *wrong) {
	return func(w *wrong) {
		w.open = func(w *wrong, ctx context.Context, locator string, offset, limit int64) (subject.Page, error) {
			p, err := w.Subject.Open(ctx, locator, offset, limit)
			if err == nil {
				change(w, locator, offset, &p)
			}
			return p, err
		}
	}
}

var stores = []Bug{
	bug("pointer-not-in-the-text", "the model is not told where the artifact is", reports, changed(func(_ *wrong, _ bounding.Limits, _ bounding.Output, r *subject.Result) {
		if r.Locator != "" {
			r.Text = strings.ReplaceAll(r.Text, r.Locator, "a file")
		}
	}), "REC-1"),
	bug("artifact-too-short", "the last byte of an artifact is missing", reports, opened(func(_ *wrong, _ string, _ int64, p *subject.Page) {
		if p.Next == p.Total && len(p.Data) > 0 {
			p.Data = p.Data[:len(p.Data)-1]
		}
	}), "REC-2"),
	bug("pages-stand-still", "the next page is the same one", reports, opened(func(_ *wrong, _ string, offset int64, p *subject.Page) {
		if p.Next < p.Total {
			p.Next = offset
		}
	}), "REC-3"),
	bug("one-artifact-for-an-id", "calls that share an id share an artifact", reports, func(w *wrong) {
		w.save = func(w *wrong, ctx context.Context, l bounding.Limits, req spill.Request) (subject.Saved, error) {
			saved, err := w.Subject.Save(ctx, l, req)
			if known := w.kept[req.SuggestedName]; known != "" && saved.Locator != "" {
				saved.Locator = known
			}
			w.kept[req.SuggestedName] = saved.Locator
			return saved, err
		}
	}, "REC-4"),
	bug("batch-cuts-the-pointer", "a message above its budget loses pointers", reports,
		batched(func(_ *wrong, _ context.Context, _ bounding.Limits, in, out []subject.Result) ([]subject.Result, error) {
			for i := range out {
				if out[i].Text != in[i].Text && out[i].Locator != "" {
					out[i].Text = strings.ReplaceAll(out[i].Text, out[i].Locator, "…")
				}
			}
			return out, nil
		}), "REC-6"),
	bug("again-another-artifact", "a later pass stores what is left of the output", qwen, func(w *wrong) {
		w.tighten = func(w *wrong, ctx context.Context, l bounding.Limits, r subject.Result) (subject.Result, error) {
			again, err := w.Subject.Tighten(ctx, l, r)
			if err == nil && again.Text != r.Text && r.Locator != "" {
				saved, err := w.Subject.Save(ctx, l, spill.Request{Owner: trace.Session, SuggestedName: r.Call.ID, Content: r.Text})
				again.Text = strings.ReplaceAll(again.Text, again.Locator, saved.Locator)
				again.Locator = saved.Locator
				return again, err
			}
			return again, err
		}
	}, "REC-7"),
	bug("expired-is-something-else", "where an artifact has expired, there is another text", reports, opened(func(_ *wrong, _ string, _ int64, p *subject.Page) {
		if p.Expired {
			*p = subject.Page{Data: []byte("gone"), Next: 4, Total: 4}
		}
	}), "REC-9"),
	bug("stub-too-long", "what a stub says of its own is longer than a page", qwen, changed(func(_ *wrong, _ bounding.Limits, _ bounding.Output, r *subject.Result) {
		if r.State == bounding.Stubbed {
			r.Text += strings.Repeat("\nRead it back if you need it.", 30)
		}
	}), "REC-10"),
	bug("artifact-cleaned", "artifacts hold U+FFFD for what is no UTF-8", reports, opened(func(_ *wrong, _ string, _ int64, p *subject.Page) {
		p.Data = bytes.ToValidUTF8(p.Data, []byte("?"))
	}), "TXT-3"),
	bug("fragments-too-long", "transcripts have lines of any length", design, opened(func(_ *wrong, _ string, offset int64, p *subject.Page) {
		if offset == 0 && p.Next == p.Total {
			p.Data = bytes.ReplaceAll(p.Data, []byte("\"\n\""), nil)
			p.Next, p.Total = int64(len(p.Data)), int64(len(p.Data))
		}
	}), "TXT-2"),

	bug("failed-save-is-an-error", "a call whose output could not be saved is an error", reports, changed(func(_ *wrong, _ bounding.Limits, _ bounding.Output, r *subject.Result) {
		r.Failed = r.Failed || r.Outcome == bounding.SaveFailed
	}), "ERR-1"),
	bug("failed-save-has-a-pointer", "what could not be saved has a pointer", reports, changed(func(_ *wrong, _ bounding.Limits, _ bounding.Output, r *subject.Result) {
		if r.Outcome == bounding.SaveFailed {
			r.Locator = "/store/lost"
		}
	}), "ERR-2"),
	limitedSave("artifact-limit-exclusive", "an artifact of exactly the limit is refused", design, func(_ *wrong, l *bounding.Limits, _ spill.Request) {
		l.ArtifactBytes = max(0, l.ArtifactBytes-1)
	}, "ERR-3"),
	limitedSave("session-limit-and-some", "a session may store a little more than its limit", design, func(_ *wrong, l *bounding.Limits, _ spill.Request) {
		l.SessionBytes += 10_000
	}, "ERR-3", "ERR-4"),
	bug("failed-save-keeps-its-room", "the room of a save that failed is not given back", design, func(w *wrong) {
		w.save = func(w *wrong, ctx context.Context, l bounding.Limits, req spill.Request) (subject.Saved, error) {
			l.SessionBytes = max(0, l.SessionBytes-int64(w.count))
			saved, err := w.Subject.Save(ctx, l, req)
			if saved.Outcome == bounding.SaveFailed {
				w.count += len(req.Content)
			}
			return saved, err
		}
	}, "ERR-4"),
	bug("cancelled-save-is-done", "a save is made although it was cancelled", reports, func(w *wrong) {
		w.save = func(w *wrong, ctx context.Context, l bounding.Limits, req spill.Request) (subject.Saved, error) {
			return w.Subject.Save(context.WithoutCancel(ctx), l, req)
		}
	}, "ERR-5"),

	bug("hostile-ids-refused", "a text whose id is no file name is not saved", reports, func(w *wrong) {
		w.save = func(w *wrong, ctx context.Context, l bounding.Limits, req spill.Request) (subject.Saved, error) {
			if strings.ContainsAny(req.SuggestedName, "/\\\x00") {
				return subject.Saved{}, errors.New("invalid name")
			}
			return w.Subject.Save(ctx, l, req)
		}
	}, "PRV-2"),
	bug("everybody-reads", "any session opens any artifact", reports, func(w *wrong) {
		w.openAs = func(w *wrong, ctx context.Context, _, locator string, offset, limit int64) (subject.Page, error) {
			return w.Subject.Open(ctx, locator, offset, limit)
		}
	}, "PRV-4"),
	bug("log-holds-content", "the log shows what could not be saved", reports, func(w *wrong) {
		changed(func(w *wrong, _ bounding.Limits, out bounding.Output, _ *subject.Result) { w.kept["log"] += out.Text })(w)
		w.log = func(w *wrong) string { return w.Subject.Log() + w.kept["log"] }
	}, "PRV-5"),
	disk("files-world-readable", "files can be read by everybody", reports, modes(0o644, 0o700), "PRV-1"),
	disk("directories-world-readable", "directories can be entered by everybody", reports, modes(0o600, 0o755), "PRV-1"),

	disk("files-not-synced", "files are not synced before they get their names", reports, lying("(lie (op sync))"), "CRS-1", "CRS-3"),
	disk("directories-not-synced", "a pointer is given out before the name it points to is durable", design, lying("(lie (op syncdir))"), "CRS-1", "CRS-3"),
	disk("rename-copies", "a file gets its name before it has its bytes", reports, copying, "CRS-2"),
	{Name: "beginning-anew-forgets", Does: "a process that begins anew removes what it does not know", Source: reports, Kills: []string{"CRS-4"},
		New: func() subject.Bounder { return forgetful{model.New()} }},
}

func limitedSave(name, does, source string, change func(w *wrong, l *bounding.Limits, req spill.Request), kills ...string) Bug {
	return bug(name, does, source, func(w *wrong) {
		w.save = func(w *wrong, ctx context.Context, l bounding.Limits, req spill.Request) (subject.Saved, error) {
			change(w, &l, req)
			return w.Subject.Save(ctx, l, req)
		}
	}, kills...)
}

type forgetful struct{ *model.Subject }

func (f forgetful) Reopen(ctx context.Context, loss subject.Loss) error {
	return errors.Join(f.Subject.Reopen(ctx, loss), f.Subject.Sweep(ctx, -time.Hour))
}

// opener opens the directory of a store.
type opener = func(path string) (spill.Dir, error)

func lying(program string) func(opener) opener {
	return func(open opener) opener {
		p, err := faultfs.Parse(program)
		if err != nil {
			return func(string) (spill.Dir, error) { return nil, err }
		}
		return faultfs.Open(open, p)
	}
}

// modes makes files and directories with these modes.
func modes(file, dir fs.FileMode) func(opener) opener {
	return func(open opener) opener {
		return func(path string) (spill.Dir, error) {
			d, err := open(path)
			return modeDir{d, file, dir}, err
		}
	}
}

type modeDir struct {
	spill.Dir
	file, dir fs.FileMode
}

func (d modeDir) Mkdir(name string, _ fs.FileMode) error { return d.Dir.Mkdir(name, d.dir) }

func (d modeDir) OpenDir(name string) (spill.Dir, error) {
	inner, err := d.Dir.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return modeDir{inner, d.file, d.dir}, nil
}

func (d modeDir) OpenFile(name string, flag int, _ fs.FileMode) (spill.File, error) {
	return d.Dir.OpenFile(name, flag, d.file)
}

// copying makes a rename a copy.
func copying(open opener) opener {
	return func(path string) (spill.Dir, error) {
		d, err := open(path)
		return copyDir{d}, err
	}
}

type copyDir struct{ spill.Dir }

func (d copyDir) OpenDir(name string) (spill.Dir, error) {
	inner, err := d.Dir.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return copyDir{inner}, nil
}

func (d copyDir) Rename(from, to string) (err error) {
	in, err := d.OpenFile(from, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := d.OpenFile(to, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return errors.Join(err, out.Close())
	}
	return errors.Join(out.Close(), d.Remove(from))
}

// shown changes references.
func shown(change func(w *wrong, req subject.ReferenceRequest, refs *subject.References)) func(w *wrong) {
	return func(w *wrong) {
		w.reference = func(w *wrong, ctx context.Context, req subject.ReferenceRequest) (subject.References, error) {
			refs, err := w.Subject.Reference(ctx, req)
			if err == nil {
				change(w, req, &refs)
			}
			return refs, err
		}
	}
}

// asked changes what is asked.
func asked(change func(ctx *context.Context, req *subject.ReferenceRequest)) func(w *wrong) {
	return func(w *wrong) {
		w.reference = func(w *wrong, ctx context.Context, req subject.ReferenceRequest) (subject.References, error) {
			change(&ctx, &req)
			return w.Subject.Reference(ctx, req)
		}
	}
}

var references = []Bug{
	bug("reference-reads-twice", "a session is read for the preview and again for the transcript", design, asked(func(_ *context.Context, req *subject.ReferenceRequest) {
		read := req.Read
		req.Read = func(id string) (reference.Snapshot, error) {
			if _, err := read(id); err != nil {
				return reference.Snapshot{}, err
			}
			return read(id)
		}
	}), "REF-1"),
	bug("reference-shows-tools", "results of tools are shown as if the model had written them", design, asked(func(_ *context.Context, req *subject.ReferenceRequest) {
		read := req.Read
		req.Read = func(id string) (reference.Snapshot, error) {
			s, err := read(id)
			for i := range s.Events {
				if s.Events[i].Kind == reference.Other {
					s.Events[i].Kind = reference.Assistant
				}
			}
			return s, err
		}
	}), "REF-2"),
	bug("reference-always-noticed", "a session that is shown in full has a notice", design, shown(func(_ *wrong, _ subject.ReferenceRequest, refs *subject.References) {
		for i := range refs.Items {
			if refs.Items[i].Notice == "" {
				refs.Items[i].Notice = "{}"
			}
		}
	}), "REF-3"),
	bug("reference-counts-wrong", "the bytes of the newest message are not counted", design, shown(func(_ *wrong, _ subject.ReferenceRequest, refs *subject.References) {
		for i := range refs.Items {
			refs.Items[i].OmittedBytes /= 2
		}
	}), "REF-4"),
	bug("reference-over-budget", "the budget counts characters", design, asked(func(_ *context.Context, req *subject.ReferenceRequest) {
		if req.Budget > 0 {
			req.Budget += req.Budget / 4
		}
	}), "REF-5"),
	bug("reference-no-reason", "the notice does not say why there is no transcript", design, shown(func(_ *wrong, _ subject.ReferenceRequest, refs *subject.References) {
		for i := range refs.Items {
			if refs.Items[i].Saved.Outcome == bounding.SaveFailed {
				refs.Items[i].Saved.Outcome = bounding.NotNeeded
			}
		}
	}), "REF-6"),
	bug("reference-owned-elsewhere", "transcripts belong to no session", design, asked(func(_ *context.Context, req *subject.ReferenceRequest) {
		req.Session = "transcripts"
	}), "REF-7"),
	bug("reference-no-warning", "the message has no warning", design, shown(func(_ *wrong, _ subject.ReferenceRequest, refs *subject.References) {
		if i := strings.Index(refs.Text, "{"); i > 0 {
			refs.Text = refs.Text[i:]
		}
	}), "REF-8"),
	bug("reference-published-though-cancelled", "a preparation that was cancelled is published", design, asked(func(ctx *context.Context, _ *subject.ReferenceRequest) {
		*ctx = context.WithoutCancel(*ctx)
	}), "REF-9"),
	bug("replay-prepares-anew", "recorded references are read and saved once more", design, func(w *wrong) {
		w.replay = func(w *wrong, ctx context.Context, _ []byte) (subject.References, error) {
			return w.Subject.Reference(ctx, w.last)
		}
	}, "REF-10"),
	bug("reference-first-takes-more", "what is omitted of a reference depends on its place", design, shown(func(_ *wrong, _ subject.ReferenceRequest, refs *subject.References) {
		if len(refs.Items) > 1 {
			refs.Items[0].OmittedBytes++
		}
	}), "REF-11"),
}

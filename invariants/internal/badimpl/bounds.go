package badimpl

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/text"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

const reports = "public fault reports"

// limited bounds under other limits than it was given.
func limited(change func(l *bounding.Limits, out bounding.Output)) func(w *wrong) {
	return func(w *wrong) {
		w.bound = func(w *wrong, ctx context.Context, l bounding.Limits, out bounding.Output) (subject.Result, error) {
			l.Tools = maps.Clone(l.Tools)
			change(&l, out)
			return w.Subject.Bound(ctx, l, out)
		}
	}
}

// changed changes the results of the first bound.
func changed(change func(w *wrong, l bounding.Limits, out bounding.Output, r *subject.Result)) func(w *wrong) {
	return func(w *wrong) {
		w.bound = func(w *wrong, ctx context.Context, l bounding.Limits, out bounding.Output) (subject.Result, error) {
			r, err := w.Subject.Bound(ctx, l, out)
			if err == nil {
				change(w, l, out, &r)
			}
			return r, err
		}
	}
}

// cut reports whether a result shows less than its output.
func cut(out bounding.Output, r *subject.Result) bool {
	return !strings.HasPrefix(r.Text, out.Text) && !strings.HasPrefix(r.Text, text.Clean(out.Text))
}

// unbounded shows all of an output.
func unbounded(out bounding.Output, r *subject.Result) {
	r.Text, r.State, r.Outcome, r.Locator, r.Metadata = out.Text, bounding.Kept, bounding.NotNeeded, "", ""
}

const marker = "... [CONTENT TRUNCATED] ..."

var bounds = []Bug{
	bug("bound-marker-exempts", "an output that holds the truncation marker is taken for one that was bounded", reports,
		changed(func(_ *wrong, _ bounding.Limits, out bounding.Output, r *subject.Result) {
			if strings.Contains(out.Text, marker) {
				unbounded(out, r)
			}
		}), "BND-1", "SEN-3"),
	bug("bound-limit-exclusive", "a text at its budget is cut", design, limited(func(l *bounding.Limits, _ bounding.Output) { l.Threshold-- }), "BND-2"),
	bug("bound-limit-and-one", "a text one above its budget stays whole", design,
		limited(func(l *bounding.Limits, _ bounding.Output) { l.Threshold++; l.Headroom-- }), "BND-3"),
	bug("bound-gate-inclusive", "a text at the gate is offloaded", design, limited(func(l *bounding.Limits, _ bounding.Output) { l.Headroom-- }), "BND-3"),
	bug("bound-grows", "what stands for a text is longer than the text", qwen, changed(func(_ *wrong, _ bounding.Limits, out bounding.Output, r *subject.Result) {
		if cut(out, r) {
			r.Text += strings.Repeat(".", len(out.Text))
		}
	}), "BND-4", "BND-9"),
	bug("bound-line-cap-everywhere", "the line cap holds for tools with a budget of their own, too", qwen, limited(func(l *bounding.Limits, out bounding.Output) {
		if tool := l.Tool(out.Call.Tool); tool.Budget > 0 {
			l.Threshold, l.Tools[out.Call.Tool] = tool.Budget, bounding.Tool{Keep: tool.Keep}
		}
	}), "BND-5"),
	bug("bound-head-only", "a preview shows the beginning only", qwen, limited(func(l *bounding.Limits, _ bounding.Output) {
		l.StubKeep = text.Head
		for name, tool := range l.Tools {
			tool.Keep = text.Head
			l.Tools[name] = tool
		}
		l.Tools["*"] = bounding.Tool{Keep: text.Head}
	}), "BND-6"),
	bug("bound-wrong-digest", "the digest is that of what is shown", reports, changed(func(_ *wrong, _ bounding.Limits, _ bounding.Output, r *subject.Result) {
		if r.SHA256 != "" {
			r.SHA256 = strings.Repeat("0", len(r.SHA256))
		}
	}), "BND-7"),
	bug("bound-shows-another-output", "a preview shows what another command printed", reports, changed(func(w *wrong, _ bounding.Limits, out bounding.Output, r *subject.Result) {
		if cut(out, r) {
			r.Text += w.kept["last"]
		}
		w.kept["last"] = out.Text[:min(20, len(out.Text))]
	}), "BND-7"),
	bug("bound-panics-without-preview", "a preview of 0 is an index out of range", qwen, changed(func(_ *wrong, l bounding.Limits, out bounding.Output, r *subject.Result) {
		if l.Preview == 0 && cut(out, r) {
			panic("slice bounds out of range")
		}
	}), "BND-8"),
	bug("bound-producers-are-trusted", "what its producer has bounded is not bounded again", qwen, changed(func(_ *wrong, _ bounding.Limits, out bounding.Output, r *subject.Result) {
		if out.Bounded {
			unbounded(out, r)
		}
	}), "BND-1", "BND-9"),
	bug("bound-exempt-is-unbounded", "a tool that is exempt from the gate is exempt from its budget", qwen, changed(func(_ *wrong, l bounding.Limits, out bounding.Output, r *subject.Result) {
		if l.Tool(out.Call.Tool).Exempt {
			unbounded(out, r)
		}
	}), "BND-10"),
	bug("bound-empties", "what does not fit becomes nothing", reports, changed(func(_ *wrong, _ bounding.Limits, out bounding.Output, r *subject.Result) {
		if cut(out, r) {
			r.Text = ""
		}
	}), "BND-11"),
	bug("bound-drops-media", "media are lost where a text is cut", reports, changed(func(_ *wrong, _ bounding.Limits, out bounding.Output, r *subject.Result) {
		if cut(out, r) {
			r.Media = nil
		}
	}), "BND-12"),
	bug("bound-errors-pass", "errors are not bounded", reports, changed(func(_ *wrong, _ bounding.Limits, out bounding.Output, r *subject.Result) {
		if out.Status != bounding.Success {
			unbounded(out, r)
		}
	}), "BND-1", "BND-13"),
	bug("bound-forgets-errors", "a bounded error is a success", reports, changed(func(_ *wrong, _ bounding.Limits, out bounding.Output, r *subject.Result) {
		if cut(out, r) {
			r.Failed = false
		}
	}), "BND-13"),
	bug("text-cut-in-a-character", "a cut parts a character", reports, changed(func(_ *wrong, _ bounding.Limits, out bounding.Output, r *subject.Result) {
		if cut(out, r) && r.Text != "" && r.Text[len(r.Text)-1] >= 0x80 {
			r.Text = r.Text[:len(r.Text)-1]
		}
	}), "TXT-1"),
	bug("text-counts-bytes", "limits count bytes, whatever their unit", reports, limited(func(l *bounding.Limits, _ bounding.Output) { l.Unit = text.Bytes }), "TXT-4"),
	bug("again-nests", "a later pass puts a second notice before the first", qwen, func(w *wrong) {
		w.tighten = func(w *wrong, ctx context.Context, l bounding.Limits, r subject.Result) (subject.Result, error) {
			again, err := w.Subject.Tighten(ctx, l, r)
			if notice, _, ok := strings.Cut(again.Text, "\n"); ok && again.Locator != "" {
				again.Text = notice + "\n" + again.Text
			}
			return again, err
		}
	}, "SEN-1", "SEN-2"),
	bug("again-saves", "a later pass saves once more", qwen, func(w *wrong) {
		w.tighten = func(w *wrong, ctx context.Context, l bounding.Limits, r subject.Result) (subject.Result, error) {
			if r.Locator != "" {
				saved, err := w.Subject.Save(ctx, l, spill.Request{Owner: trace.Session, SuggestedName: r.Call.ID, Content: r.Text})
				if err != nil {
					return r, err
				}
				r.Locator = saved.Locator
				return r, nil
			}
			return w.Subject.Tighten(ctx, l, r)
		}
	}, "SEN-1"),
	bug("tags-end-the-envelope", "what is kept stands in a tag that the output can end", qwen, changed(func(_ *wrong, _ bounding.Limits, out bounding.Output, r *subject.Result) {
		if cut(out, r) {
			r.Text = "<persisted-output>\n" + r.Text + "\n</persisted-output>"
		}
	}), "SEN-5"),
	bug("metadata-cut", "metadata is cut with the output", qwen, changed(func(_ *wrong, _ bounding.Limits, _ bounding.Output, r *subject.Result) {
		if len(r.Metadata) > 20 {
			r.Text = strings.TrimSuffix(r.Text, r.Metadata) + r.Metadata[:20]
			r.Metadata = r.Metadata[:20]
		}
	}), "MET-1"),
	bug("metadata-unbounded", "metadata is added after all bounds", qwen, changed(func(_ *wrong, _ bounding.Limits, out bounding.Output, r *subject.Result) {
		if r.Metadata != "" {
			all := strings.Join(out.Metadata, "\n\n")
			r.Text, r.Metadata = strings.TrimSuffix(r.Text, r.Metadata)+all, all
		}
	}), "MET-2", "MET-4"),
	bug("metadata-takes-from-the-output", "an output with metadata beside it has a smaller budget", qwen, limited(func(l *bounding.Limits, out bounding.Output) {
		l.Threshold = max(0, l.Threshold-len(strings.Join(out.Metadata, "")))
	}), "MET-3"),
	bug("metadata-beside-a-marker-unbounded", "the second check skips what holds the marker of the first", qwen, changed(func(_ *wrong, _ bounding.Limits, out bounding.Output, r *subject.Result) {
		if strings.HasPrefix(out.Text, "<persisted-output>") && r.Metadata != "" {
			all := strings.Join(out.Metadata, "\n\n")
			r.Text, r.Metadata = strings.TrimSuffix(r.Text, r.Metadata)+all, all
		}
	}), "MET-4"),
}

// batched changes what a message is brought to.
func batched(change func(w *wrong, ctx context.Context, l bounding.Limits, in, out []subject.Result) ([]subject.Result, error)) func(w *wrong) {
	return func(w *wrong) {
		w.batch = func(w *wrong, ctx context.Context, l bounding.Limits, in []subject.Result) ([]subject.Result, error) {
			out, err := w.Subject.Batch(ctx, l, slices.Clone(in))
			if err != nil {
				return out, err
			}
			return change(w, ctx, l, in, out)
		}
	}
}

func sum(l bounding.Limits, results []subject.Result) int {
	n := 0
	for _, r := range results {
		n += l.Unit.Count(r.Text)
	}
	return n
}

// offload makes a stub of a result.
func (w *wrong) offload(ctx context.Context, l bounding.Limits, r subject.Result) (subject.Result, error) {
	l.Threshold, l.Headroom, l.Tools, l.Aliases = 500, 0, nil, nil
	return w.Subject.Tighten(ctx, l, r)
}

// offloading offloads results in an order until the message fits.
func offloading(order func(w *wrong, l bounding.Limits, results []subject.Result) []int) func(w *wrong) {
	return func(w *wrong) {
		w.batch = func(w *wrong, ctx context.Context, l bounding.Limits, in []subject.Result) ([]subject.Result, error) {
			out := slices.Clone(in)
			for _, i := range order(w, l, in) {
				if sum(l, out) <= l.Batch || l.Batch < 0 {
					return out, nil
				}
				stub, err := w.offload(ctx, l, out[i])
				if err != nil {
					return out, err
				}
				out[i] = stub
			}
			if sum(l, out) <= l.Batch || l.Batch < 0 {
				return out, nil
			}
			return w.Subject.Batch(ctx, l, out)
		}
	}
}

func bySize(l bounding.Limits, results []subject.Result, compare func(a, b int) int) []int {
	var order []int
	for i := range results {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return compare(l.Unit.Count(results[a].Text), l.Unit.Count(results[b].Text))
	})
	return order
}

var messages = []Bug{
	bug("batch-nothing", "a message has no budget", reports, func(w *wrong) {
		w.batch = func(_ *wrong, _ context.Context, _ bounding.Limits, in []subject.Result) ([]subject.Result, error) {
			return in, nil
		}
	}, "AGG-1"),
	bug("batch-exclusive", "a message at its budget is cut", design, func(w *wrong) {
		w.batch = func(w *wrong, ctx context.Context, l bounding.Limits, in []subject.Result) ([]subject.Result, error) {
			if l.Batch > 0 {
				l.Batch--
			}
			return w.Subject.Batch(ctx, l, in)
		}
	}, "AGG-2"),
	bug("batch-smallest-first", "the smallest results are offloaded first", design,
		offloading(func(_ *wrong, l bounding.Limits, results []subject.Result) []int {
			return bySize(l, results, func(a, b int) int { return a - b })
		}), "AGG-3"),
	bug("batch-one-too-many", "one result more is offloaded than has to be", design,
		batched(func(w *wrong, ctx context.Context, l bounding.Limits, in, out []subject.Result) ([]subject.Result, error) {
			if l.Batch < 0 || sum(l, in) <= l.Batch {
				return out, nil
			}
			for _, i := range bySize(l, out, func(a, b int) int { return b - a }) {
				if out[i].State != bounding.Stubbed {
					stub, err := w.offload(ctx, l, out[i])
					out[i] = stub
					return out, err
				}
			}
			return out, nil
		}), "AGG-4"),
	bug("batch-swaps", "results of a message above its budget change places", reports,
		batched(func(_ *wrong, _ context.Context, l bounding.Limits, in, out []subject.Result) ([]subject.Result, error) {
			if len(out) > 1 && l.Batch >= 0 && sum(l, in) > l.Batch {
				out[0], out[1] = out[1], out[0]
			}
			return out, nil
		}), "AGG-5"),
	bug("batch-completion-order", "what was completed first is offloaded first", reports, func(w *wrong) {
		w.bound = func(w *wrong, ctx context.Context, l bounding.Limits, out bounding.Output) (subject.Result, error) {
			r, err := w.Subject.Bound(ctx, l, out)
			w.kept[string(r.Data)] = string(rune(' ' + len(w.kept)))
			return r, err
		}
		offloading(func(w *wrong, _ bounding.Limits, results []subject.Result) []int {
			var order []int
			for i := range results {
				order = append(order, i)
			}
			slices.SortStableFunc(order, func(a, b int) int {
				return strings.Compare(w.kept[string(results[a].Data)], w.kept[string(results[b].Data)])
			})
			return order
		})(w)
	}, "AGG-6"),
	bug("batch-errors-do-not-count", "errors are left out of the sum", qwen, func(w *wrong) {
		w.batch = func(w *wrong, ctx context.Context, l bounding.Limits, in []subject.Result) ([]subject.Result, error) {
			var counted []subject.Result
			for _, r := range in {
				if !r.Failed {
					counted = append(counted, r)
				}
			}
			bounded, err := w.Subject.Batch(ctx, l, counted)
			out := slices.Clone(in)
			for i := range out {
				if !out[i].Failed && len(bounded) > 0 {
					out[i], bounded = bounded[0], bounded[1:]
				}
			}
			return out, err
		}
	}, "AGG-7"),
}

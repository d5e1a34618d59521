package bounding

import (
	"context"
	"math"
	"slices"
)

// Message is all the results of one message, within the batch budget. Only [Pipeline.Batch] makes one, and it is what a
// [History] takes.
type Message struct {
	by      *Pipeline
	results []Result
}

// Results returns the results in the order in which they were given.
func (m Message) Results() []Result { return slices.Clone(m.results) }

// Batch brings the results of one message within the batch budget, once all of its calls are complete. Within the budget
// nothing changes. The results given stay as they are; those that had to shrink are new ones, and their order is the same.
// Results of another pipeline, such as that of a sub-agent, are brought within the limits of this one first.
//
// spec: OFF-5, OFF-8
func (p *Pipeline) Batch(ctx context.Context, results ...Result) Message {
	out := slices.Clone(results)
	sizes := make([]int, len(out))
	for i := range out {
		if out[i].by != p {
			out[i] = p.Tighten(ctx, out[i])
		}
		sizes[i] = out[i].Size()
	}
	stubs := make([]Result, len(out))
	plan := PlanBatch(sizes, p.limits.Batch, p.limits.Sharing, func(i int) Stub {
		if !p.worthAStub(&out[i]) {
			return Stub{Size: sizes[i], Floor: p.floors(&out[i])}
		}
		p.save(ctx, out[i].call, "result", &out[i].body) // once, whether the stub is taken or not
		stubs[i] = p.stub(ctx, out[i])
		return Stub{Size: stubs[i].Size(), Floor: p.floors(&stubs[i])}
	})
	before := make([]State, len(out))
	for i := range out {
		before[i] = out[i].state
	}
	for _, i := range plan.Offloaded {
		out[i] = stubs[i]
	}
	if plan.Shared && p.limits.Sharing == LargestFirst {
		plan.Max = p.share(ctx, out)
	}
	for i := range out {
		if out[i].Size() > plan.Max[i] {
			p.squeeze(ctx, &out[i], plan.Max[i])
		}
		if out[i].Size() != sizes[i] {
			p.transition(ctx, &out[i], before[i], sizes[i], BatchBound)
		}
	}
	return Message{p, out}
}

// share says what each result may measure when offloading was not enough. It saves what will be cut, and shares out again
// with the pointers that this brought, until all of them are known: each is the last thing to be cut.
//
// spec: OFF-8
func (p *Pipeline) share(ctx context.Context, results []Result) []int {
	sizes, floors := make([]int, len(results)), make([]int, len(results))
	for {
		for i := range results {
			sizes[i], floors[i] = results[i].Size(), p.floors(&results[i])
		}
		shares := waterFill(sizes, floors, p.limits.Batch)
		saved := false
		for i := range results {
			saved = p.saveCut(ctx, &results[i], shares[i]) || saved
		}
		if !saved {
			return shares
		}
	}
}

// worthAStub reports whether the notice of a stub, without its locator, is shorter than a body.
func (p *Pipeline) worthAStub(r *Result) bool {
	return r.state != Stubbed && p.limits.Unit.Count(r.body.notice(p.limits.Unit, outputText).Rest) < r.body.units
}

// stub offloads the body of a result whatever its size. A body that is no longer than the notice stays what it is.
func (p *Pipeline) stub(ctx context.Context, r Result) Result {
	limit := r.body.units - 1
	if p.limits.Unit.Count(r.body.notice(p.limits.Unit, outputText).String()) > limit {
		return r
	}
	p.shortenBody(ctx, &r, cut{
		what: outputText, keep: p.limits.StubKeep, max: limit, preview: p.limits.Preview,
		lines: p.limits.lines(p.limits.Tool(r.call.Tool)),
	})
	r.state = Stubbed
	return r
}

// Tighten applies the limits of this pipeline to a result that was bounded before, under the same limits or others. The
// notice keeps the counts of the original and the artifact it had; nothing is saved twice, and nothing grows.
//
// spec: OFF-5
func (p *Pipeline) Tighten(ctx context.Context, r Result) Result {
	if r.state == Raw {
		return r
	}
	r = r.in(p.limits.Unit)
	r.by = p
	p.pass(ctx, &r)
	return r
}

// shortenTo shortens the body to limit units, and to the lines of its tool.
func (p *Pipeline) shortenTo(ctx context.Context, r *Result, limit int) {
	tool := p.limits.Tool(r.call.Tool)
	p.shortenBody(ctx, r, cut{
		what: outputText, keep: tool.Keep, max: limit, preview: math.MaxInt, lines: p.limits.lines(tool),
	})
}

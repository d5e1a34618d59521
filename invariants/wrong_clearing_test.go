package invariants

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/model"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// wrongClearing is a wrong implementation of clearing or of diagnoses, and the invariants that must find it.
type wrongClearing struct {
	fault string
	kills []string
	large bool // it takes a longer session to show
}

// wrongPlans are ways to decide wrongly what a checkpoint clears, on numbers. Each names invariants that must find it.
var wrongPlans = []wrongClearing{
	{"trigger at the watermark", []string{"CLR-1", "PFX-1"}, false},
	{"stop below the target", []string{"CLR-4"}, false},
	{"stop at the watermark", []string{"CLR-2", "PFX-5"}, false},
	{"target rounded up", []string{"CLR-2"}, false},
	{"pending takes a slot", []string{"PRO-1"}, false},
	{"error takes a slot", []string{"PRO-1"}, false},
	{"empty takes a slot", []string{"PRO-1"}, false},
	{"placeholder takes a slot", []string{"PRO-1"}, false},
	{"media-only takes a slot on the size path", []string{"PRO-1"}, false},
	{"window by position", []string{"PRO-1"}, false},
	{"newest first", []string{"CLR-3"}, false},
	{"pending not in the total", []string{"CLR-1", "PRO-2"}, false},
	{"pending cleared", []string{"PRO-2"}, false},
	{"soft at the target", []string{"CLR-2"}, false},
	{"soft always", []string{"CLR-2"}, false},
	{"old media-only stays", []string{"CLR-9"}, false},
	{"clears errors", []string{"CLR-9"}, false},
	{"clears what is small", []string{"CLR-7"}, false},
	{"K of 0 keeps none", []string{"PRO-3"}, false},
	{"clears on after the target", []string{"CLR-4"}, false},
	{"fires without a watermark", []string{"CLR-10"}, false},
	{"idle after the gap only", []string{"CLR-9"}, false},
	{"idle clears recent media", []string{"CLR-9"}, false},
}

// faulty decides as the requirements say, but for one fault.
type faulty string

func (f faulty) is(fault string) bool { return string(f) == fault }

func (f faulty) text(s bounding.Slot) int {
	if s.Kind != bounding.ResultSlot || s.Failed && !f.is("clears errors") || s.Cleared || f.is("pending not in the total") && s.Pending {
		return 0
	}
	return s.Units
}

func (f faulty) claims(s bounding.Slot, idle bool) bool {
	switch {
	case s.Protected:
		return false
	case s.Pending:
		return f.is("pending takes a slot")
	case s.Failed:
		return f.is("error takes a slot")
	case s.Cleared:
		return f.is("placeholder takes a slot")
	case s.Kind == bounding.ResultSlot && s.Units == 0 && s.Media == 0:
		return f.is("empty takes a slot")
	case s.Kind == bounding.ResultSlot && s.Units == 0:
		return idle || f.is("media-only takes a slot on the size path")
	case s.Kind == bounding.ResultSlot:
		return true
	}
	return idle && s.Media > 0
}

func (f faulty) window(slots []bounding.Slot, w bounding.Watermark, idle bool) map[int]bool {
	window, room := map[int]bool{}, map[bounding.Kind]int{}
	keep := max(w.Keep, 1)
	if f.is("K of 0 keeps none") {
		keep = max(w.Keep, 0)
	}
	for i := len(slots) - 1; i >= 0; i-- {
		s := slots[i]
		if f.claims(s, idle) || f.is("window by position") {
			if room[s.Kind]++; room[s.Kind] <= keep {
				window[i] = true
			}
		}
	}
	return window
}

func (f faulty) Plan(slots []bounding.Slot, w bounding.Watermark, at bounding.Checkpoint) bounding.ClearPlan {
	idle := w.IdleAfter >= 0 && (at.Trigger == bounding.MemoryPressure || at.Trigger == bounding.BeforeQuery &&
		(at.Gap > w.IdleAfter || at.Gap == w.IdleAfter && !f.is("idle after the gap only")))
	switch {
	case at.Trigger == bounding.OnDemand:
		return f.windows(slots, w, bounding.ForcedPath)
	case idle:
		why := bounding.IdlePath
		if at.Trigger == bounding.MemoryPressure {
			why = bounding.PressurePath
		}
		if p := f.windows(slots, w, why); len(p.Cleared) > 0 {
			return p
		}
	}
	return f.size(slots, w)
}

func (f faulty) windows(slots []bounding.Slot, w bounding.Watermark, why bounding.Reason) bounding.ClearPlan {
	p := bounding.ClearPlan{Reason: why}
	window := f.window(slots, w, true)
	for i, s := range slots {
		mediaOnly := s.Units == 0 && s.Media > 0
		recent := window[i] && !(f.is("idle clears recent media") && mediaOnly)
		if recent || s.Pending && !f.is("pending cleared") || s.Protected || s.Cleared || s.Failed && !f.is("clears errors") ||
			s.Units == 0 && s.Media == 0 || f.is("old media-only stays") && mediaOnly ||
			s.Kind == bounding.ResultSlot && s.Units <= s.Placeholder && s.Media == 0 && !f.is("clears what is small") {
			continue
		}
		if s.Kind == bounding.ResultSlot || s.Media > 0 {
			p.Cleared = append(p.Cleared, i)
		}
	}
	return f.sum(p, slots, w)
}

func (f faulty) size(slots []bounding.Slot, w bounding.Watermark) bounding.ClearPlan {
	total := 0
	for _, s := range slots {
		total += f.text(s)
	}
	high := w.High
	if high < 0 && f.is("fires without a watermark") {
		high = 3
	}
	if high < 0 || total < high || total == high && !f.is("trigger at the watermark") {
		return bounding.ClearPlan{}
	}
	low := high / 2
	switch {
	case f.is("stop at the watermark"):
		low = high
	case f.is("target rounded up"):
		low = (high + 1) / 2
	case f.is("stop below the target"):
		low--
	}
	p := bounding.ClearPlan{Reason: bounding.SizePath}
	window := f.window(slots, w, false)
	order := make([]int, len(slots))
	for i := range order {
		order[i] = i
	}
	if f.is("newest first") {
		slices.Reverse(order)
	}
	for _, i := range order {
		s := slots[i]
		if total <= low && !(f.is("clears on after the target") && len(p.Cleared) > 0) {
			break
		}
		if f.text(s) == 0 || s.Pending && !f.is("pending cleared") || s.Protected || window[i] ||
			s.Units <= s.Placeholder && s.Media == 0 && !f.is("clears what is small") {
			continue
		}
		total -= f.text(s)
		p.Cleared = append(p.Cleared, i)
	}
	slices.Sort(p.Cleared)
	return f.sum(p, slots, w)
}

func (f faulty) sum(p bounding.ClearPlan, slots []bounding.Slot, w bounding.Watermark) bounding.ClearPlan {
	p.High, p.Low = w.High, w.Low()
	for i, s := range slots {
		n := f.text(s)
		p.Before += n
		if s.Pending {
			p.Pending += n
		}
		if slices.Contains(p.Cleared, i) {
			p.Media += s.Media
			if s.Kind == bounding.ResultSlot {
				p.Results++
			}
		} else if !s.Pending {
			p.After += n
		}
	}
	return p
}

func (f faulty) soft(p bounding.ClearPlan) bool {
	return f.is("soft always") || p.SoftExceeded() || f.is("soft at the target") && p.After+p.Pending == p.Low
}

// wrongClearer clears with a fault in its plan, or in what it does with it.
type wrongClearer struct {
	*model.Subject
	faulty
	calls *int // checkpoints and diagnoses so far
}

func newWrongClearer(fault string) wrongClearer {
	return wrongClearer{model.New(), faulty(fault), new(int)}
}

func (w wrongClearer) Plan(slots []bounding.Slot, m bounding.Watermark, at bounding.Checkpoint) bounding.ClearPlan {
	return w.faulty.Plan(slots, m, at)
}

// wrongClears are ways to go wrong in what is done with the plan.
var wrongClears = []wrongClearing{
	{"edit vouches", []string{"FIL-1"}, false},
	{"read vouches", []string{"FIL-1"}, false},
	{"pending vouches", []string{"FIL-1"}, false},
	{"no file is reported", []string{"FIL-1", "FIL-2"}, false},
	{"unknown files are ignored", []string{"FIL-2"}, false},
	{"changes the history given", []string{"CLR-11"}, false},
	{"cleared is what reads like it", []string{"CLR-8"}, false},
	{"metadata goes", []string{"CLR-5"}, false},
	{"media stays in what is cleared", []string{"CLR-5"}, false},
	{"calls are renamed", []string{"CLR-5"}, false},
	{"placeholders are written anew", []string{"CLR-6", "PFX-1", "PFX-2", "PFX-6"}, false},
	{"placeholders tell the time", []string{"PFX-7"}, false},
	{"placeholders are empty", []string{"PFX-6", "CLR-5"}, false},
	{"first message changes", []string{"PFX-3"}, false},
	{"reports what is left as cleared", []string{"CLR-8"}, false},
	{"says nothing", []string{"CLR-8"}, false},
	{"panics", []string{"CLR-8"}, false},
	{"one result at each checkpoint", []string{"PFX-4", "PFX-5"}, true},
	{"diagnosis counts errors", []string{"DIA-1"}, false},
	{"diagnosis counts placeholders", []string{"DIA-1"}, false},
	{"diagnosis panics", []string{"DIA-1"}, false},
	{"diagnosis shows the largest", []string{"DIA-2", "DIA-3"}, false},
	{"diagnosis has control characters", []string{"DIA-2"}, false},
	{"diagnosis skips what looks bounded", []string{"DIA-4"}, false},
	{"diagnosis calls the limit oversized", []string{"DIA-4"}, false},
}

var clock int // of the fault that tells the time

func (w wrongClearer) Clear(_ context.Context, l bounding.Limits, h subject.History, at bounding.Checkpoint) (subject.History, *subject.ClearReport, error) {
	*w.calls++
	if w.is("panics") {
		panic("no more")
	}
	gone := map[place]bool{}
	for p, r := range h.All() {
		if gone[place{p.Message, p.Result, false}] = r.State == bounding.Cleared; w.is("cleared is what reads like it") {
			gone[place{p.Message, p.Result, false}] = strings.HasPrefix(r.Text, bounding.ClearedText)
		}
	}
	for i, m := range h.Messages {
		for j, medium := range m.Media {
			gone[place{i, j, true}] = medium.Cleared
		}
	}
	slots, places := slotsOf(l, h, gone)
	plan := w.Plan(slots, l.Watermark, at)
	if w.is("one result at each checkpoint") {
		plan = faulty("stop at the watermark").Plan(slots, l.Watermark, at)
	}
	c := clearing{slots: slots, places: places, changed: plan.Cleared, onSize: plan.Reason == bounding.SizePath}
	if !w.is("changes the history given") {
		given := h
		h = h.Clone()
		c.Event = eventOf(l, given)
	} else {
		c.Event = eventOf(l, h.Clone())
	}
	for _, i := range plan.Cleared {
		w.clear(l, h, places[i])
	}
	if w.is("placeholders are written anew") {
		for p, r := range h.All() {
			if r.State == bounding.Cleared {
				h.Messages[p.Message].Results[p.Result].Text = fmt.Sprintf("%s%*s", bounding.ClearedText, *w.calls%9, "")
			}
		}
	}
	if w.is("first message changes") && len(plan.Cleared) > 0 && len(h.Messages) > 1 && len(h.Messages[1].Results) > 0 {
		h.Messages[1].Results[0].Text += "."
	}
	if w.is("calls are renamed") && len(plan.Cleared) > 0 {
		p := places[plan.Cleared[0]]
		if !p.medium {
			h.Messages[p.message].Results[p.index].Call.ID = "call"
		}
	}
	return h, w.report(c, plan, at), nil
}

func eventOf(l bounding.Limits, before subject.History) *trace.Event {
	return &trace.Event{Limits: l, Before: before}
}

func (w wrongClearer) clear(l bounding.Limits, h subject.History, p place) {
	m := &h.Messages[p.message]
	if p.medium {
		m.Media[p.index] = bounding.Media{Type: m.Media[p.index].Type, Cleared: true}
		return
	}
	r := &m.Results[p.index]
	if !w.is("media stays in what is cleared") {
		r.Media = nil
	}
	if l.Tool(r.Call.Tool).Fixed {
		return
	}
	r.Text = bounding.Placeholder(r.Locator)
	switch {
	case w.is("placeholders tell the time"):
		clock++
		r.Text += fmt.Sprint(clock)
	case w.is("placeholders are empty"):
		r.Text = ""
	}
	if r.Metadata != "" && !w.is("metadata goes") {
		r.Text += "\n\n" + r.Metadata
	}
	r.State = bounding.Cleared
}

func (w wrongClearer) report(c clearing, plan bounding.ClearPlan, at bounding.Checkpoint) *subject.ClearReport {
	if plan.Reason == bounding.NotFired || w.is("says nothing") {
		return nil
	}
	_, left, unknown := c.evictions()
	for i, s := range c.slots {
		use, files := c.file(i)
		if slices.Contains(plan.Cleared, i) || s.Cleared {
			continue
		}
		if use == bounding.EditsFile && w.is("edit vouches") || use == bounding.ReadsFile && w.is("read vouches") ||
			use == bounding.WritesFile && s.Pending && w.is("pending vouches") {
			left = slices.DeleteFunc(left, func(f string) bool { return slices.Contains(files, f) })
		}
	}
	if w.is("no file is reported") {
		left = nil
	}
	if w.is("unknown files are ignored") {
		unknown = 0
	}
	r := &subject.ClearReport{
		Reason: plan.Reason.String(), Before: plan.Before, After: plan.After, Pending: plan.Pending, High: plan.High, Low: plan.Low,
		Cleared: plan.Results, Media: plan.Media, Soft: w.soft(plan), Evicted: left, Unresolved: unknown,
		DisarmAll: unknown > 0 || at.Trigger == bounding.MemoryPressure,
	}
	if w.is("reports what is left as cleared") {
		r.Cleared = plan.After
	}
	return r
}

func (w wrongClearer) Diagnose(ctx context.Context, l bounding.Limits, h subject.History) (subject.Diagnosis, error) {
	if w.is("diagnosis panics") {
		panic("no more")
	}
	d, err := w.Subject.Diagnose(ctx, l, h)
	for _, r := range h.All() {
		looks := strings.Contains(r.Text, "[CONTENT TRUNCATED]") || strings.HasPrefix(r.Text, "<persisted-output>")
		switch {
		case w.is("diagnosis counts errors") && r.Failed:
			d.Counted += l.Unit.Count(r.Text)
		case w.is("diagnosis counts placeholders") && r.State == bounding.Cleared:
			d.Counted += l.Unit.Count(r.Text)
		case w.is("diagnosis shows the largest"):
			d.Text += r.Text
		case w.is("diagnosis has control characters"):
			d.Text += "\x1b[1m"
		case w.is("diagnosis skips what looks bounded") && looks:
			d.Oversized = slices.DeleteFunc(d.Oversized, func(id string) bool { return id == r.Call.ID })
		case w.is("diagnosis calls the limit oversized") && l.Unit.Count(r.Text) == 2*l.Threshold+500:
			d.Oversized = append(d.Oversized, r.Call.ID)
		}
	}
	return d, err
}

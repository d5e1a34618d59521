package invariants

import (
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// clr is about clearing old results at a checkpoint.
var clr = []Invariant{
	{
		ID: "CLR-1", Level: Must, Requirement: "WMK-1 WMK-5 WMK-10", Needs: []string{subject.CapClear},
		Statement: "The size path fires if and only if there is a high watermark and the total of counted results, pending ones included, is above it.",
		Witnesses: []string{"total one below the watermark", "total at the watermark", "total one above the watermark",
			"watermark of 0", "no watermark", "above only with the pending results"},
		check: checkTrigger, cases: triggerCases(),
	},
	{
		ID: "CLR-2", Level: Must, Requirement: "WMK-1 WMK-6 WMK-10", Needs: []string{subject.CapClear},
		Statement: "When the size path fired, the total is at most half the watermark, or nothing is left that may be cleared; the report says soft-exceeded if and only if the total stays above that half.",
		Witnesses: []string{"ended on the target", "ended below the target", "soft-exceeded"},
		check:     checkTarget, cases: targetCases(),
	},
	{
		ID: "CLR-3", Level: Must, Requirement: "WMK-1 WMK-2", Needs: []string{subject.CapClear},
		Statement: "What the size path clears are the oldest of the results that may be cleared and are not protected, with none left out.",
		Witnesses: []string{"some cleared, some left", "an error between"},
		check:     checkPrefix, cases: targetCases(),
	},
	{
		ID: "CLR-4", Level: Must, Requirement: "WMK-1", Needs: []string{subject.CapClear},
		Statement: "The size path clears no more than it must: before the last result that it cleared, the total was above the target.",
		Witnesses: []string{"several cleared"},
		check:     checkMinimal, cases: targetCases(),
	},
	{
		ID: "CLR-5", Level: Must, Requirement: "WMK-3", Needs: []string{subject.CapClear},
		Statement: "A checkpoint changes the text and the media of cleared results and nothing else: messages, parts, order, calls, names, errors and what others said stay.",
		Witnesses: []string{"a cleared result", "a cleared result with media", "a cleared result with metadata"},
		check:     checkUntouched, cases: untouchedCases(),
	},
	{
		ID: "CLR-6", Level: Must, Requirement: "WMK-1 WMK-3", Needs: []string{subject.CapClear},
		Statement: "A second checkpoint of the same kind with nothing in between changes nothing, and what was cleared stays as it is.",
		Witnesses: []string{"a second checkpoint", "something cleared before"},
		check:     checkIdempotent, cases: idempotentCases(),
	},
	{
		ID: "CLR-7", Level: Must, Requirement: "WMK-3", Needs: []string{subject.CapClear},
		Statement: "Clearing makes every text shorter, unless it drops media as well, and leaves alone what a placeholder would not make shorter.",
		Witnesses: []string{"a text as long as the placeholder", "a text one longer than the placeholder", "a stub"},
		check:     checkShrinks, cases: shrinkCases(),
	},
	{
		ID: "CLR-8", Level: Must, Requirement: "WMK-6 WMK-10", Needs: []string{subject.CapClear},
		Statement: "A checkpoint answers, and its report equals a recount: before, pending, after, cleared, media, watermark, target and reason.",
		Witnesses: []string{"size", "idle", "forced", "pending in the report"},
		check:     checkReport, cases: reportCases(),
	},
	{
		ID: "CLR-9", Level: Must, Requirement: "WMK-1 WMK-4", Needs: []string{subject.CapClear},
		Statement: "The size path clears no error and no result without text; the idle and the forced path clear old media-only results, take old media out of what is left, and keep the newest.",
		Witnesses: []string{"media-only passed over by the size path", "old media-only cleared", "recent media-only kept", "error with media left alone"},
		check:     checkMedia, cases: mediaCases(),
	},
	{
		ID: "CLR-10", Level: Must, Requirement: "WMK-5", Needs: []string{subject.CapClear},
		Statement: "With no watermark and no idle path, a session is the same as one without checkpoints.",
		Witnesses: []string{"a history above every default"},
		relation:  &relation{withoutCheckpoints, sameSession}, cases: disabledCases(),
	},
	{
		ID: "CLR-11", Level: Must, Requirement: "WMK-1", Needs: []string{subject.CapClear},
		Statement: "The history that a checkpoint is given stays as it is; what is cleared is cleared in a copy.",
		Witnesses: []string{"a firing"},
		check: func(t *trace.Trace, v *Verdict) {
			for c := range clearings(t) {
				if c.Mutated {
					v.Failf("step %d: the checkpoint changed the history that it was given", c.Step)
				}
				if c.fired() {
					v.Saw("a firing")
				}
			}
		}, cases: untouchedCases(),
	},
}

func checkTrigger(t *trace.Trace, v *Verdict) {
	for c := range clearings(t) {
		if !c.onSize {
			continue
		}
		high, total := c.Limits.Watermark.High, c.total()
		switch {
		case high < 0:
			v.Saw("no watermark")
		case high == 0 && total > 0:
			v.Saw("watermark of 0")
		}
		if high >= 0 {
			switch total - high {
			case -1:
				v.Saw("total one below the watermark")
			case 0:
				v.Saw("total at the watermark")
			case 1:
				v.Saw("total one above the watermark")
			}
		}
		if high >= 0 && total > high {
			if total-c.want.Pending <= high {
				v.Saw("above only with the pending results")
			}
			if !c.fired() && (len(c.want.Cleared) > 0 || c.Report == nil) {
				v.Failf("step %d: the total of %d is above the watermark of %d, and the checkpoint did and said nothing", c.Step, total, high)
			}
			continue
		}
		if c.fired() || c.Report != nil && c.Report.Reason == bounding.SizePath.String() {
			v.Failf("step %d: the total of %d is not above the watermark of %d, and the size path fired", c.Step, total, high)
		}
	}
}

// sized yields the checkpoints at which the size path had to fire.
func sized(t *trace.Trace) func(yield func(clearing) bool) {
	return func(yield func(clearing) bool) {
		for c := range clearings(t) {
			if c.onSize && c.want.Reason == bounding.SizePath && !yield(c) {
				return
			}
		}
	}
}

func checkTarget(t *trace.Trace, v *Verdict) {
	for c := range sized(t) {
		left, low := c.remaining(), c.low()
		switch {
		case left == low:
			v.Saw("ended on the target")
		case left < low:
			v.Saw("ended below the target")
		default:
			v.Saw("soft-exceeded")
			for _, i := range c.candidates() {
				if !slices.Contains(c.changed, i) {
					v.Failf("step %d: %d units remain above the target of %d, and %s could have been cleared", c.Step, left, low, c.name(i))
				}
			}
		}
		if c.Report != nil && c.Report.Soft != (left > low) {
			v.Failf("step %d: %d units remain, the target is %d, and the report says soft-exceeded: %t", c.Step, left, low, c.Report.Soft)
		}
	}
}

func checkPrefix(t *trace.Trace, v *Verdict) {
	for c := range sized(t) {
		candidates := c.candidates()
		n := len(c.changed)
		if n > 0 && n < len(candidates) {
			v.Saw("some cleared, some left")
		}
		for i, s := range c.slots {
			if n > 0 && s.Failed && i > 0 && i < c.changed[n-1] {
				v.Saw("an error between")
			}
		}
		for i, slot := range c.changed {
			if i >= len(candidates) {
				v.Failf("step %d: %s was cleared, and may not be", c.Step, c.name(slot))
				return
			}
			if slot != candidates[i] {
				v.Failf("step %d: %s was cleared, and the next in order was %s", c.Step, c.name(slot), c.name(candidates[i]))
				return
			}
		}
	}
}

func checkMinimal(t *trace.Trace, v *Verdict) {
	for c := range sized(t) {
		if !c.fired() {
			continue
		}
		if len(c.changed) > 1 {
			v.Saw("several cleared")
		}
		last := c.changed[len(c.changed)-1]
		if before := c.remaining() + counted(c.slots[last]); before <= c.low() {
			v.Failf("step %d: %s was cleared when the total was %d, which is not above the target of %d", c.Step, c.name(last), before, c.low())
		}
	}
}

func checkUntouched(t *trace.Trace, v *Verdict) {
	for c := range clearings(t) {
		if len(c.After.Messages) != len(c.Before.Messages) {
			v.Failf("step %d: %d messages became %d", c.Step, len(c.Before.Messages), len(c.After.Messages))
			return
		}
		for m, before := range c.Before.Messages {
			after := c.After.Messages[m]
			if len(after.Results) != len(before.Results) || len(after.Media) != len(before.Media) {
				v.Failf("step %d: message %d had %d results and %d media, and has %d and %d", c.Step, m,
					len(before.Results), len(before.Media), len(after.Results), len(after.Media))
				return
			}
			frame := after
			frame.Results, frame.Media = before.Results, before.Media
			if !subject.SameMessage(frame, before) {
				v.Failf("step %d: the checkpoint changed the text, the calls or the role of message %d", c.Step, m)
			}
			for i, was := range before.Results {
				checkCleared(c, v, was, after.Results[i])
			}
			for i, was := range before.Media {
				if is := after.Media[i]; !sameMedium(is, was) && (!is.Cleared || is.Type != was.Type) {
					v.Failf("step %d: a medium of message %d became another one", c.Step, m)
				}
			}
		}
	}
}

// checkCleared holds one result against what it was.
func checkCleared(c clearing, v *Verdict, was, is subject.Result) {
	if is.Call.ID != was.Call.ID || is.Call.Tool != was.Call.Tool || is.Failed != was.Failed || is.Protected != was.Protected {
		v.Failf("step %d: the result of call %.60q is now one of %.60q, or changed its status", c.Step, was.Call.ID, is.Call.ID)
		return
	}
	if was.Text != is.Text {
		v.Saw("a cleared result")
		if len(was.Media) > 0 {
			v.Saw("a cleared result with media")
			if len(is.Media) > 0 {
				v.Failf("step %d: the result of call %.60q was cleared, and %d media in it stayed", c.Step, was.Call.ID, len(is.Media))
			}
		}
		if !strings.HasPrefix(is.Text, bounding.ClearedText) {
			v.Failf("step %d: the cleared result of call %.60q reads %.60q, want %q first", c.Step, was.Call.ID, is.Text, bounding.ClearedText)
		}
		if was.Metadata != "" {
			v.Saw("a cleared result with metadata")
			if is.Metadata != was.Metadata || !strings.HasSuffix(is.Text, was.Metadata) {
				v.Failf("step %d: the cleared result of call %.60q lost its metadata", c.Step, was.Call.ID)
			}
		}
	} else if is.State == was.State && len(is.Media) == len(was.Media) && !subject.SameResult(is, was) {
		v.Failf("step %d: the result of call %.60q was not cleared, and changed", c.Step, was.Call.ID)
	}
	if len(is.Media) != len(was.Media) && len(is.Media) != 0 {
		v.Failf("step %d: the result of call %.60q has %d of its %d media left", c.Step, was.Call.ID, len(is.Media), len(was.Media))
	}
}

func checkIdempotent(t *trace.Trace, v *Verdict) {
	gone := map[place]bool{}
	var last *trace.Event
	for c := range clearings(t) {
		if last != nil && last.Step == c.Step-1 && last.At == c.At {
			v.Saw("a second checkpoint")
			if c.fired() {
				v.Failf("step %d: the second of two equal checkpoints changed %s", c.Step, c.name(c.changed[0]))
			}
		}
		for _, i := range c.changed {
			if gone[c.places[i]] {
				v.Failf("step %d: %s was cleared before, and changed again", c.Step, c.name(i))
			}
		}
		for _, i := range c.changed {
			gone[c.places[i]] = true
			v.Saw("something cleared before")
		}
		last = c.Event
	}
}

func checkShrinks(t *trace.Trace, v *Verdict) {
	for c := range clearings(t) {
		for i, s := range c.slots {
			if s.Kind != bounding.ResultSlot || c.places[i].medium || len(c.want.Cleared) == 0 {
				continue
			}
			p := c.places[i]
			was := c.Before.Messages[p.message].Results[p.index]
			switch {
			case counted(s) == 0 || s.Media > 0:
			case s.Units == s.Placeholder:
				v.Saw("a text as long as the placeholder")
			case s.Units == s.Placeholder+1 && slices.Contains(c.changed, i):
				v.Saw("a text one longer than the placeholder")
			case was.Locator != "" && slices.Contains(c.changed, i):
				v.Saw("a stub")
			}
			if !slices.Contains(c.changed, i) || p.message >= len(c.After.Messages) || p.index >= len(c.After.Messages[p.message].Results) {
				continue
			}
			count := c.Limits.Unit.Count
			from, to := count(was.Text), count(c.After.Messages[p.message].Results[p.index].Text)
			if to >= from && s.Media == 0 {
				v.Failf("step %d: clearing %s took it from %d units to %d", c.Step, c.name(i), from, to)
			}
		}
	}
}

func checkReport(t *trace.Trace, v *Verdict) {
	for i := range t.Events {
		if e := &t.Events[i]; e.Op == scenario.Checkpoint && e.Broken != nil {
			v.Failf("step %d: the checkpoint did not return: %s: %.200s", e.Step, e.Broken.Kind, e.Broken.Detail)
			return
		}
	}
	for c := range clearings(t) {
		r := c.Report
		if r == nil {
			if c.fired() {
				v.Failf("step %d: %d slots were cleared, and there is no report", c.Step, len(c.changed))
			}
			continue
		}
		v.Saw(r.Reason)
		pending, results, media := 0, 0, 0
		for _, s := range c.slots {
			if s.Pending {
				pending += counted(s)
			}
		}
		for _, i := range c.changed {
			if c.slots[i].Kind == bounding.ResultSlot {
				results++
			}
			media += c.slots[i].Media
		}
		if pending > 0 {
			v.Saw("pending in the report")
		}
		w := c.Limits.Watermark
		for _, field := range []struct {
			name      string
			got, want int
		}{
			{"before", r.Before, c.total()}, {"pending", r.Pending, pending}, {"after", r.After, c.remaining() - pending},
			{"cleared", r.Cleared, results}, {"media", r.Media, media},
			{"high", r.High, max(w.High, bounding.Unlimited)}, {"low", r.Low, w.Low()},
		} {
			if field.got != field.want && (field.name != "high" || w.High >= 0) {
				v.Failf("step %d: the report says %s %d, a recount gives %d", c.Step, field.name, field.got, field.want)
			}
		}
		if c.fired() && r.Reason != c.want.Reason.String() {
			v.Failf("step %d: the report says that the path was %q, it was %q", c.Step, r.Reason, c.want.Reason)
		}
	}
}

func checkMedia(t *trace.Trace, v *Verdict) {
	for c := range clearings(t) {
		window := c.protected(true)
		for i, s := range c.slots {
			changed := slices.Contains(c.changed, i)
			mediaOnly := s.Kind != bounding.OtherSlot && s.Media > 0 && !s.Failed && (s.Units <= 0 || s.Kind != bounding.ResultSlot)
			switch {
			case s.Failed && changed:
				v.Failf("step %d: %s is an error, and was cleared", c.Step, c.name(i))
			case c.onSize && changed && counted(s) == 0:
				v.Failf("step %d: %s has no text that counts, and the size path cleared it", c.Step, c.name(i))
			case c.onSize && c.fired() && mediaOnly:
				v.Saw("media-only passed over by the size path")
			case c.onSize || len(c.want.Cleared) == 0 || s.Pending:
			case s.Failed && s.Media > 0:
				v.Saw("error with media left alone")
			case !mediaOnly || s.Protected || s.Cleared:
			case window[i]:
				v.Saw("recent media-only kept")
				if changed {
					v.Failf("step %d: %s is among the newest, and its media is gone", c.Step, c.name(i))
				}
			default:
				v.Saw("old media-only cleared")
				if !changed {
					v.Failf("step %d: %s is old, and the %s path left its media", c.Step, c.name(i), c.want.Reason)
				}
			}
		}
	}
}

// withoutCheckpoints takes the checkpoints out of a session in which none may do anything.
func withoutCheckpoints(s scenario.Scenario) (scenario.Scenario, bool) {
	off := func(l bounding.Limits) bool { return l.Watermark.High < 0 && l.Watermark.IdleAfter < 0 }
	if !off(s.Limits) {
		return s, false
	}
	other := scenario.Scenario{Limits: s.Limits}
	for _, step := range s.Steps {
		switch {
		case step.Op == scenario.SetLimits && step.Limits != nil && !off(*step.Limits),
			step.Op == scenario.Checkpoint && step.Trigger == bounding.OnDemand:
			return s, false
		case step.Op == scenario.Checkpoint:
		default:
			other.Steps = append(other.Steps, step)
		}
	}
	return other, len(other.Steps) < len(s.Steps)
}

func sameSession(with, without *trace.Trace, v *Verdict) {
	a, b := with.History, without.History
	if len(a.Messages) != len(b.Messages) {
		v.Failf("with checkpoints that are switched off the history has %d messages, without them %d", len(a.Messages), len(b.Messages))
		return
	}
	units := 0
	for i, m := range a.Messages {
		for j, r := range m.Results {
			units += len(r.Text)
			if j < len(b.Messages[i].Results) && masked(r) != masked(b.Messages[i].Results[j]) {
				v.Failf("a checkpoint that is switched off changed message %d", i)
			}
		}
		if !slices.EqualFunc(m.Media, b.Messages[i].Media, sameMedium) {
			v.Failf("a checkpoint that is switched off changed the media of message %d", i)
		}
	}
	if units > bounding.Strict().Watermark.High {
		v.Saw("a history above every default")
	}
}

// masked is the text of a result without the locator in it, which is another one in each run.
func masked(r subject.Result) string {
	if r.Locator == "" {
		return r.Text
	}
	return strings.ReplaceAll(r.Text, r.Locator, "\x00")
}

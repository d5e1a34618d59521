package invariants

import (
	"slices"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// fil is about what a checkpoint says of files whose contents leave the history. It matters to those who answer a repeated
// read with "unchanged".
var fil = []Invariant{
	{
		ID: "FIL-1", Level: Must, Requirement: "WMK-7", Needs: []string{subject.CapClear},
		Statement: "A cleared file is reported unless a kept, committed, successful write of that one file vouches for it: a read, an edit, an error and what is pending never do.",
		Witnesses: []string{"a kept write", "a kept read", "a kept edit", "a pending write", "a failed write", "a write of two files"},
		check:     checkVouchers, cases: fileCases(),
	},
	{
		ID: "FIL-2", Level: Must, Requirement: "WMK-7", Needs: []string{subject.CapClear},
		Statement: "Every file of a cleared result that nothing vouches for is reported once, and a cleared result of a file tool whose file is not known makes the report say so.",
		Witnesses: []string{"a file reported", "a file that is not known"},
		check:     checkEvicted, cases: fileCases(),
	},
}

// evictions recounts which files may have left the history.
func (c clearing) evictions() (vouched map[string]bool, left []string, unknown int) {
	vouched = map[string]bool{}
	for i := range c.protected(!c.onSize) {
		use, files := c.file(i)
		if use == bounding.WritesFile && len(files) > 0 && len(slices.Compact(slices.Sorted(slices.Values(files)))) == 1 {
			vouched[files[0]] = true
		}
	}
	for _, i := range c.changed {
		use, files := c.file(i)
		if use == bounding.NoFile {
			continue
		}
		if len(files) == 0 {
			unknown++
		}
		for _, f := range files {
			if !vouched[f] && !slices.Contains(left, f) {
				left = append(left, f)
			}
		}
	}
	return vouched, left, unknown
}

func (c clearing) file(slot int) (bounding.FileUse, []string) {
	p := c.places[slot]
	if p.medium {
		return bounding.NoFile, nil
	}
	call := c.Before.Messages[p.message].Results[p.index].Call
	return c.Limits.Tool(call.Tool).File, call.Files
}

func checkVouchers(t *trace.Trace, v *Verdict) {
	for c := range clearings(t) {
		if !c.fired() || c.Report == nil {
			continue
		}
		vouched, left, _ := c.evictions()
		for i, s := range c.slots {
			use, files := c.file(i)
			if use == bounding.NoFile || len(files) == 0 || slices.Contains(c.changed, i) || s.Cleared {
				continue
			}
			switch {
			case s.Pending && use == bounding.WritesFile:
				v.Saw("a pending write")
			case s.Pending:
			case s.Failed && use == bounding.WritesFile:
				v.Saw("a failed write")
			case use == bounding.WritesFile && len(files) > 1:
				v.Saw("a write of two files")
			case use == bounding.WritesFile:
				v.Saw("a kept write")
			case use == bounding.ReadsFile:
				v.Saw("a kept read")
			case use == bounding.EditsFile:
				v.Saw("a kept edit")
			}
		}
		for _, f := range left {
			if !slices.Contains(c.Report.Evicted, f) && !c.Report.DisarmAll {
				v.Failf("step %d: file %.60q left the history, nothing vouches for it, and it is not reported", c.Step, f)
			}
		}
		for _, f := range c.Report.Evicted {
			if vouched[f] {
				v.Failf("step %d: file %.60q is reported, and a kept write vouches for it", c.Step, f)
			}
		}
	}
}

func checkEvicted(t *trace.Trace, v *Verdict) {
	for c := range clearings(t) {
		if !c.fired() || c.Report == nil {
			continue
		}
		_, left, unknown := c.evictions()
		if len(left) > 0 {
			v.Saw("a file reported")
		}
		if unknown > 0 {
			v.Saw("a file that is not known")
			if c.Report.Unresolved == 0 || !c.Report.DisarmAll {
				v.Failf("step %d: %d cleared results of file tools name no file; the report says %d, and to forget all: %t", c.Step, unknown, c.Report.Unresolved, c.Report.DisarmAll)
			}
		}
		if unknown == 0 && c.Report.Unresolved > 0 {
			v.Failf("step %d: every cleared result of a file tool names its file, and the report says that %d do not", c.Step, c.Report.Unresolved)
		}
		got := slices.Sorted(slices.Values(c.Report.Evicted))
		slices.Sort(left)
		if !slices.Equal(got, left) {
			v.Failf("step %d: %d files are reported, and %d left the history: %.200q, want %.200q", c.Step, len(got), len(left), got, left)
		}
	}
}

// fileCases clear a read of a file while something newer about the same file stays.
func fileCases() supply {
	a, read := naming("a"), byTool("read_file")
	write, edit := byTool("write_file"), byTool("edit")
	base := func() *script { return scripted(clearLimits(200, 1)).call(100, read, a).sent() }
	both := naming("a", "b")
	return scripts(
		base().call(120, write, a).sent().turn(),
		base().call(120, read, a).sent().turn(),
		base().call(120, edit, a).sent().turn(),
		base().call(50).sent().call(120, write, a).batch().turn(),
		base().call(50, write, a, asFailed).call(120).sent().turn(),
		base().call(120, write, both).sent().turn(),
		base().call(120, write, naming("a", "a")).sent().turn(),
		base().call(120, write, naming("b")).sent().turn(),
		base().call(50, write, a).sent().call(120).sent().turn(),
		base().call(50, read, naming("c", "b")).sent().call(120).sent().turn(),
		scripted(clearLimits(200, 1)).call(100, read).sent().old(120).turn(),
		scripted(clearLimits(200, 1)).call(100, read).call(90, read, a).sent().old(120).force(),
		scripted(clearLimits(200, 2)).call(100, edit, a).sent().call(30, write, a).call(120).sent().turn(),
	)
}

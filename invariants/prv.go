package invariants

import (
	"strings"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/scenario"
	"github.com/boundcheck/boundcheck/invariants/subject"
	"github.com/boundcheck/boundcheck/invariants/trace"
)

// prv is about who can read what.
var prv = []Invariant{
	{
		ID: "PRV-1", Level: Must, Requirement: "SPL-2", Needs: []string{subject.CapSpill, subject.CapFiles},
		Statement: "Files can be read and directories entered by their owner alone.",
		Witnesses: []string{"a file", "a directory"},
		check:     checkModes, cases: hostileCases(),
	},
	{
		ID: "PRV-2", Level: Must, Requirement: "SPL-2", Needs: []string{subject.CapSpill, subject.CapFiles},
		Statement: "No id leads outside of the store, makes a name that no file can have, or makes a save fail.",
		Witnesses: []string{"a hostile id"},
		check:     checkContained, cases: hostileCases(),
	},
	{
		ID: "PRV-3", Level: Must, Requirement: "SPL-2", Needs: []string{subject.CapSpill, subject.CapLinks},
		Statement: "No link is followed, whether it stands for an artifact, for the directory of a session, or for that of the store.",
		Witnesses: []string{"a link for a session", "a link for an artifact"},
		check:     checkLinks, cases: linkCases(),
	},
	{
		ID: "PRV-4", Level: Must, Requirement: "SPL-1", Needs: []string{subject.CapSpill, subject.CapReader},
		Statement: "A session opens its own artifacts, and is refused those of others.",
		Witnesses: []string{"an artifact of another session", "an own artifact"},
		check:     checkForeign, cases: foreignCases(),
	},
	{
		ID: "PRV-5", Level: Must, Requirement: "OFF-12 DIA-4", Needs: []string{subject.CapBound, subject.CapLog},
		Statement: "Neither logs nor errors hold a piece of any content.",
		Witnesses: []string{"a log", "a log of a save that failed"},
		check:     checkSilent, cases: every(faultCases(), secretCases()),
	},
}

func checkModes(t *trace.Trace, v *Verdict) {
	for _, f := range t.Files {
		if strings.HasPrefix(f.Path, "..") {
			continue
		}
		if f.Dir {
			v.Saw("a directory")
		} else {
			v.Saw("a file")
		}
		if f.Mode&0o077 != 0 {
			v.Failf("%s has the mode %04o: others than its owner can use it", quoted(f.Path), f.Mode)
		}
	}
}

func checkContained(t *trace.Trace, v *Verdict) {
	const longest = 255
	for _, f := range t.Files {
		if strings.HasPrefix(f.Path, "../") || strings.HasPrefix(f.Path, "/") {
			v.Failf("%q is outside of the store", quoted(f.Path))
		}
		for name := range strings.SplitSeq(f.Path, "/") {
			if len(name) > longest {
				v.Failf("a name has %d bytes, and a file can have %d: %q", len(name), longest, quoted(name))
			}
		}
	}
	on := failing(t)
	for _, e := range t.Events {
		if e.Op != scenario.Save || e.Skipped || e.Broken != nil || on[e.Step] || cancelled(t, e.Step) {
			continue
		}
		id := t.Made[e.Of[0]].Output.Call.ID
		if isHostile(id) {
			v.Saw("a hostile id")
		}
		if e.Err != nil {
			v.Failf("step %d: a text with the id %q is not saved: %.200v", e.Step, quoted(id), e.Err)
		} else if e.Saved.Outcome == bounding.SaveFailed {
			v.Failf("step %d: a text with the id %q is not saved", e.Step, quoted(id))
		}
	}
}

func isHostile(id string) bool {
	return id == "" || id == "." || len(id) > 255 || strings.ContainsAny(id, "/\\\x00\n") || strings.Contains(id, "..") || strings.ToUpper(id) == "CON"
}

// checkLinks holds what was saved while links stood in the way against what is read back, and wants nothing behind the links.
func checkLinks(t *trace.Trace, v *Verdict) {
	for _, e := range t.Events {
		if e.Op != scenario.Plant || e.Skipped || e.Err != nil {
			continue
		}
		v.Saw("a link for " + planted[t.Scenario.Steps[e.Step].ID])
	}
	for _, f := range t.Files {
		if strings.HasPrefix(f.Path, "../") {
			v.Failf("something was written behind a link: %s", quoted(f.Path))
		}
	}
	for _, r := range readings(t) {
		if r.got != r.want {
			v.Failf("step %d: behind a link, the artifact of text %d has %d bytes, and the text has %d, or others", r.Step, r.of, len(r.got), len(r.want))
		}
	}
}

// planted are the places of links by the words of scripts.
var planted = map[string]string{"session": "a session", "artifact": "an artifact"}

func checkForeign(t *trace.Trace, v *Verdict) {
	on := failing(t)
	for _, e := range t.Events {
		step := t.Scenario.Steps[e.Step]
		if e.Op != scenario.Read && e.Op != scenario.Page || e.Skipped || e.Broken != nil || step.Session == "" || on[e.Step] {
			continue
		}
		owner := t.Made[e.Of[0]].Owner
		if step.Session != owner {
			v.Saw("an artifact of another session")
			if e.Err == nil {
				v.Failf("step %d: the session %q opens an artifact of the session %q", e.Step, step.Session, owner)
			}
			continue
		}
		v.Saw("an own artifact")
		if e.Err != nil && step.Offset >= 0 && step.Limit >= 0 && !cancelled(t, e.Step) {
			v.Failf("step %d: the session %q is refused its own artifact: %.200v", e.Step, owner, e.Err)
		}
	}
}

func checkSilent(t *trace.Trace, v *Verdict) {
	if t.Log != "" {
		v.Saw("a log")
	}
	var named strings.Builder
	for _, m := range t.Made {
		named.WriteString(m.Output.Call.ID + " " + m.Output.Call.Tool + " " + m.Locator + " ")
	}
	on := failing(t)
	for _, m := range t.Made {
		if on[m.Step] && t.Log != "" {
			v.Saw("a log of a save that failed")
		}
		known := piece(rawText(&m.Output))
		if known == "" || strings.Contains(named.String(), known) {
			continue
		}
		if strings.Contains(t.Log, known) {
			v.Failf("the log holds %q, which is content", known)
		}
		for _, e := range t.Events {
			if e.Err != nil && strings.Contains(e.Err.Error(), known) {
				v.Failf("step %d: the error holds %q, which is content", e.Step, known)
			}
		}
	}
}

// hostileCases save and bound under ids that have led somewhere else.
func hostileCases() supply {
	var list []*script
	for _, id := range []string{"..", "../../etc/passwd", "/etc/passwd", "a/b", `a\b`, "a\x00b", "a\nb", "CON", `C:\x`, ".", "", strings.Repeat("n", 300), strings.Repeat("€", 200), "\xff", "a"} {
		s := scripted(scenario.Scaled())
		s.call(9_000, func(s *scenario.Step) { s.ID = id }).step(scenario.Step{Op: scenario.Save, ID: id, Tool: id, Payload: scenario.Of(30, "x")},
			scenario.Step{Op: scenario.Page, Of: 0}, scenario.Step{Op: scenario.Page, Of: 1})
		list = append(list, s.batch())
	}
	return scripts(list...)
}

// linkCases plant links and save past them.
func linkCases() supply {
	var list []*script
	for _, place := range []string{"session", "artifact"} {
		s := scripted(scenario.Scaled())
		list = append(list, s.step(scenario.Step{Op: scenario.Save, ID: "a", Payload: scenario.Of(30, "a")}, scenario.Step{Op: scenario.Plant, ID: place},
			scenario.Step{Op: scenario.Save, ID: "b", Payload: scenario.Of(30, "b")}, scenario.Step{Op: scenario.Page, Of: 1}).call(9_000).batch())
	}
	return scripts(list...)
}

func foreignCases() supply {
	save := func(session string) scenario.Step {
		return scenario.Step{Op: scenario.Save, ID: "a", Payload: scenario.Of(300, "x"), Session: session}
	}
	read := func(of int, session string) scenario.Step {
		return scenario.Step{Op: scenario.Read, Of: of, Session: session}
	}
	return scripts(scripted(scenario.Scaled()).call(9_000).step(save(""), save("other"), read(0, trace.Session), read(1, trace.Session), read(2, "other"),
		read(0, "other"), read(1, "other"), read(2, trace.Session), read(2, "third"), scenario.Step{Op: scenario.Crash, Survive: 100}, read(1, trace.Session), read(1, "other")))
}

// secretCases bound and save texts that would be known again.
func secretCases() supply {
	const secret = "hunter2-is-the-password; "
	s := scripted(scenario.Scaled())
	s.call(0, saying(secret)).call(0, func(s *scenario.Step) { s.Payload = scenario.Of(400, secret) }).batch().old(500, 500, 500).turn()
	f := scripted(scenario.Scaled())
	f.step(scenario.Step{Op: scenario.Fault, Program: "(fail EIO)"}).call(0, func(s *scenario.Step) { s.Payload = scenario.Of(400, secret) })
	f.step(scenario.Step{Op: scenario.Save, ID: "a", Payload: scenario.Of(10, secret)})
	return scripts(s, f)
}

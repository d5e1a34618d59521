// Package invariants is the catalogue of what must hold of any bounding layer, and the runner that checks it: this module's
// own, one in Go, or, by package wire, one in any language.
//
//	func TestBounding(t *testing.T) {
//		invariants.Run(t, func(t *testing.T) subject.Bounder { return newAgent(t.TempDir()) })
//	}
//
// Package subject says what a layer has to offer. Only one method is required; what else it can do is found by its methods,
// and what it cannot do is skipped.
//
// # What a run does
//
// Each invariant has scenarios that were made for it: just below, at, and just above each limit, and one for each thing that
// must be seen. Beside them there are all small histories, and random scenarios. Each scenario runs against a subject of its
// own, and every invariant that applies judges what came of it. A failure is made smaller as long as it fails, and is shown
// as a script, which [Replay] runs again.
//
// # What comes of it
//
// An invariant passes, fails, or is skipped because the subject lacks a capability. It is vacuous if nothing failed, but
// something that it is about was never seen; and it is an error if the harness failed. The last two are no passes. A SHOULD
// that fails is told, and does not make a subject non-conformant.
//
// A [Baseline] lists what is known not to hold yet. A line of it that is not so any more makes the run fail, so that it
// gets shorter and never longer unseen.
//
// The same [Seed] does the same. [WithEffort] says how long a run may take, [CasesOnly] and [Only] make it shorter, and a
// [Profile] exempts what another system decides otherwise.
package invariants

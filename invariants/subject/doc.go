// Package subject is what the invariants ask of a bounding layer: a few small interfaces over plain data.
//
// Only [Bounder] is required. What else a subject can do is found by type assertion, as package io/fs does it: a subject
// that has no Clear method is not checked for clearing, and the report says so.
//
//	type agent struct{ ... }
//
//	func (a *agent) Bound(ctx context.Context, l bounding.Limits, out bounding.Output) (subject.Result, error) {
//		text := a.truncate(out.Text, l.Threshold)
//		return subject.Result{Call: out.Call, Text: text}, nil
//	}
//
// Inputs are the types of package bounding, because their fields are what an agent knows of a tool call. What a subject
// gives back are types of this package, which anybody can make. A subject fills in what it knows: a field that it leaves
// empty is one that it makes no claim about, and the checks then judge by the text alone.
//
// A method returns an error when it did not do what it was asked. An error that is [ErrUnsupported] says that the subject
// never does this; the case counts as skipped. A subject is used by one goroutine at a time, except that Save may be called
// by several.
package subject

// Package trace runs a scenario against a subject and records what came of it.
//
// A [Trace] is what the invariants judge: for each step, what went in, what came out, and how the history stood before and
// after. Nothing is judged here. A subject that panics, or does not answer in time, ends its scenario; the event says so, and
// what happened before still counts.
package trace

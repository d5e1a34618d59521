// Package finding holds what the analyzers report: one [Finding] per place, with the source of the output, the
// path it took, and a fingerprint that stays the same when lines move.
//
// Every analyzer of this module has the result type *[List]. A go/analysis driver that knows nothing of this
// package still gets ordinary diagnostics; ours (the vettool and the standalone checker) read the list, because
// a diagnostic has no room for a path.
package finding

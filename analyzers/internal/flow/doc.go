// Package flow is the engine behind the analyzers: an interprocedural dataflow analysis that follows tool output from
// where it comes into being to where it enters a conversation history, and knows on the way how large it can still be.
//
// # The property
//
// A value is clean, bounded, loose or unbounded; the join is the larger of the two. Beside the level a value carries
// where it comes from: a kind of source, or a parameter of the function under analysis. Numbers, booleans and hashes
// are clean. A slice with a bounded end, a limited reader, a comparison of the length with a limit, a writer that
// stops: each lowers the level, by what the code does and not by what it is called. Whether a number is bounded is
// itself computed from the code: constants, configuration and parameters are, lengths are not.
//
// # The analysis
//
// Each function is evaluated once for all its parameters, on go/ssa form, callees before callers, and repeated only
// if something that it read has grown. What it does is kept as a [Summary] in terms of its parameters: what its
// results carry, what it stores in its arguments, and which sinks its parameters reach. Summaries travel between
// packages as [Facts]. There is no depth limit and no cap on anything.
//
// Memory is modelled by places: a root (a variable, a parameter, the result of a call) and a field of it. A field of
// one variable in one function is followed in order, with what each store replaces; elements of slices, maps and
// channels, and variables that closures share, hold whatever was ever put there. What is stored in a field of a value
// that came from elsewhere can be seen by every load of that field in the package and in those that import it.
//
// # What is not known
//
// A function outside the module is described by rules (package model). One that no rule describes passes on what it
// is given, with lower confidence; one that takes a context and returns data and an error is taken to read from the
// outside, which is what that signature means by convention. A call through an interface or a function value is a
// source of its own if it looks like a tool, unless a program makes all values of the interface itself and none of them
// gives much. Reflection, unsafe and cgo are not followed.
//
// # Customs
//
// Some things are taken for granted because Go code is written that way: what a call returned is not looked at where it
// is known to have failed; what is returned beside an error is dropped, except what a command printed; a limit that a
// tool is declared with counts as its bound if whoever runs tools is seen to cut at that limit; a literal that calls the
// function it captures and returns the same carrier is middleware; fields called Title, Status and the like are short.
//
// A panic while one function is analysed becomes a finding that names it (BC0003); the rest is still analysed.
package flow

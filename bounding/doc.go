// Package bounding keeps the output of tools from filling the history of an agent.
//
// An agent sends its whole history with every request, so a tool result of 5 MB breaks the session, and one of 50 KB is paid
// for again on every turn. This package bounds each result before it enters the history, each message with parallel results,
// and the results of the whole session, and keeps what it removes where it can be read back. It is a reference model: every
// requirement that it cites (spec: OFF-1 and so on, see the folder spec) holds for every input. It is small enough to ship.
//
// # One result
//
//	pipeline, err := bounding.New(bounding.Strict(), bounding.WithStore(store), bounding.WithSession(id))
//	...
//	text := pipeline.Text(ctx, bounding.Call{ID: call.ID, Tool: call.Name}, output)
//
// [Pipeline.Text] is all that an agent with message types of its own needs to call, where a result is about to become a
// message. [Pipeline.Bound] is the long form: it takes error results, parts, media, and the text that hooks add.
//
// A body above 28,000 units is offloaded: the entry gets a stub, with a notice and a preview of 2,000 units. One above the
// budget of its tool, 25,000 units and 1,000 lines unless the tool declares its own, is trimmed to it. Either way the
// beginning and the end stay, and the notice says where all of it is, how large it was, and how much is left out:
//
//	[Shortened. The whole output is in /tmp/…/0123456789ab-ls-result.txt: 60000 UTF-16 units in 12 lines, 60000 bytes, sha256 ….]
//	first lines
//	[... 58000 UTF-16 units omitted ...]
//	last lines
//
// If it could not be saved, the notice says why instead. Nothing turns a successful call into an error, and no input makes
// anything panic; a store that panics has failed to save. A nil context is one that never ends. A [Pipeline] comes from New,
// and a function or a [View] that an argument asks for must be there, unless its description says otherwise.
//
// # One message
//
// [Pipeline.Batch] takes the results of all parallel calls of a message, once they are complete, and brings them within the
// batch budget of 200,000 units: the largest are offloaded first, and if that is not enough, the budget is shared out like
// water. [PlanBatch] is the decision alone, on plain numbers.
//
// # The session
//
// [Pipeline.Checkpoint] clears old results of a [History]. It does nothing until they are more than 500,000 units (the high
// watermark), and then clears the oldest until half of that is left: a few rewrites of the history, with a stable prefix for
// the prompt cache between them. The five newest results, results that were not sent yet, and errors are never cleared.
// After an hour without a request, which is when the cache is cold, everything but the newest results goes.
//
// With messages of your own, show them to [Clear] through a [View], or to [PlanMessages], which changes nothing, or give the
// numbers to [PlanClear]; for long sessions, a [Tracker] does the same at a cost that does not depend on their length.
//
// # Limits
//
// All numbers are in [Limits]. [Strict] is the policy under which every requirement holds; [Qwen] decides as qwen-code
// does, for comparisons. [New] refuses limits that make no sense, with one error that lists every bad field. [Settings] reads
// the few that users set in configuration files.
//
// Every size of text is in one unit, UTF-16 code units by default, as package text counts them. A size may be Unlimited,
// which is -1 and never the zero value. Limits are inclusive: a text of exactly the limit passes.
//
// # State, not text
//
// What happened to a result is in its [State] and [Outcome], never in its text. Output that looks as if it had been bounded
// already, because it holds a notice, a marker or a placeholder, is bounded like any other. Passes may follow each other in
// any order and under any limits: a [Result] knows the size of its original and its artifact, so that a later pass renders
// the same notice around less text, and notices never nest.
//
// # What it leaves alone
//
// Invalid UTF-8 is shown as U+FFFD, as any JSON encoder would; artifacts hold the bytes as they came. An empty result stays
// empty. Media pass the bounds on text, and are cleared by age only. Metadata stays with a cleared result. What a
// [Tracer] is told holds no payload; see [LogTo].
//
// package retention tells what a history holds on to; package spill is where artifacts go.
package bounding

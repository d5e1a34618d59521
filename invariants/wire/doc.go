// Package wire holds a bounding layer in any language against the invariants: BCP/1, a protocol of lines of JSON over
// standard input and output.
//
// The program reads requests from its standard input and answers each, in order, on its standard output: one JSON object on
// one line. Standard output is for answers alone; what the program writes to standard error is kept and shown when it dies.
//
//	→ {"id":1,"op":"hello","proto":"BCP/1"}
//	← {"id":1,"hello":{"proto":"BCP/1","name":"agent","version":"2.1","language":"python","unit":"utf16","caps":["bound"]}}
//	→ {"id":2,"op":"reset","limits":{"unit":"utf16","threshold":25000,…}}
//	← {"id":2}
//	→ {"id":3,"op":"bound","output":{"call":{"id":"a","tool":"shell"},"status":"success","text":"…"}}
//	← {"id":3,"result":{"text":"…"}}
//
// A request may carry limits; they hold until another request carries others. A reset begins a new session that knows
// nothing of what came before. Fields that are empty are left out, in requests too; a program may leave out of its answers
// what it does not know.
//
// # Operations
//
// hello, reset and bye are asked of every program, the others only of those that named the capability in hello:
//
//	bound      bound      output → result
//	tighten    tighten    result → result
//	batch      batch      results → results
//	clear      clear      history, checkpoint → history (left out when nothing changed), report
//	spill      save       save → saved
//	           open       locator, offset, bytes → page
//	           list       session → stored
//	reader     open       with session
//	           grant      session, locator →
//	reference  reference  reference → references
//	replay     replay     recorded → references
//	doctor     doctor     history → diagnosis
//	reopen     reopen     loss →
//	fault      fault      program →
//	clock      advance    milliseconds →
//	sweep      sweep      milliseconds →
//	log        log        → log
//	files      files      → files
//
// The file bcp1.schema.json in the folder spec describes every field.
//
// # Text
//
// A text is a JSON string. One that is not valid UTF-8 is {"b64":"…"}. A program that names the capability recipes is sent
// long texts that repeat as {"rep":[["x",25000],["é",3]]}: pieces, and how often each stands there. A program may answer in
// any of the forms.
//
// # Errors
//
//	← {"id":3,"error":{"kind":"io","definite":true,"text":"disk full"}}
//
// The kind is unsupported, io, cancelled, invalid, internal or panic, which says that the operation broke down, an exception
// that nobody expected, and that the program can go on with another session. What was asked with a definite error did not happen and will
// not. After an error that is not definite it may have happened or not, and the checks accept both.
//
// A program that ends or does not answer in time has failed the case, and is started again. An answer that is none (no
// JSON, no id, the id of another request) is a fault of the harness, and says nothing about the bounding layer.
package wire

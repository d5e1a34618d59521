// Package historybypass finds the places where the output of a tool enters the conversation history of a language model
// without passing a bound.
//
// # Analyzer historybypass
//
// report tool output that enters a conversation history without passing a bound
//
// A history is sent with every request, so one tool result of 5 MB breaks the session or is paid for again on every
// turn. The analyzer follows tool output from where it comes into being (a process, a file, an HTTP or MCP server, a
// database, a cluster, or a call that looks like that of a tool) through functions, fields, slices, channels and packages
// of the main module, and reports each place where it enters a history, or is handed to a framework that puts it there,
// while nothing on the way limits its size:
//
//	BC1001  an entry of the conversation history
//	BC1002  what a tool function returns
//	BC1003  the output of a tool that an MCP server offers
//	BC1004  an error text that carries output (severity medium)
//	BC1005  the text of a prompt
//	BC0001  a boundcheck directive that has no effect
//	BC0002  a function annotated as a bound, of which the analysis can show that it is none
//	BC0003  a function that could not be analysed
//
// For example:
//
//	out, err := exec.Command("go", "test", "./...").CombinedOutput()
//	messages = append(messages, openai.ToolMessage(string(out), id)) // BC1001
//
// It says nothing about output that passes a bound, and finds bounds by what the code does, not by its name: a cut behind
// a comparison of the length, a slice with a fixed end, a limited reader, a writer that stops, a branch that spills long
// output to a file or refuses it, in the function itself or in helpers. A redactor, a shortened copy that goes to the log
// only, a limit that the model chooses, and a cut that one branch skips do not count. A limit above -loose bytes is
// reported as loose, with severity medium and the number that was found.
//
// To fix a finding, bound the text where it comes into being, or once, in the place through which every result enters the
// history:
//
//	if len(out) > limit {
//		out = out[:limit] + "\n[truncated]"
//	}
//
// Code outside the main module is known from models (see -model), not from its source. Reflection, unsafe and cgo are not
// followed. Generated files and test files are read, and nothing is reported in them unless -generated or -tests is
// given.
//
// Comments on declarations say what the analysis cannot see:
//
//	//boundcheck:source [KIND]           what it returns is tool output
//	//boundcheck:sink [CODE]             what is passed enters a history
//	//boundcheck:bound [BYTES]           what it returns is bounded
//	//boundcheck:history                 the type, or the field, is a conversation history or an element of one
//	//boundcheck:ignore CODE[,CODE] why  the finding on this line, or in this declaration, is accepted
//
// The flags:
//
//	-model FILE        also use the rules in the file; may be given several times
//	-loose BYTES       report bounds above this size (default 102400)
//	-confidence LEVEL  report findings of at least this confidence: low, medium (default) or high. Findings that rest
//	                   on models and code only are high; where a source was recognised by its shape, or a function on
//	                   the way is not known, they are medium.
//	-tests             report in test files too
//	-generated         report in generated files too
package historybypass

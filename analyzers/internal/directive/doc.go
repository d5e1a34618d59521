// Package directive reads the boundcheck comments of a package: what its author says about the code, and which
// findings its author has accepted.
//
// A directive is a Go directive comment, so there is no space after the slashes:
//
//	//boundcheck:source [KIND]           what comes out is tool output of that kind (default "tool")
//	//boundcheck:sink [CODE]             what goes in enters a history (default BC1001)
//	//boundcheck:bound [BYTES]           what comes out is bounded, to so many bytes if a number is given
//	//boundcheck:history                 the type, or the field, is a conversation history or an element of one
//	//boundcheck:ignore CODE[,CODE] why  the findings of these codes are accepted, for the reason given
//
// Everything after " //" inside a directive is a remark and has no meaning.
//
// # Where they stand
//
// The first four stand in the comment of a declaration at package level:
//
//   - source, sink and bound: a function, a method, a method of an interface, or a struct field. On an interface
//     type they mean each of its methods, on a struct type each of its fields.
//   - history: a type, or a struct field.
//
// For a function, what comes out is its results except errors; without such a result, what it leaves in parameters that
// are pointers, slices, maps or writers, and for bound also in a pointer receiver. What goes in is every parameter. A
// field of function type is described like a function.
//
// An ignore covers
//
//   - at the end of a line of code: that line,
//   - on a line of its own: the line below the comment it stands in,
//   - in the comment of a declaration at package level: the whole declaration.
//
// A statement that begins on a covered line is covered to its end, or to the first block it opens: an ignore above an
// if covers the condition, not the body. Comments for other tools (//nolint and the like) mean nothing here.
//
// # What is wrong with one
//
// A directive that has no effect is a trap, so [Index.Problems] reports it (code BC0001): an unknown word, kind or
// code with the nearest known one, a place the directive cannot apply to, an ignore without a reason (which is not
// honoured), and, once every finding has been offered to [Index.Suppress], a code in an ignore that matched nothing.
package directive

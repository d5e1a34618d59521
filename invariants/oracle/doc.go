// Package oracle is a second, naive statement of what a checkpoint clears and how a message shares its budget. It is written
// from the requirements alone and shares nothing with package bounding but its plain types: it looks at one result at a
// time, and recounts everything before each decision. That makes it slow and easy to believe; where it and an
// implementation differ, one of them is wrong.
//
// What an implementation may choose, such as the texts that stand in for what is removed, is not in here: only which
// results are cleared, which are offloaded, what each may measure, and what becomes of one output.
package oracle

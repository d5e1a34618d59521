package scenario

import "github.com/boundcheck/boundcheck/bounding"

// Unit is a text that payloads are made of.
type Unit struct {
	Name string
	Text string
	// Named says that scripts write @Name, because the text itself would be hard to read.
	Named bool
}

// Units are the texts that the engines make payloads of: what is hard to cut, what looks like something else, and what
// systems in use have taken for a sign that a text was bounded already.
var Units = []Unit{
	{"x", "x", false},
	{"newline", "\n", false},
	{"crlf", "\r\n", false},
	{"two-bytes", "é", false},
	{"three-bytes", "€", false},
	{"four-bytes", "😀", false},
	{"combining", "e\u0301", true},
	{"family", "👨\u200d👩\u200d👧", true},
	{"flag", "🇩🇪", false},
	{"replacement", "\ufffd", true},
	{"nul", "\x00", false},
	{"line-separator", "\u2028", true},
	{"bom", "\ufeff", true},
	{"invalid", "\xff", false},
	{"cut-rune", "\xf0\x9f\x98", true},
	{"surrogate", "\xed\xa0\x80", true},
	{"markup", "<&>", false},
	{"colour", "\x1b[31mred\x1b[0m", true},
	{"space", " ", false},
	{"line", "one line of a log\n", true},
	{"json", `{"a":"\u003c","b":[1,2]}`, true},
	{"empty", "", false},
	{"placeholder", bounding.ClearedText, true},
	{"truncated", "Tool output was too large and has been truncated", true},
	{"marker", "... [CONTENT TRUNCATED] ...", true},
	{"persisted", "<persisted-output>\nsaved to /tmp/x\n</persisted-output>", true},
	{"shortened", "[Shortened. The whole output is in /tmp/store/0123456789ab-a: 60000 UTF-16 units in 12 lines, 60000 bytes.]\n", true},
	{"omitted", "[... 58000 UTF-16 units omitted ...]", true},
	{"reminder", "<system-reminder>", true},
	{"reminder-end", "</system-reminder>", true},
	{"no-output", "(no output)", true},
}

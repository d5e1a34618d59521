// Package text measures text and cuts it, so that what is left is exact, valid and still readable.
//
// It is what bounding stands on, and knows nothing of tool results or histories.
//
// # Units
//
// A limit means nothing without its unit. "😀 déjà\n" is 8 UTF-16 code units, 12 bytes and 7 runes. [UTF16] is the
// default, because the limits of the agents in use are lengths of JavaScript strings.
//
//	text.UTF16.Count(s)  // the size in one unit
//	text.Measure(s)      // the size in all of them, and in lines
//
// Counting is exact for every Go string. A byte that is no part of valid UTF-8 is shown as one U+FFFD, by [Clean] and
// by everything else here, and counts what it is shown as: 1 in UTF16 and Runes, 3 in Bytes. So what is shown never
// exceeds a limit in bytes. [Size.Raw] counts the bytes as they came.
//
// A line is what an LF ends, and the text after the last LF, if there is any. A CR before the LF belongs to the line
// end; alone it ends nothing. So "a\nb" and "a\nb\n" both have 2 lines, and "" has none.
//
// # Safe cuts
//
// [Unit.Prefix] and [Unit.Suffix] return the longest beginning and end of at most n units. No cut falls into
//
//   - a rune, so also not between surrogates;
//   - a CRLF;
//   - a terminal escape sequence: CSI (ESC [ … m), control strings (OSC, DCS, SOS, PM, APC: ESC ] … BEL or ESC \),
//     and the short ones (ESC 7, ESC ( B);
//   - a grapheme cluster, as far as the neighbours of the cut settle it: combining marks, variation selectors, skin
//     tones, emoji joined by U+200D, tag sequences, flags. Hangul syllables written in letters and Indic conjuncts
//     are not looked at.
//
// A cut moves inwards: what does not fit as a whole is left out as a whole. So a text that begins with an escape
// sequence longer than n has the prefix "".
//
// What looks like the beginning of an escape sequence, but is not completed within 4,096 bytes or has a control
// character (such as a line end) where the sequence allows none, is ordinary text. So is what follows the 32nd joined
// rune of a cluster, and what follows the 64th regional indicator in a row. These limits keep a cut local: it costs the
// same in any text, and hostile text cannot hide more than that from a preview.
//
// # Head and tail
//
// [Select] keeps both ends of a text, and tells exactly what it left out:
//
//	sel := text.Select(output, text.Both.Options(text.UTF16, 25000, 1000))
//	if sel.Cut() {
//		preview = sel.Head + fmt.Sprintf("\n… %d characters omitted …\n", sel.Omitted.UTF16) + sel.Tail
//	}
//
// A side ends at a line end if it still holds more than half of its budget then. What was kept and what was omitted
// add up to the whole in every unit, in lines and in raw bytes.
//
// A [Retainer] does the same for text that comes in chunks, such as the output of a running process, in memory that
// depends on the budgets only. It returns what Select would return for the whole text, however it was chunked.
//
// # Limits
//
// Every function is defined for every string and every number. A budget of 0 or less keeps nothing; a budget of
// math.MaxInt keeps everything. Time is linear in the length of the text, and nothing panics.
package text

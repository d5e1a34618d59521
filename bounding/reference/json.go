package reference

import (
	"fmt"
	"strconv"
)

// A dialect is how JSON strings are written. Budgets count bytes, and encoders do not agree on bytes: this is what
// JSON.stringify writes, which is the measure that the budgets come from. encoding/json writes the same values longer.
//
// An entry is what stands for a byte of valid UTF-8; "" leaves it as it is. So U+007F, U+2028, > and & stay.
type dialect [256]string

var (
	plain   = newDialect()
	tagSafe = newDialect('<') // no text can end the tag that previews stand in
)

func newDialect(more ...byte) *dialect {
	var d dialect
	for b := range byte(0x20) {
		d[b] = fmt.Sprintf(`\u%04x`, b)
	}
	for b, short := range map[byte]string{'\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '"': `\"`, '\\': `\\`} {
		d[b] = short
	}
	for _, b := range more {
		d[b] = fmt.Sprintf(`\u%04x`, b)
	}
	return &d
}

// size is the number of bytes that s takes inside the quotes.
func (d *dialect) size(s string) int {
	n := len(s)
	for i := range len(s) {
		if escape := d[s[i]]; escape != "" {
			n += len(escape) - 1
		}
	}
	return n
}

// append adds s as a JSON string. s is valid UTF-8.
func (d *dialect) append(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := range len(s) {
		if escape := d[s[i]]; escape != "" {
			dst = append(dst, s[from:i]...)
			dst = append(dst, escape...)
			from = i + 1
		}
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}

// appendOr adds s as a JSON string, or null if s is empty.
func (d *dialect) appendOr(dst []byte, s string) []byte {
	if s == "" {
		return append(dst, "null"...)
	}
	return d.append(dst, s)
}

// appendSeq adds a sequence number, or null.
func appendSeq(dst []byte, seq *int64) []byte {
	if seq == nil {
		return append(dst, "null"...)
	}
	return strconv.AppendInt(dst, *seq, 10)
}

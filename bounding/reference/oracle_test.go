package reference_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/bounding/reference"
	"github.com/boundcheck/boundcheck/bounding/text"
)

// oracle is a second statement of the rules for previews, written from the requirements alone: it renders the whole object
// before every decision and tries every share. With a fault it is a named wrong implementation.
type oracle struct {
	fault string

	// plainCuts cuts between any two runes. Without it the cuts are those of package text.
	plainCuts bool
}

// faults are the wrong implementations that the small scope must tell from the right one.
var faults = []string{
	"drops checkpoints", "drops the newest", "drops from the newest end", "drops answers only", "drops one too many",
	"never drops", "budget is exclusive", "one byte over", "budget in characters", "array brackets counted",
	"comma not counted", "no tag safety", "escapes like encoding/json", "upper-case escapes", "long escapes only",
	"cuts the newest", "cuts the shortest", "cuts the last of equal ones", "cuts by encoded length", "cuts all alike",
	"empties instead of cutting", "cuts by raw overflow", "odd byte to the tail", "head only", "tail only",
	"splits runes", "mark at the cut", "no line before the mark", "mark without text not shown", "room for the largest mark",
	"omitted from the share", "omitted without the lost border", "mark counted as kept", "omitted bytes as JSON",
	"omitted in runes", "shortened counts as omitted", "emptied counts as omitted", "bytes of dropped messages forgotten",
	"truncated means messages", "truncated means bytes of kept ones", "too large is published", "empty is too large",
	"leaves out emptied messages", "compacted means checkpoint first", "strips a byte order mark",
}

func (o oracle) is(fault string) bool { return o.fault == fault }

// draft is a message in the oracle's hands.
type draft struct {
	reference.Message
	original string
	omitted  int
}

var errTooLarge = errors.New("too large")

// preview states the rules of REF-2 and REF-3.
func (o oracle) preview(c reference.Capture, budget int) (reference.Preview, error) {
	var p reference.Preview
	var list []draft
	for i, m := range c.Messages {
		shown := strings.Map(func(r rune) rune { return r }, m.Text) // U+FFFD for each invalid byte
		if o.is("strips a byte order mark") {
			shown = strings.TrimPrefix(shown, "\ufeff")
		}
		list = append(list, draft{reference.Message{Role: m.Role, Text: shown, Checkpoint: m.Checkpoint}, shown, 0})
		p.Compacted = p.Compacted || m.Checkpoint && (i == 0 || !o.is("compacted means checkpoint first"))
	}
	p.OriginalMessages = len(list)

	for dropped := false; o.over(c, list, budget) || dropped && o.is("drops one too many"); {
		i := o.drop(list)
		if i < 0 {
			break
		}
		dropped = o.over(c, list, budget)
		p.OmittedMessages++
		if !o.is("bytes of dropped messages forgotten") {
			p.OmittedBytes += o.bytes(list[i].original)
		}
		list = append(list[:i:i], list[i+1:]...)
	}
	for o.over(c, list, budget) {
		i := o.longest(list)
		if i < 0 {
			if o.is("too large is published") {
				break
			}
			return reference.Preview{}, errTooLarge
		}
		o.cut(c, list, i, budget)
	}

	for i := 0; i < len(list); i++ {
		d := list[i]
		p.OmittedBytes += d.omitted
		if d.omitted > 0 && o.is("shortened counts as omitted") || d.Text == "" && o.is("emptied counts as omitted") {
			p.OmittedMessages++
		}
		if d.Text == "" && o.is("empty is too large") {
			return reference.Preview{}, errTooLarge
		}
		if d.Text == "" && o.is("leaves out emptied messages") {
			list = append(list[:i:i], list[i+1:]...)
			i--
		}
	}
	p.JSON = o.render(c, list)
	p.RetainedMessages = len(list)
	p.Truncated = p.OmittedMessages > 0 || p.OmittedBytes > 0
	switch {
	case o.is("truncated means messages"):
		p.Truncated = p.OmittedMessages > 0
	case o.is("truncated means bytes of kept ones"):
		p.Truncated = p.OmittedMessages == 0 && p.OmittedBytes > 0
	}
	return p, nil
}

func (o oracle) over(c reference.Capture, list []draft, budget int) bool {
	rendered := o.render(c, list)
	size := len(rendered)
	switch {
	case o.is("budget in characters"):
		size = utf8.RuneCountInString(rendered)
	case o.is("budget is exclusive"):
		size++
	case o.is("one byte over"):
		size--
	case o.is("array brackets counted"):
		size += 2
	case o.is("comma not counted"):
		size -= max(0, len(list)-1)
	}
	return size > budget
}

// drop picks the message to remove, or -1.
func (o oracle) drop(list []draft) int {
	found := -1
	for i, d := range list {
		switch {
		case o.is("never drops"),
			d.Checkpoint && !o.is("drops checkpoints"),
			i == len(list)-1 && !o.is("drops the newest"),
			d.Role == reference.RoleUser && o.is("drops answers only"):
		case found < 0 || o.is("drops from the newest end"):
			found = i
		}
	}
	return found
}

// longest picks the text to cut, or -1 if all are empty.
func (o oracle) longest(list []draft) int {
	found := -1
	length := func(i int) int {
		if o.is("cuts by encoded length") {
			return len(o.quote(list[i].Text))
		}
		return len(list[i].Text)
	}
	for i, d := range list {
		switch {
		case d.Text == "":
		case found < 0,
			o.is("cuts the newest"),
			o.is("cuts the last of equal ones") && length(i) == length(found),
			(length(i) > length(found)) != o.is("cuts the shortest") && length(i) != length(found):
			found = i
		}
	}
	return found
}

// cut shortens one text to the largest share that fits.
func (o oracle) cut(c reference.Capture, list []draft, i, budget int) {
	d := &list[i]
	if o.is("cuts all alike") {
		for j := range list {
			list[j].Text, list[j].omitted = o.ends(list[j].original, len(list[j].Text)/2)
			if len(list[j].Text) >= len(list[j].original) || list[j].omitted == len(list[j].original) {
				list[j].Text, list[j].omitted = "", o.bytes(list[j].original)
			}
		}
		return
	}
	if o.is("cuts by raw overflow") {
		target := max(0, len(d.Text)-(len(o.render(c, list))-budget))
		d.Text, d.omitted = sourceCut(d.original, target)
		return
	}
	for share := len(d.original) - 1; share >= 0 && !o.is("empties instead of cutting"); share-- {
		if share == 0 && o.is("mark without text not shown") {
			break
		}
		d.Text, d.omitted = o.ends(d.original, share)
		if o.is("room for the largest mark") {
			d.Text += rep(len(strconv.Itoa(len(d.original)))-len(strconv.Itoa(d.omitted)), " ")
		}
		if !o.over(c, list, budget) {
			d.Text = strings.TrimRight(d.Text, " ")
			return
		}
	}
	d.Text, d.omitted = "", o.bytes(d.original)
}

// ends returns the two ends of s that share so many bytes, and the mark.
func (o oracle) ends(s string, share int) (string, int) {
	h := (share + 1) / 2
	if o.is("odd byte to the tail") {
		h = share / 2
	}
	switch {
	case o.is("head only"):
		h = share
	case o.is("tail only"):
		h = 0
	}
	t := share - h
	head, tail := text.Bytes.Prefix(s, h), text.Bytes.Suffix(s, t)
	if o.plainCuts {
		for head = s[:h]; !o.is("splits runes") && !utf8.ValidString(head); head = head[:len(head)-1] {
		}
		for tail = s[len(s)-t:]; !o.is("splits runes") && !utf8.ValidString(tail); tail = tail[1:] {
		}
	}
	omitted := len(s) - len(head) - len(tail)
	if o.is("splits runes") {
		head, tail = strings.ToValidUTF8(head, "\ufffd"), strings.ToValidUTF8(tail, "\ufffd")
	}
	stated := omitted
	switch {
	case o.is("omitted from the share"):
		stated = len(s) - share
	case o.is("omitted without the lost border"):
		stated = max(len(s)-len(head)-len(tail)-3, 0)
	case o.is("omitted in runes"):
		stated = utf8.RuneCountInString(s) - utf8.RuneCountInString(head+tail)
	}
	mark := fmt.Sprintf("\n[… omitted %d UTF-8 bytes …]", stated)
	switch {
	case o.is("no line before the mark"):
		mark = mark[1:]
	case o.is("mark at the cut"):
		return head + mark + tail, stated
	case o.is("mark counted as kept"):
		return head + tail + mark, max(stated-len(mark), 0)
	case o.is("omitted bytes as JSON"):
		return head + tail + mark, len(o.quote(s)) - len(o.quote(head+tail))
	}
	return head + tail + mark, stated
}

// bytes is what a text counts that is removed whole.
func (o oracle) bytes(s string) int {
	switch {
	case o.is("omitted bytes as JSON"):
		return len(o.quote(s)) - 2
	case o.is("omitted in runes"):
		return utf8.RuneCountInString(s)
	}
	return len(s)
}

func (o oracle) render(c reference.Capture, list []draft) string {
	cwd, seq := "null", "null"
	if c.CWD != "" {
		cwd = o.quote(c.CWD)
	}
	if c.ThroughSeq != nil {
		seq = strconv.FormatInt(*c.ThroughSeq, 10)
	}
	var items []string
	for _, d := range list {
		items = append(items, `{"role":"`+string(d.Role)+`","text":`+o.quote(d.Text)+`}`)
	}
	return `{"sessionId":` + o.quote(c.SessionID) + `,"label":` + o.quote(c.Label) + `,"cwd":` + cwd +
		`,"capturedThroughSeq":` + seq + `,"conversation":[` + strings.Join(items, ",") + `]}`
}

// quote writes a JSON string in the dialect of the budgets.
func (o oracle) quote(s string) string {
	var out strings.Builder
	for _, r := range s {
		short := strings.IndexRune("\b\f\n\r\t", r)
		switch {
		case r == '"' || r == '\\':
			out.WriteString(`\` + string(r))
		case short >= 0 && !o.is("long escapes only"):
			out.WriteString(`\` + "bfnrt"[short:short+1])
		case r < 0x20 && o.is("upper-case escapes"):
			fmt.Fprintf(&out, `\u%04X`, r)
		case r < 0x20, r == '<' && !o.is("no tag safety"),
			o.is("escapes like encoding/json") && (r == '>' || r == '&' || r == 0x2028 || r == 0x2029):
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			out.WriteRune(r)
		}
	}
	return `"` + out.String() + `"`
}

// sourceCut is the rule of the system that the right values come from: the budget of the text is in raw bytes, and what
// overflows is measured in JSON.
func sourceCut(original string, target int) (string, int) {
	o := oracle{plainCuts: true}
	for share := min(target, len(original)-1); share >= 0; share-- {
		if short, omitted := o.ends(original, share); len(short) <= target {
			return short, omitted
		}
	}
	return "", len(original)
}

// source is the system that the right values come from: the same rules but for the cut.
var source = oracle{fault: "cuts by raw overflow", plainCuts: true}

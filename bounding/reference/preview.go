package reference

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"

	"github.com/boundcheck/boundcheck/bounding/text"
)

// Retention says what a preview keeps of a capture, and what it leaves out. Bytes are those of the text in UTF-8, in which
// each invalid byte is a U+FFFD; quotes, escapes, frames and marks do not count.
//
// spec: REF-3
type Retention struct {
	Compacted        bool `json:"compacted"`        // the capture has a checkpoint
	OriginalMessages int  `json:"originalMessages"` // in the capture
	RetainedMessages int  `json:"retainedMessages"` // in the preview, shortened or not
	OmittedMessages  int  `json:"omittedMessages"`  // removed whole
	OmittedBytes     int  `json:"omittedBytes"`     // of the messages removed, and cut from those retained
	Truncated        bool `json:"truncated"`        // anything is omitted
}

// Preview is what a model sees of a capture.
type Preview struct {
	// JSON is one object on one line: sessionId, label, cwd, capturedThroughSeq, and conversation, an array of objects with
	// role and text. No < stands in it.
	JSON string
	Retention
}

// item is a message on its way into a preview.
type item struct {
	role       Role
	checkpoint bool
	text       string // valid UTF-8
	size       int    // bytes of text between the quotes
	omitted    int
}

// frame is the size of an item without its text.
func (it item) frame() int { return len(`{"role":"","text":""}`) + len(it.role) }

// Preview returns a preview of at most budget bytes. What does not fit goes in this order:
//
//   - whole messages, the oldest first, but no checkpoint and not the newest message;
//   - then the text of the longest message, of the first one of equal ones. It is cut to the longest beginning and end that
//     let the preview fit, which share the bytes kept in halves, and a line after them says how many bytes are gone. If not
//     even that line fits, the text is empty, and the next longest message is cut.
//
// Cuts are safe ones, see package text. Nothing is cut twice: what is left of a text always comes from the original. If the
// preview does not fit with all texts empty, the error wraps [BudgetExceeded]. The time is linear in the size of the capture.
//
// spec: REF-2, REF-3
func (c Capture) Preview(budget int) (Preview, error) {
	items := make([]item, len(c.Messages))
	size := len(c.appendHead(nil)) + len("]}") + max(0, len(items)-1)
	for i, m := range c.Messages {
		shown := text.Clean(m.Text)
		items[i] = item{role: m.Role, checkpoint: m.Checkpoint, text: shown, size: tagSafe.size(shown)}
		size += items[i].frame() + items[i].size
	}

	p := Preview{Retention: Retention{Compacted: c.compacted(), OriginalMessages: len(items)}}
	kept := make([]item, 0, len(items))
	for i, it := range items {
		if size > budget && !it.checkpoint && i < len(items)-1 {
			p.OmittedBytes += len(it.text)
			size -= it.frame() + it.size + len(",")
			continue
		}
		kept = append(kept, it)
	}
	if size > budget {
		size = shortenLongest(kept, size, budget)
	}
	if size > budget {
		return Preview{}, fmt.Errorf("reference: session %q takes %d bytes without any text, more than its budget of %d; "+
			"raise the budget: %w", c.SessionID, size, budget, BudgetExceeded)
	}

	out := c.appendHead(make([]byte, 0, size))
	for i, it := range kept {
		if i > 0 {
			out = append(out, ',')
		}
		out = it.append(out)
		p.OmittedBytes += it.omitted
	}
	p.JSON = string(append(out, "]}"...))
	p.RetainedMessages = len(kept)
	p.OmittedMessages = p.OriginalMessages - p.RetainedMessages
	p.Truncated = p.OmittedMessages > 0 || p.OmittedBytes > 0
	return p, nil
}

// appendHead adds the object up to its first message.
func (c Capture) appendHead(dst []byte) []byte {
	dst = tagSafe.append(append(dst, `{"sessionId":`...), c.SessionID)
	dst = tagSafe.append(append(dst, `,"label":`...), c.Label)
	dst = tagSafe.appendOr(append(dst, `,"cwd":`...), c.CWD)
	dst = appendSeq(append(dst, `,"capturedThroughSeq":`...), c.ThroughSeq)
	return append(dst, `,"conversation":[`...)
}

func (it item) append(dst []byte) []byte {
	dst = append(dst, `{"role":"`...)
	dst = append(dst, it.role...)
	dst = tagSafe.append(append(dst, `","text":`...), it.text)
	return append(dst, '}')
}

// shortenLongest cuts texts until size is at most budget, and returns the size that is left. At most one text is left
// shortened: those before it are empty, those after it are whole. So one look at the lengths gives the order.
func shortenLongest(items []item, size, budget int) int {
	order := make([]*item, len(items))
	for i := range items {
		order[i] = &items[i]
	}
	slices.SortStableFunc(order, func(a, b *item) int { return cmp.Compare(len(b.text), len(a.text)) })
	for _, it := range order {
		if size <= budget {
			break
		}
		size -= it.size
		it.text, it.omitted = shorten(it.text, budget-size)
		it.size = tagSafe.size(it.text)
		size += it.size
	}
	return size
}

// shorten returns the longest beginning and end of s that take, with the line about the rest, at most room bytes as JSON,
// and how many bytes of s are not among them. s has more than room bytes as JSON.
//
// A larger share of s never takes less room: the line becomes shorter by a digit only when the share grows by a rune or more.
func shorten(s string, room int) (short string, omitted int) {
	fits := func(share int) bool {
		short, _ := ends(s, share)
		return tagSafe.size(short) <= room
	}
	// A byte of text takes at least a byte of JSON, so no share above room can fit.
	most := min(room, len(s)-1)
	first := sort.Search(most+1, func(share int) bool { return !fits(share) })
	if first <= 0 {
		return "", len(s)
	}
	return ends(s, first-1)
}

// ends returns the two ends of s that share so many bytes, and the line that says how many bytes are not among them.
func ends(s string, share int) (short string, omitted int) {
	head, tail := text.Bytes.Prefix(s, share-share/2), text.Bytes.Suffix(s, share/2)
	omitted = len(s) - len(head) - len(tail)
	return head + tail + "\n[… omitted " + strconv.Itoa(omitted) + " UTF-8 bytes …]", omitted
}

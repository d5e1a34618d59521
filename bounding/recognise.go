package bounding

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/text"
)

// Import takes a result out of a recorded history, where the text is all that is left of it. A text is taken for one that
// was bounded before only if the whole of it has the form that a pipeline gives it and the artifact that it names holds
// what the form says: the size, the digest, and both ends of the preview. Then its notice keeps the counts of the first
// original. Anything else is raw output, and goes through Bound. In either case every bound applies.
//
// spec: OFF-6
func (p *Pipeline) Import(ctx context.Context, out Output) Result {
	if len(out.Parts) > 0 || len(out.Metadata) > 0 {
		return p.Bound(ctx, out)
	}
	r := p.newResult(&out)
	if body, ok := p.recognise(ctx, out.Text); ok {
		r.body, r.state = body, Trimmed
		if kept := r.unit.Count(body.head) + r.unit.Count(body.tail); kept <= p.limits.Preview &&
			over(body.total.In(r.unit), p.limits.gate()) {
			r.state = Stubbed
		}
		r.body.units = r.unit.Count(r.body.shown)
		p.transition(ctx, &r, Raw, r.Size(), WithinBounds)
		return p.Tighten(ctx, r)
	}
	if ref, ok := p.placeholder(ctx, out.Text); ok {
		r.body = whole(r.unit, out.Text, text.Measure(out.Text))
		r.body.cut, r.body.outcome, r.body.ref, r.state = true, Aged, ref, Cleared
		if ref.Locator != "" {
			r.body.outcome = Saved
		}
		p.transition(ctx, &r, Raw, r.Size(), WithinBounds)
		return r
	}
	return p.Bound(ctx, out)
}

// placeholder reports whether a text is what stands for a cleared result, with a locator that a store knows or none.
func (p *Pipeline) placeholder(ctx context.Context, s string) (spill.Ref, bool) {
	locator, ok := strings.CutPrefix(s, clearedInto)
	if !ok || len(locator) > maxLocator {
		return spill.Ref{}, s == ClearedText
	}
	for _, store := range p.stores {
		if artifact, err := store.Open(ctx, locator); err == nil {
			ref := spill.Ref{Locator: locator, Bytes: artifact.Size()}
			artifact.Close()
			return ref, true
		}
	}
	return spill.Ref{}, false
}

// noticeForm is what [piece.notice] writes for a saved output.
var noticeForm = regexp.MustCompile(`^\[Shortened\. The whole output is in (.+): \d+ (?:UTF-16 units|bytes|code points)` +
	` in \d+ lines, (\d+) bytes, sha256 ([0-9a-f]{64})\.( [^\n]+)?\]`)

// maxNotice is longer than any notice, so that the form is looked for in the beginning of a text only.
const maxNotice = maxLocator + maxHint + 400

// recognise reads a shortened text back into the piece that it was rendered from.
func (p *Pipeline) recognise(ctx context.Context, s string) (piece, bool) {
	m := noticeForm.FindStringSubmatch(s[:min(len(s), maxNotice)])
	if m == nil {
		return piece{}, false
	}
	original, ok := p.read(ctx, m[1], m[2], m[3])
	if !ok {
		return piece{}, false
	}
	found := piece{
		shown: s, cut: true, total: text.Measure(original), outcome: Saved,
		ref: spill.Ref{Locator: m[1], Bytes: int64(len(original)), SHA256: m[3], RetrievalHint: strings.TrimPrefix(m[4], " ")},
	}
	if found.total.Raw != found.total.Bytes {
		original = text.Clean(original)
	}
	u := p.limits.Unit
	full := found.notice(u, "output").String()
	rest, ok := strings.CutPrefix(s, full)
	switch {
	case !ok:
		return piece{}, false
	case rest == "":
		return found, true
	case rest[0] != '\n':
		return piece{}, false
	}
	rest = rest[1:]
	// The head is a beginning of the original, so no mark further than the first difference can be the one.
	same := commonPrefix(rest, original)
	for i := 0; i <= same; i++ {
		j := strings.Index(rest[i:], "\n[... ")
		if j < 0 {
			break
		}
		i += j
		head, after := rest[:i], rest[i:]
		end := strings.Index(after[1:], "]\n")
		if i > same || end < 0 {
			break
		}
		gap := after[:1+end+len("]\n")]
		tail := after[len(gap):]
		omitted := found.total.In(u) - u.Count(head) - u.Count(tail)
		if omitted >= 0 && gap == mark(u, omitted) && strings.HasSuffix(original, tail) {
			found.head, found.tail = head, tail
			return found, true
		}
	}
	return piece{}, false
}

func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// read returns the content of an artifact if it is what a notice says it is.
func (p *Pipeline) read(ctx context.Context, locator, size, digest string) (string, bool) {
	for _, store := range p.stores {
		artifact, err := store.Open(ctx, locator)
		if err != nil {
			continue
		}
		var b strings.Builder
		h := sha256.New()
		if strconv.FormatInt(artifact.Size(), 10) == size {
			_, err = io.Copy(io.MultiWriter(&b, h), artifact)
		}
		artifact.Close()
		if err == nil && hex.EncodeToString(h.Sum(nil)) == digest {
			return b.String(), true
		}
	}
	return "", false
}

package bounding

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/text"
)

// form is what a recorded text turned out to be: a piece that was shortened, the whole text that it was rendered from,
// and what stands behind it.
type form struct {
	piece    piece
	original string
	rest     string // "", or a blank line and more
}

// noticeForm is what [piece.notice] writes for a text that was saved.
var noticeForm = regexp.MustCompile(`^\[Shortened\. The whole (output|context) is in (.+): \d+ (UTF-16 units|bytes|code points)` +
	` in \d+ lines, (\d+) bytes, sha256 ([0-9a-f]{64})\.( [^\n]+)?\]`)

// maxNotice is longer than any notice, so that the form is looked for in the beginning of a text only.
const maxNotice = maxLocator + maxHint + 400

// recognise reads the beginning of a recorded text back into the piece that it was rendered from. The notice names the
// artifact; what follows must be both ends of it around the mark, and then the end of the text or a blank line.
func (p *Pipeline) recognise(ctx context.Context, s, what string) (form, bool) {
	m := noticeForm.FindStringSubmatch(s[:min(len(s), maxNotice)])
	if m == nil || m[1] != what {
		return form{}, false
	}
	original, ok := p.read(ctx, m[2], m[4], m[5])
	if !ok {
		return form{}, false
	}
	found := piece{
		cut: true, total: text.Measure(original), outcome: Saved,
		ref: spill.Ref{Locator: m[2], Bytes: int64(len(original)), SHA256: m[5], RetrievalHint: strings.TrimPrefix(m[6], " ")},
	}
	u := unitOf(m[3]) // that of the pipeline which wrote it
	full := found.notice(u, what).String()
	rest, ok := strings.CutPrefix(s, full)
	if !ok {
		return form{}, false
	}
	shown := original
	if found.total.Raw != found.total.Bytes {
		shown = text.Clean(original)
	}
	if preview, ok := strings.CutPrefix(rest, "\n"); ok {
		if head, tail, after, ok := previewOf(preview, shown, found.total.In(u), u); ok {
			found.head, found.tail, rest = head, tail, after
		}
	}
	if !ends(rest) {
		return form{}, false
	}
	found.shown = s[:len(s)-len(rest)]
	found.units = p.limits.Unit.Count(found.shown)
	return form{found, original, rest}, true
}

// previewOf finds head, mark and tail of a text of size units at the beginning of s. The number in the mark tells how long
// the tail must be, so that what follows it is told apart from it.
func previewOf(s, original string, size int, u text.Unit) (head, tail, rest string, ok bool) {
	// The head is a beginning of the original, so no mark further than the first difference can be the one.
	same := commonPrefix(s, original)
	for i := 0; i <= same; i++ {
		j := strings.Index(s[i:], markLead)
		if j < 0 || i+j > same {
			break
		}
		i += j
		head = s[:i]
		digits, _, _ := strings.Cut(s[i+len(markLead):], " ")
		omitted, err := strconv.Atoi(digits)
		after, isMark := strings.CutPrefix(s[i:], mark(u, omitted))
		if err != nil || omitted < 0 || !isMark {
			continue
		}
		tail, rest, ok = splitAfter(u, after, size-omitted-u.Count(head))
		if ok && strings.HasSuffix(original, tail) && ends(rest) {
			return head, tail, rest, true
		}
	}
	return "", "", "", false
}

// ends reports whether a form may be followed by rest: by nothing, or by metadata, which is never empty.
func ends(rest string) bool {
	return rest == "" || len(rest) > len(metadataBreak) && strings.HasPrefix(rest, metadataBreak)
}

// splitAfter splits s after exactly n units, if that is between two runes.
func splitAfter(u text.Unit, s string, n int) (taken, rest string, ok bool) {
	end := 0
	for n > 0 && end < len(s) {
		_, size := utf8.DecodeRuneInString(s[end:])
		n -= u.Count(s[end : end+size])
		end += size
	}
	return s[:end], s[end:], n == 0
}

func unitOf(label string) text.Unit {
	for _, u := range []text.Unit{text.Bytes, text.Runes} {
		if unitLabel(u) == label {
			return u
		}
	}
	return text.UTF16
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
		var b strings.Builder
		h := sha256.New()
		err := openIn(ctx, store, locator, func(artifact spill.Artifact) error {
			if strconv.FormatInt(artifact.Size(), 10) != size {
				return spill.ErrNotFound
			}
			_, err := io.Copy(io.MultiWriter(&b, h), artifact)
			return err
		})
		if err == nil && hex.EncodeToString(h.Sum(nil)) == digest {
			return b.String(), true
		}
	}
	return "", false
}

// openIn opens an artifact for as long as use takes. A store that panics has none.
func openIn(ctx context.Context, store spill.Store, locator string, use func(spill.Artifact) error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("bounding: the store %T panicked with a %T", store, cause)
		}
	}()
	artifact, err := store.Open(given(ctx), locator)
	if err != nil {
		return err
	}
	defer artifact.Close()
	return use(artifact)
}

// placeholder reports whether a recorded text begins with what stands for a cleared result, with a locator that a store
// knows or none, and returns what stands behind it.
func (p *Pipeline) placeholder(ctx context.Context, s string) (found piece, rest string, ok bool) {
	end := len(s)
	if i := strings.Index(s, metadataBreak); i >= 0 && ends(s[i:]) {
		end = i
	}
	shown, rest := s[:end], s[end:]
	found = piece{shown: shown, units: p.limits.Unit.Count(shown), total: text.Measure(shown), cut: true, outcome: Aged}
	locator, ok := strings.CutPrefix(shown, clearedInto)
	if !ok || len(locator) > maxLocator {
		return found, rest, shown == ClearedText
	}
	for _, store := range p.stores {
		var size int64
		err := openIn(ctx, store, locator, func(artifact spill.Artifact) error {
			size = artifact.Size()
			return nil
		})
		if err == nil {
			found.outcome, found.ref = Saved, spill.Ref{Locator: locator, Bytes: size}
			return found, rest, true
		}
	}
	return found, rest, false
}

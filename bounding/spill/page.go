package spill

import (
	"context"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/bounding/text"
)

// DefaultPage is the size of a page, in bytes, when none is asked for. A page of it is below every bound at which a result
// is offloaded, so that reading an artifact makes no new one.
const DefaultPage = 20_000

// Page is a part of an artifact. Offsets count bytes of the artifact.
type Page struct {
	Text   string // valid UTF-8: a byte that is no part of it is shown as U+FFFD
	Offset int64  // where the page begins
	Next   int64  // where the next one begins; Total after the last one
	Total  int64  // the size of the artifact
}

// Last reports whether nothing comes after the page.
func (p Page) Last() bool { return p.Next == p.Total }

// ReadPage reads about limit bytes of an artifact from an offset on; 0 is [DefaultPage]. It takes memory for the page only,
// wherever in the artifact that is, and however long its lines are.
//
// Pages begin and end between runes: an offset inside a rune goes back to its beginning, and a rune that the limit would
// split is left to the next page, except that a page has at least one. So following Next from 0 shows every byte once and
// comes to an end. An offset at or after the end is an empty last page.
//
// spec: SPL-7
func ReadPage(ctx context.Context, s Store, locator string, offset, limit int64) (Page, error) {
	p, err := readPage(ctx, s, locator, offset, limit)
	if err != nil {
		return Page{}, fmt.Errorf("spill: read %d bytes at %d: %w", limit, offset, err)
	}
	return p, nil
}

func readPage(ctx context.Context, s Store, locator string, offset, limit int64) (p Page, err error) {
	if offset < 0 || limit < 0 {
		return p, errors.New("offset and limit must be 0 or more")
	}
	if limit == 0 {
		limit = DefaultPage
	}
	a, err := s.Open(ctx, locator)
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	total := a.Size()
	if offset >= total {
		return Page{Offset: total, Next: total, Total: total}, nil
	}
	// A rune that reaches into the page begins at most 3 bytes before it, and one that reaches out ends 3 bytes behind.
	const reach = utf8.UTFMax - 1
	from := max(0, offset-reach)
	limit = min(limit, total-offset+reach)
	b := make([]byte, reach+limit+reach)
	n, err := readAt(ctx, a, b, from)
	if err != nil {
		return p, err
	}
	b = b[:n]
	if int64(n) <= offset-from {
		return p, fmt.Errorf("the artifact was cut while it was read: %w", io.ErrUnexpectedEOF)
	}
	begin := runeStart(b, int(offset-from))
	end := runeStart(b, int(min(int64(begin)+limit, int64(len(b)))))
	if end == begin {
		_, size := utf8.DecodeRune(b[begin:])
		end += size
	}
	return Page{
		Text:   text.Clean(string(b[begin:end])),
		Offset: from + int64(begin), Next: from + int64(end), Total: total,
	}, nil
}

// readAt fills b as far as the artifact goes.
func readAt(ctx context.Context, a io.ReaderAt, b []byte, off int64) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	n, err := a.ReadAt(b, off)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n, err
}

// runeStart is i, or the beginning of the rune that i lies in. Bytes that are no valid UTF-8 are runes of their own.
func runeStart(b []byte, i int) int {
	for start := i - 1; start >= 0 && start > i-utf8.UTFMax; start-- {
		if utf8.RuneStart(b[start]) {
			if r, size := utf8.DecodeRune(b[start:]); r != utf8.RuneError || size > 1 {
				if start+size > i {
					return start
				}
			}
			return i
		}
	}
	return i
}

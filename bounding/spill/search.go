package spill

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/bounding/text"
)

// Query is what to look for in an artifact, and how much of it to show.
type Query struct {
	Pattern string // a regular expression of package regexp, matched within lines
	Literal bool   // Pattern is a text instead
	From    int64  // offset of the byte to begin at; matches begin there or later
	Max     int    // matches to return at most; 0 is 50, and more than 1,000 are 1,000
	Width   int    // bytes to show of a match and around it; 0 is 200, and more than 4,096 are 4,096
}

// Match is one place where the pattern matches.
type Match struct {
	Offset int64  // of the match, in bytes of the artifact
	Bytes  int64  // of the match; one that is longer than 16 KiB may be given as several, or as a part
	Line   int64  // counted from 1
	Text   string // the match and what is around it in its line, valid UTF-8; at most Width bytes, before U+FFFD took the place of invalid ones
}

// Matches are the results of a search.
type Matches struct {
	Matches []Match
	Next    int64 // where to go on: the From of the next search. Total when all of the artifact was searched
	Total   int64 // the size of the artifact
}

const (
	defaultMatches = 50
	mostMatches    = 1_000
	defaultWidth   = 200
	mostWidth      = 4_096
	searchBlock    = 256 << 10
	searchOverlap  = 16 << 10 // bytes that are searched twice, and so the longest match that is always found
)

// Search looks for a pattern in an artifact, as grep does: within lines, so that ^ and $ stand for their ends, and matches
// do not overlap. What it returns is bounded by Max and Width, and the memory it takes does not depend on the artifact,
// also where that is one line. Only in lines of more than 240 KiB, matches of more than 16 KiB may be missed.
//
// spec: SPL-7
func Search(ctx context.Context, s Store, locator string, q Query) (Matches, error) {
	m, err := search(ctx, s, locator, q)
	if err != nil {
		return Matches{}, fmt.Errorf("spill: search: %w", err)
	}
	return m, nil
}

func search(ctx context.Context, s Store, locator string, q Query) (_ Matches, err error) {
	if q.From < 0 || q.Max < 0 || q.Width < 0 {
		return Matches{}, fmt.Errorf("from %d, max %d, width %d: none may be below 0", q.From, q.Max, q.Width)
	}
	if q.Pattern == "" {
		return Matches{}, errors.New("the pattern is empty; to read the artifact, read pages")
	}
	pattern := q.Pattern
	if q.Literal {
		pattern = regexp.QuoteMeta(pattern)
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return Matches{}, fmt.Errorf("the pattern is no regular expression; ask for it as a literal text, or correct it: %w", err)
	}
	a, err := s.Open(ctx, locator)
	if err != nil {
		return Matches{}, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	f := finder{ctx: ctx, a: a, re: re, most: orDefault(q.Max, defaultMatches, mostMatches), width: orDefault(q.Width, defaultWidth, mostWidth)}
	f.found.Total = a.Size()
	f.after = min(q.From, a.Size())
	if err := f.countLines(f.after); err != nil {
		return Matches{}, err
	}
	err = f.run()
	return f.found, err
}

func orDefault(n, usual, most int) int {
	if n == 0 {
		return usual
	}
	return min(n, most)
}

type finder struct {
	ctx         context.Context
	a           Artifact
	re          *regexp.Regexp
	most, width int
	found       Matches
	line        int64 // lines that end before what is searched next
	after       int64 // matches begin here or later, so that they do not overlap
	block       []byte
}

// countLines counts the lines before an offset.
func (f *finder) countLines(to int64) error {
	f.block = make([]byte, searchBlock)
	for at := int64(0); at < to; {
		n, err := readAt(f.ctx, f.a, f.block[:min(searchBlock, to-at)], at)
		if err != nil {
			return err
		}
		if n == 0 {
			return io.ErrUnexpectedEOF
		}
		f.line += int64(bytes.Count(f.block[:n], newline))
		at += int64(n)
	}
	return nil
}

var newline = []byte("\n")

// start returns where to begin, so that what lies before f.after is seen by ^ and \b: at the beginning of its line, or some
// way back in a long one.
func (f *finder) start() (at int64, lineStart bool, err error) {
	at = max(0, f.after-searchOverlap)
	n, err := readAt(f.ctx, f.a, f.block[:f.after-at], at)
	if err != nil {
		return 0, false, err
	}
	if i := bytes.LastIndexByte(f.block[:n], '\n'); i >= 0 {
		return at + int64(i) + 1, true, nil
	}
	return at, at == 0, nil
}

// run searches block by block. A block ends at the last line end in it. If it has none, it is a piece of a long line, and
// the next one begins a bit before its end.
func (f *finder) run() error {
	at, lineStart, err := f.start()
	if err != nil {
		return err
	}
	for at < f.found.Total {
		n, err := readAt(f.ctx, f.a, f.block, at)
		if err != nil {
			return err
		}
		if n == 0 {
			return io.ErrUnexpectedEOF
		}
		b := f.block[:n]
		last := at+int64(n) >= f.found.Total
		end := bytes.LastIndexByte(b, '\n')
		var more bool
		next := at + int64(n)
		if end >= 0 || last {
			if !last {
				b = b[:end+1]
				next = at + int64(end) + 1
			}
			more = f.lines(b, at, lineStart)
			lineStart = true
		} else {
			split := runeStart(b, n-searchOverlap)
			more = f.piece(b, at, lineStart, split)
			next, lineStart = at+int64(split), false
		}
		if !more {
			return nil
		}
		at = next
	}
	f.found.Next = f.found.Total
	return nil
}

// lines searches a block of whole lines; the first may lack its beginning.
func (f *finder) lines(b []byte, at int64, lineStart bool) bool {
	for len(b) > 0 {
		line, rest, ended := bytes.Cut(b, newline)
		if !f.piece(bytes.TrimSuffix(line, []byte("\r")), at, lineStart, len(line)) {
			return false
		}
		if ended {
			f.line++
		}
		at += int64(len(b) - len(rest))
		b, lineStart = rest, true
	}
	return true
}

// piece searches a line or a piece of one, and reports false when enough was found. The next piece begins at split, which is
// no less than the length when there is none. What touches a border of the piece that is no border of the line looks
// different there from what it is: the neighbouring piece has it, too, and decides.
func (f *finder) piece(b []byte, at int64, lineStart bool, split int) bool {
	// As many as are still wanted, one to know that there are more, and those that the piece before had, too.
	n := f.most - len(f.found.Matches) + 1 + int(max(0, min(f.after-at, searchBlock))) + 1
	for _, m := range f.re.FindAllIndex(b, n) {
		offset := at + int64(m[0])
		if offset < f.after || !lineStart && m[0] == 0 || m[0] > split && m[1] > len(b)-utf8.UTFMax {
			continue
		}
		if len(f.found.Matches) == f.most {
			f.found.Next = offset
			return false
		}
		f.after = at + int64(max(m[1], m[0]+1))
		f.found.Matches = append(f.found.Matches, Match{
			Offset: offset, Bytes: int64(m[1] - m[0]), Line: f.line + 1, Text: excerpt(b, m[0], m[1], f.width),
		})
	}
	return true
}

// excerpt is the text around a match: the match in the middle, as far as the line goes.
func excerpt(b []byte, from, to, width int) string {
	to = min(to, from+width)
	room := width - (to - from)
	begin := max(0, from-room/2)
	end := min(len(b), to+room-(from-begin))
	begin = max(0, min(begin, end-width))
	if s := runeStart(b, begin); s < begin { // inwards
		_, size := utf8.DecodeRune(b[s:])
		begin = min(s+size, from)
	}
	end = runeStart(b, end)
	return text.Clean(string(b[begin:max(begin, end)]))
}

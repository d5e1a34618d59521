package spill

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"regexp/syntax"
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
// do not overlap. Searches that go on at Next find what one search would have found. A match without a byte at the very end
// of the artifact is not told. What a search returns is bounded by Max and Width, and the memory it takes does not depend on
// the artifact, also where that is one line. Only in lines of more than 240 KiB, matches of more than 16 KiB may be missed.
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
	f, err := newFinder(pattern)
	if err != nil {
		return Matches{}, fmt.Errorf("the pattern is no regular expression; ask for it as a literal text, or correct it: %w", err)
	}
	a, err := s.Open(ctx, locator)
	if err != nil {
		return Matches{}, err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	f.ctx, f.a, f.most, f.width = ctx, a, orDefault(q.Max, defaultMatches, mostMatches), orDefault(q.Width, defaultWidth, mostWidth)
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
	here        *regexp.Regexp // a rune, and a match that follows it
	later       *regexp.Regexp // a rune, at least one more, and the first match (the first group) after those
	most, width int
	found       Matches
	line        int64 // lines that end before what is searched next
	after       int64 // the search goes on here
	ended       int64 // where the last match ends
	block       []byte
}

// newFinder compiles a pattern, and what finds it behind a rune that it can look at but not match.
func newFinder(pattern string) (*finder, error) {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, err
	}
	f := &finder{ended: -1}
	for _, to := range []struct {
		re    **regexp.Regexp
		begin string
	}{{&f.re, ""}, {&f.here, `\A(?s:.)`}, {&f.later, `\A(?s:.)(?s:.)+?`}} {
		if *to.re, err = regexp.Compile(to.begin + "(" + parsed.String() + ")"); err != nil {
			return nil, err
		}
	}
	return f, nil
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

// run searches block by block. A block begins some way before what it is searched for, so that this is seen by ^ and \b and
// can be shown, and ends at the last line end in it. If it has none, it is a piece of a long line, and the next one goes on
// a bit before its end.
func (f *finder) run() error {
	for f.after < f.found.Total {
		at := max(0, f.after-mostWidth)
		n, err := readAt(f.ctx, f.a, f.block, at)
		if err != nil {
			return err
		}
		if at+int64(n) <= f.after {
			return io.ErrUnexpectedEOF
		}
		b := f.block[:n]
		last := at+int64(n) >= f.found.Total
		lineStart := at == 0
		if i := bytes.LastIndexByte(b[:f.after-at], '\n'); i >= 0 {
			b, at, lineStart = b[i+1:], at+int64(i)+1, true
		}
		end := bytes.LastIndexByte(b, '\n') + 1
		var more bool
		switch {
		case last:
			more = f.lines(b, at, lineStart)
		case end > 0:
			more = f.lines(b[:end], at, lineStart)
		default:
			more = f.piece(b, at, lineStart, runeStart(b, len(b)-searchOverlap))
		}
		if !more {
			return nil
		}
	}
	f.found.Next = f.found.Total
	return nil
}

// lines searches a block of whole lines; the first may lack its beginning.
func (f *finder) lines(b []byte, at int64, lineStart bool) bool {
	for len(b) > 0 {
		line, rest, ended := bytes.Cut(b, newline)
		body := bytes.TrimSuffix(line, []byte("\r"))
		if !f.piece(body, at, lineStart, len(body)) {
			return false
		}
		if ended {
			f.line++
		}
		at += int64(len(b) - len(rest))
		f.after = max(f.after, at)
		b, lineStart = rest, true
	}
	return true
}

// piece searches a line or a piece of one for what begins at split or before, and reports false when enough was found. One
// match after the other is found as package regexp does: a match without a byte does not follow another one immediately.
func (f *finder) piece(b []byte, at int64, lineStart bool, split int) bool {
	for pos := int(f.after - at); pos <= split; pos = int(f.after - at) {
		from, to, ok := f.next(b, pos, lineStart)
		if !ok || from > split || at+int64(from) >= f.found.Total {
			break
		}
		repeats := to == pos && at+int64(from) == f.ended
		if !repeats && len(f.found.Matches) == f.most {
			f.found.Next = at + int64(from)
			return false
		}
		if !repeats {
			f.found.Matches = append(f.found.Matches, Match{
				Offset: at + int64(from), Bytes: int64(to - from), Line: f.line + 1, Text: excerpt(b, from, to, f.width),
			})
		}
		f.after, f.ended = at+int64(to), at+int64(to)
		if to == pos {
			_, size := utf8.DecodeRune(b[to:])
			f.after += int64(max(size, 1))
		}
	}
	f.after = max(f.after, at+int64(split))
	return true
}

// next returns the first match at pos or later, as a search in the whole line finds it: what lies before pos is looked at.
func (f *finder) next(b []byte, pos int, lineStart bool) (from, to int, ok bool) {
	if pos == 0 && lineStart {
		m := f.re.FindIndex(b)
		return group(m, 0, 0)
	}
	_, size := utf8.DecodeLastRune(b[:pos])
	before := pos - size
	if from, to, ok := group(f.here.FindSubmatchIndex(b[before:]), 2, before); ok {
		return from, to, true
	}
	m := f.re.FindIndex(b[pos:])
	if m != nil && m[0] == 0 { // it takes pos for the beginning of the line
		return group(f.later.FindSubmatchIndex(b[before:]), 2, before)
	}
	return group(m, 0, pos)
}

// group is a group of a match in what begins at an offset.
func group(m []int, i, offset int) (from, to int, ok bool) {
	if m == nil {
		return 0, 0, false
	}
	return m[i] + offset, m[i+1] + offset, true
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

package scenario

import (
	"fmt"
	"strconv"
	"strings"
)

// words takes a line apart. A word ends at a space outside of quotes; a # at the beginning of a word begins a comment.
func words(line string) ([]string, error) {
	var list []string
	for i := 0; i < len(line); {
		if line[i] == ' ' || line[i] == '\t' || line[i] == '\r' {
			i++
			continue
		}
		if line[i] == '#' {
			break
		}
		begin := i
		for i < len(line) && line[i] != ' ' && line[i] != '\t' && line[i] != '\r' {
			if line[i] != '"' {
				i++
				continue
			}
			quoted, err := strconv.QuotedPrefix(line[i:])
			if err != nil {
				return nil, fmt.Errorf("the quotes of %.40s do not end, or hold what Go's quotes may not", line[i:])
			}
			i += len(quoted)
		}
		list = append(list, line[begin:i])
	}
	return list, nil
}

// quote writes a text as one word: as it is, or in quotes.
func quote(s string) string {
	if s == "" || strings.ContainsFunc(s, func(r rune) bool {
		return r != '_' && r != '-' && r != '.' && r != '/' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) {
		return strconv.Quote(s)
	}
	return s
}

// unquote reads what quote writes.
func unquote(word string) (string, error) {
	if !strings.HasPrefix(word, `"`) {
		if strings.ContainsAny(word, `"`) {
			return "", fmt.Errorf("%s is half in quotes", word)
		}
		return word, nil
	}
	s, err := strconv.Unquote(word)
	if err != nil {
		return "", fmt.Errorf("%s is no text in quotes", word)
	}
	return s, nil
}

// substitute writes a number for each $i outside of quotes.
func substitute(word, number string) string {
	parts := split(word, '$')
	for i := 1; i < len(parts); i++ {
		if rest, ok := strings.CutPrefix(parts[i], "i"); ok {
			parts[i] = number + rest
		} else {
			parts[i] = "$" + parts[i]
		}
	}
	return strings.Join(parts, "")
}

// split takes a word apart at a separator outside of quotes.
func split(word string, separator byte) []string {
	var parts []string
	begin := 0
	for i := 0; i < len(word); {
		switch word[i] {
		case '"':
			quoted, err := strconv.QuotedPrefix(word[i:])
			if err != nil {
				return append(parts, word[begin:])
			}
			i += len(quoted)
		case separator:
			parts = append(parts, word[begin:i])
			i++
			begin = i
		default:
			i++
		}
	}
	return append(parts, word[begin:])
}

// Format of a payload: pieces with + between them, such as 25500*x+"\n". A piece that stands once has no number.
func (f *attached) payload(p Payload) string {
	if len(p) == 0 {
		return `""`
	}
	pieces := make([]string, len(p))
	for i, piece := range p {
		unit := f.unit(piece.Unit)
		if piece.Count == 1 && (len(p) > 1 || piece.Unit != "") {
			pieces[i] = unit
		} else {
			pieces[i] = strconv.Itoa(piece.Count) + "*" + unit
		}
	}
	return strings.Join(pieces, "+")
}

func (f *attached) unit(unit string) string {
	for _, u := range Units {
		if u.Text == unit && u.Named {
			return "@" + u.Name
		}
	}
	if name, ok := f.name(unit); ok {
		return filePrefix + name
	}
	return quote(unit)
}

// filePrefix begins the name of a file of the archive.
const filePrefix = "file:"

func (p *parser) payload(word string) (Payload, error) {
	if word == `""` {
		return nil, nil
	}
	var payload Payload
	for _, part := range split(word, '+') {
		piece := Piece{Count: 1}
		if counted := split(part, '*'); len(counted) == 2 {
			n, err := strconv.Atoi(counted[0])
			if err != nil {
				return nil, fmt.Errorf("%s: expected a number before *, as in 25500*x, and there is %q", word, counted[0])
			}
			piece.Count, part = n, counted[1]
		}
		unit, err := p.unit(part)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", word, err)
		}
		piece.Unit = unit
		payload = append(payload, piece)
	}
	return payload, nil
}

func (p *parser) unit(word string) (string, error) {
	if name, ok := strings.CutPrefix(word, filePrefix); ok {
		for _, f := range p.files {
			if f.Name == name {
				return string(f.Data), nil
			}
		}
		return "", fmt.Errorf("the archive has no file %q", name)
	}
	name, ok := strings.CutPrefix(word, "@")
	if !ok {
		return unquote(word)
	}
	var known []string
	for _, u := range Units {
		if u.Name == name {
			return u.Text, nil
		}
		known = append(known, u.Name)
	}
	return "", fmt.Errorf("no unit is called @%s; there are %s", name, strings.Join(known, ", "))
}

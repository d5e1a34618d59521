package reference

import (
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
)

// Normalizer finds the locators of a store of files in recorded sessions, and replaces them by what is the same on every
// run. The random and the platform's parts of a path are no difference between two recordings of the same session.
//
// It knows a locator by its whole form: one of the roots, the directory of a session, and a file with its random beginning.
// Separators may be slashes or backslashes, and the path may stand in JSON, in JSON inside a JSON string, or in neither.
// Nothing else changes: no number, no other path, no other backslash. Normalizing twice is the same as once.
//
// spec: REF-8
type Normalizer struct {
	root   *regexp.Regexp // up to the directory of a session
	window int            // the most bytes that root matches
}

// NewNormalizer returns a normalizer for the locators below these directories, written as paths of POSIX or Windows,
// whatever platform this is. A recorded path may have a drive letter before a root that has none. A root may be a
// placeholder that stands for a directory, such as {{cwd}}/.spill.
func NewNormalizer(roots ...string) (*Normalizer, error) {
	if len(roots) == 0 {
		return nil, errors.New("reference: a normalizer needs the directory of at least one store")
	}
	var n Normalizer
	patterns := make([]string, len(roots))
	for i, root := range roots {
		path := strings.TrimRight(root, `/\`)
		if path == "" || strings.Contains(path, token) {
			return nil, fmt.Errorf("reference: root %d, %q, names no directory of a store", i+1, root)
		}
		patterns[i] = rootPattern(path)
		n.window = max(n.window, len("C:")+maxEscaped*(len(path)+1))
	}
	var err error
	if n.root, err = regexp.Compile(`(?:` + strings.Join(patterns, "|") + `)` + separators + `$`); err != nil {
		return nil, fmt.Errorf("reference: roots %q: %w", roots, err)
	}
	return &n, nil
}

// token begins what stands for a locator.
const token = "{{spillLocator:"

const (
	// separators are one separator of a path, or the two at the beginning of a path of a network. A locator is a string in a
	// record, which may itself be JSON in JSON: then a backslash is eight of them.
	separators = `[/\\]{1,16}`

	// maxEscaped is the most bytes that stand for one byte of a directory: sixteen backslashes, u and four digits. What needs
	// two such escapes has four bytes.
	maxEscaped = 21

	sessionPrefix = "session-"
)

// artifact is what follows a root.
var artifact = regexp.MustCompile(`^` + sessionPrefix + `[0-9a-f]{12}` + separators + `[0-9a-f]{12}-([A-Za-z0-9._~-]+)`)

// rootPattern matches a directory however it is written.
func rootPattern(path string) string {
	var b strings.Builder
	segments := regexp.MustCompile(`[/\\]+`).Split(path, -1)
	switch first := segments[0]; {
	case first == "":
		b.WriteString(`([A-Za-z]:)?`)
	case len(first) == 2 && first[1] == ':':
		b.WriteString(`(?i:` + regexp.QuoteMeta(first) + `)`)
		segments[0] = ""
	}
	for i, segment := range segments {
		if i > 0 {
			b.WriteString(separators)
		}
		for _, r := range segment {
			b.WriteString(runePattern(r))
		}
	}
	return b.String()
}

// runePattern matches one character of a directory, as it is or as JSON may escape it.
func runePattern(r rune) string {
	literal := regexp.QuoteMeta(string(r))
	if r < 0x80 && nameByte(byte(r)) {
		return literal
	}
	escaped := ""
	for _, unit := range utf16.Encode([]rune{r}) {
		escaped += fmt.Sprintf(`\\{1,16}u(?i:%04x)`, unit)
	}
	return `(?:\\{0,16}` + literal + `|` + escaped + `)`
}

// nameByte reports whether b may stand in the name of a file of a store.
func nameByte(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || strings.IndexByte("._~-", b) >= 0
}

// Normalize returns s with {{spillLocator:NAME}} for each locator, where NAME is the suggested name of the artifact.
func (n *Normalizer) Normalize(s string) string {
	var b strings.Builder
	from := 0
	for l := range n.find(s) {
		b.WriteString(s[from:l.start])
		b.WriteString(token + l.name + "}}")
		from = l.end
	}
	return b.String() + s[from:]
}

// Locators returns the locators in s by the suggested names of their artifacts, each exactly as s spells it. The last one of
// a name counts.
func (n *Normalizer) Locators(s string) map[string]string {
	found := map[string]string{}
	for l := range n.find(s) {
		found[l.name] = s[l.start:l.end]
	}
	return found
}

// located is a locator in a text.
type located struct {
	start, end int
	name       string
}

func (n *Normalizer) find(s string) iter.Seq[located] {
	return func(yield func(located) bool) {
		from := 0
		for i := 0; ; {
			next := strings.Index(s[i:], sessionPrefix)
			if next < 0 {
				return
			}
			at := i + next
			i = at + len(sessionPrefix)
			file := artifact.FindStringSubmatchIndex(s[at:])
			if file == nil {
				continue
			}
			before := max(from, at-n.window)
			root := n.root.FindStringSubmatchIndex(s[before:at])
			if root == nil {
				continue
			}
			l := located{start: before + root[0], end: at + file[1], name: s[at+file[2] : at+file[3]]}
			if !startsPath(s, l.start) {
				// What looks like the drive letter before a root without one can be the end of a word: "see:/tmp".
				drive := slices.Max(append(root[2:], -1))
				if drive < 0 {
					continue
				}
				l.start = before + drive
			}
			if strings.HasSuffix(s[:l.start], ":") && strings.HasPrefix(s[l.start:], "//") {
				l.start += len("//") // file:// is no part of a path
			}
			if strings.HasPrefix(s[l.end:], "/") {
				continue // a file has nothing below it
			}
			if short := strings.TrimRight(l.name, "."); short != "" && endsSentence(s[l.end:]) {
				l.end -= len(l.name) - len(short)
				l.name = short
			}
			if from = l.end; !yield(l) {
				return
			}
		}
	}
}

// startsPath reports whether the path that begins s[at:] begins there, and does not continue a longer one.
func startsPath(s string, at int) bool {
	before, path := s[:at], s[at:]
	scheme := strings.TrimRight(before, "/")
	if scheme == "" || strings.HasSuffix(scheme, ":") {
		return scheme != "" || before == ""
	}
	last := before[len(before)-1]
	if strings.IndexByte("nrt", last) >= 0 {
		// It can be a line end or a tab in JSON, where a separator has twice as many backslashes as an escape.
		run := backslashes(path)
		return strings.HasSuffix(before[:at-1], `\`) && (run == 0 || !strings.HasSuffix(before[:at-1], path[:run]))
	}
	return !nameByte(last) && last != '/' && last != '\\'
}

// backslashes is how many backslashes s begins with.
func backslashes(s string) int { return len(s) - len(strings.TrimLeft(s, `\`)) }

// endsSentence reports whether a dot before rest is the end of a sentence, and not of a name.
func endsSentence(rest string) bool {
	if rest == "" || strings.IndexByte(" \t\r\n", rest[0]) >= 0 {
		return true
	}
	run := backslashes(rest)
	return run > 0 && run < len(rest) && strings.IndexByte("nrt", rest[run]) >= 0
}

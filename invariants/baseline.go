package invariants

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strings"
)

// known is one line of a baseline: an invariant that is known not to hold yet.
type known struct {
	id     string
	prefix string // of the message; "" for any
	line   int
}

// readBaseline reads a file of lines like
//
//	CLR-7  # the history grew by
//
// What follows the # is how the message begins. Empty lines, and lines that begin with a #, say nothing.
func readBaseline(path string) ([]known, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("invariants: baseline: %w", err)
	}
	ids := map[string]bool{}
	for i := range All() {
		ids[i.ID] = true
	}
	var entries []known
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		id, prefix, _ := strings.Cut(lines.Text(), "#")
		id, prefix = strings.TrimSpace(id), strings.TrimSpace(prefix)
		switch {
		case id == "":
			continue
		case !ids[id]:
			return nil, fmt.Errorf("invariants: baseline %s:%d: %q is no invariant; write one id and, after a #, how its message begins", path, n, id)
		}
		for _, e := range entries {
			if e.id == id {
				return nil, fmt.Errorf("invariants: baseline %s:%d: %s stands on line %d already", path, n, id, e.line)
			}
		}
		entries = append(entries, known{id, prefix, n})
	}
	return entries, lines.Err()
}

// hold marks the failures that a baseline knows, and notes each entry that is not as it says.
func (r *Report) hold(path string, entries []known) {
	for _, e := range entries {
		for i := range r.Findings {
			f := &r.Findings[i]
			if f.ID != e.id {
				continue
			}
			stale := ""
			switch {
			case f.Status != Fail:
				stale = fmt.Sprintf("it is %s now; remove the line", f.Status)
			case !strings.HasPrefix(f.Message, e.prefix):
				stale = fmt.Sprintf("it fails in another way now: %s", f.Message)
			default:
				f.Known = true
			}
			if stale != "" {
				r.Stale = append(r.Stale, fmt.Sprintf("%s:%d: %s: %s", path, e.line, e.id, stale))
			}
		}
	}
}

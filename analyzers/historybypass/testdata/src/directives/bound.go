package directives

import (
	"strings"

	"github.com/openai/openai-go/v3"
)

// compress is done by hardware: nobody can look inside, so the author's word counts.
//
//boundcheck:bound 4096
func compress(s string) string

// squeeze takes out repeated lines and keeps to a limit that depends on the day. The analysis can neither prove nor
// refute that it is a bound, so the author's word counts here as well.
//
//boundcheck:bound
func squeeze(s string) string {
	var kept []string
	seen := map[string]bool{}
	for line := range strings.SplitSeq(s, "\n") {
		if len(seen) < 50 && !seen[line] {
			seen[line] = true
			kept = append(kept, line[:min(len(line), 80)])
		}
	}
	return strings.Join(kept, "\n")
}

// archive keeps what is too long and returns where it is.
type archive interface {
	//boundcheck:bound
	Put(s string) string
	Normalize(s string) string
}

// passThrough is said to be a bound and is none: what comes in comes out.
//
//boundcheck:bound // want "BC0002"
func passThrough(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

func okCompressed(path, id string) message { return openai.ToolMessage(compress(read(path)), id) }

func okSqueezed(path, id string) message { return openai.ToolMessage(squeeze(read(path)), id) }

func okArchived(a archive, path, id string) message { return openai.ToolMessage(a.Put(read(path)), id) }

func unannotatedMethod(a archive, path, id string) message {
	return openai.ToolMessage(a.Normalize(read(path)), id) // want "BC1001.*file"
}

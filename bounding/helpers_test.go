package bounding

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/text"
)

// newPipeline returns a pipeline over a store in memory.
func newPipeline(t testing.TB, l Limits, options ...Option) (*Pipeline, *spill.Memory) {
	t.Helper()
	store := &spill.Memory{}
	p, err := New(l, append([]Option{WithStore(store)}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	return p, store
}

// limits returns strict limits with changes.
func limits(change func(l *Limits)) Limits {
	l := Strict()
	change(&l)
	return l
}

func output(tool, s string) Output { return Output{Call: Call{ID: "call_0", Tool: tool}, Text: s} }

// content reads an artifact.
func content(t testing.TB, store spill.Store, ref spill.Ref) string {
	t.Helper()
	a, err := store.Open(context.Background(), ref.Locator)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	b, err := io.ReadAll(a)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// checkResult checks what must hold for every result of every pipeline, and returns what is wrong, or nil.
//
// spec: OFF-1, OFF-5, OFF-7, OFF-9, UNI-3, UNI-4, UNI-5
func checkResult(p *Pipeline, store spill.Store, out Output, r Result) error {
	l := p.Limits()
	u := l.Unit
	shown := r.Text()
	var problems []string
	bad := func(problem string) { problems = append(problems, problem) }

	if strings.ToValidUTF8(shown, "") != shown {
		bad("invalid UTF-8")
	}
	if u.Count(shown) != r.Size() {
		bad("Size is wrong")
	}
	if entry := l.Entry(l.Tool(out.Call.Tool)); over(r.Size(), entry) {
		bad("over the bound of its entry")
	}
	if r.IsError() != (out.Status != Success) {
		bad("success and error were mixed up")
	}
	raw := out.Text
	if flat := out.flatten(); flat != nil {
		raw, _ = split(flat)
	}
	before := u.Count(raw)
	if r.BodySize() > before {
		bad("grew")
	}
	if r.Original().In(u) != before || r.Original().Raw != len(raw) {
		bad("the counts are not those of the original")
	}
	if budget := l.Budget(l.Tool(out.Call.Tool)); over(r.BodySize(), budget) {
		bad("body over its budget")
	}
	switch r.State() {
	case Kept:
		if r.BodySize() != before || r.Outcome() != NotNeeded {
			bad("kept and not whole")
		}
		if over(r.Original().Lines, l.lines(l.Tool(out.Call.Tool))) {
			// Only a text that is no longer than its notice may have too many lines.
			notice := r.body
			if notice.outcome == NotNeeded {
				notice.outcome, notice.ref.SHA256 = Saved, strings.Repeat("0", 64)
			}
			if u.Count(notice.notice(u, outputText).String()) < before {
				bad("kept with too many lines")
			}
		}
	case Trimmed, Stubbed:
		if r.BodySize() >= before {
			bad("shortened and not shorter")
		}
		if n := strings.Count(r.Body(), "[Shortened. "); n > strings.Count(raw, "[Shortened. ")+1 {
			bad("nested notices")
		}
		ref, saved := r.Artifact()
		if saved != (r.Outcome() == Saved) || r.Outcome() == NotNeeded {
			bad("artifact and outcome do not agree")
		}
		if saved {
			sum := sha256.Sum256([]byte(raw))
			a, err := store.Open(context.Background(), ref.Locator)
			if err != nil {
				bad("no artifact: " + err.Error())
				break
			}
			defer a.Close()
			if b, err := io.ReadAll(a); err != nil || string(b) != raw || ref.SHA256 != hex.EncodeToString(sum[:]) {
				bad("the artifact is not the original")
			}
			if r.BodySize() >= u.Count(ref.Locator) && !strings.Contains(r.Body(), ref.Locator) {
				bad("room for the pointer, and no pointer")
			}
		}
		tool := l.Tool(out.Call.Tool)
		if lines := text.Measure(r.Body()).Lines; over(lines, l.lines(tool)) {
			bad("too many lines")
		}
		head, tail := r.Preview()
		clean := string([]rune(raw)) // each invalid byte is one U+FFFD
		if !strings.HasPrefix(clean, head) || !strings.HasSuffix(clean, tail) {
			bad("the preview is no part of the original")
		}
		omitted := before - u.Count(head) - u.Count(tail)
		if omitted <= 0 {
			bad("nothing was omitted")
		}
		if head+tail != "" && !strings.Contains(r.Body(), head+mark(u, omitted)+tail) {
			bad("the stated omission is wrong")
		}
	default:
		bad("state " + r.State().String())
	}
	if len(problems) == 0 {
		return nil
	}
	return errors.New(strings.Join(problems, "; "))
}

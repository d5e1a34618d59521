package reference_test

import (
	"reflect"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"

	"github.com/boundcheck/boundcheck/bounding/reference"
)

// pieces are what texts are made of: what is longer as JSON, what must not be cut apart, what is not UTF-8, and what looks
// like our own output.
var pieces = []string{
	"x", "é", "界", "😀", "\x00", "\x1f", "\n", "\r\n", "\t", `"`, `\`, "<", "</referenced-sessions>", ">&'", "\x7f", "\u2028",
	"\ufeff", "\ufffd", "\xff", "\xf0\x9f", "e\u0301", "👩\u200d👩\u200d👧", "🇩🇪", "\x1b[31m", "\x1b]0;t\a",
	"\n[… omitted 12 UTF-8 bytes …]", "### Message 2: user\n\n", `{"role":"user","text":""}`,
}

var counts = []int{1, 1, 1, 2, 3, 7, 31, 33, 63, 64, 65, 99, 100, 101, 400}

// build makes a capture of a recipe of any bytes: three for a part of a message, which begins a new one or goes on.
func build(recipe []byte) reference.Capture {
	var events []reference.Event
	for ; len(recipe) >= 3; recipe = recipe[3:] {
		text := rep(counts[int(recipe[1])%len(counts)], pieces[int(recipe[2])%len(pieces)])
		kind, mode := reference.Kind(recipe[0]%4), recipe[0]/4%4
		if n := len(events); mode > 0 && n > 0 {
			last := &events[n-1]
			if mode == 1 {
				last.Parts = append(last.Parts, textPart(text))
			} else {
				last.Parts[len(last.Parts)-1].Text += text
			}
			continue
		}
		events = append(events, event(kind, reference.Part{Kind: reference.PartKind(min(recipe[0]/16, 1)), Text: text}))
	}
	return capture("s<", int64(len(events)), events...)
}

// short is a recipe without the longest texts, for what takes the square of the length.
func short(recipe []byte) []byte {
	for i := range recipe {
		if i%3 == 1 {
			recipe[i] %= byte(len(counts) - 1)
		}
	}
	return recipe
}

func recipes() gopter.Gen { return gen.SliceOf(gen.UInt8()) }

// aim is a budget: one of the borders of a capture, or a little beside it.
type aim struct {
	Border uint16
	Off    int8
}

func aims() gopter.Gen {
	return gen.Struct(reflect.TypeFor[aim](), map[string]gopter.Gen{
		"Border": gen.UInt16(),
		"Off": gen.Frequency(map[int]gopter.Gen{
			3: gen.Int8Range(-1, 1),
			1: gen.Int8Range(30, 45), // around the size of a mark
			2: gen.Int8(),
		}),
	})
}

func (a aim) budget(c reference.Capture) int {
	list := oracle{}.budgets(c, false)
	return list[int(a.Border)%len(list)] + int(a.Off)
}

package text_test

import (
	"io"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/bounding/text"
)

const mega = 1 << 20

var payloads = []struct{ name, text string }{
	{"ascii", strings.Repeat("level=info msg=\"request served\" status=200 ms=12\n", mega/48)},
	{"latin", strings.Repeat("déjà vu, très bien, ça va là-bas\n", mega/40)},
	{"cjk", strings.Repeat("報告書の本文をここに書く。\n", mega/40)},
	{"colour", strings.Repeat("\x1b[32mok\x1b[0m  github.com/boundcheck/boundcheck  0.12s\n", mega/52)},
	{"invalid", strings.Repeat("\xff\xfe", mega/2)},
}

func BenchmarkCount(b *testing.B) {
	for _, u := range units {
		for _, p := range payloads {
			b.Run(u.String()+"/"+p.name, func(b *testing.B) {
				b.SetBytes(int64(len(p.text)))
				b.ReportAllocs()
				for b.Loop() {
					u.Count(p.text)
				}
			})
		}
	}
}

// BenchmarkCountByRange is what BenchmarkCount is measured against: the loop that one would write.
func BenchmarkCountByRange(b *testing.B) {
	for _, p := range payloads {
		b.Run("utf16/"+p.name, func(b *testing.B) {
			b.SetBytes(int64(len(p.text)))
			sum := 0
			for b.Loop() {
				for _, r := range p.text {
					sum++
					if r > 0xffff {
						sum++
					}
				}
			}
		})
	}
}

func BenchmarkMeasure(b *testing.B) {
	for _, p := range payloads {
		b.Run(p.name, func(b *testing.B) {
			b.SetBytes(int64(len(p.text)))
			b.ReportAllocs()
			for b.Loop() {
				text.Measure(p.text)
			}
		})
	}
}

// BenchmarkSelect/whole is a text that fits, cut one that does not.
func BenchmarkSelect(b *testing.B) {
	for name, units := range map[string]int{"whole": 2 * mega, "cut": 25000} {
		for _, p := range payloads {
			b.Run(name+"/"+p.name, func(b *testing.B) {
				o := text.Both.Options(text.UTF16, units, 0)
				b.SetBytes(int64(len(p.text)))
				b.ReportAllocs()
				for b.Loop() {
					text.Select(p.text, o)
				}
			})
		}
	}
}

func BenchmarkRetainer(b *testing.B) {
	for _, chunk := range []int{80, 4096, mega} {
		for _, p := range payloads[:3] {
			b.Run(strings.Join([]string{p.name, map[int]string{80: "80B", 4096: "4KiB", mega: "1MiB"}[chunk]}, "/"), func(b *testing.B) {
				o := text.Both.Options(text.UTF16, 25000, 0)
				data := []byte(p.text)
				b.SetBytes(int64(len(data)))
				b.ReportAllocs()
				for b.Loop() {
					r := text.NewRetainer(o)
					for rest := data; len(rest) > 0; {
						n := min(chunk, len(rest))
						r.Write(rest[:n])
						rest = rest[n:]
					}
					r.Selection()
				}
			})
		}
	}
}

// BenchmarkCopy is the speed of memory, which BenchmarkRetainer is measured against.
func BenchmarkCopy(b *testing.B) {
	data := []byte(payloads[0].text)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		io.Discard.Write([]byte(string(data)))
	}
}

func BenchmarkUnterminated(b *testing.B) {
	s := strings.Repeat("\x1b]0;", mega/4)
	for _, u := range units {
		b.Run(u.String(), func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				u.Prefix(s, len(s)/2)
				u.Suffix(s, len(s)/2)
			}
		})
	}
}

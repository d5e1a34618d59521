package facts

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/tools/go/analysis"
)

// A rich fact has every kind of value that there is a form for.
type rich struct {
	Yes, No  bool
	Small    int8
	Negative int64
	Unsigned uint16
	Half     float64
	Text     string
	Again    string
	Names    []string
	Nested   map[string][]part
	Numbers  map[int]bool
	Some     *part
	None     *part
	hidden   int
}

type part struct {
	Name  string
	Parts []part
}

func (*rich) AFact() {}

func richFact() *rich {
	nested := map[string][]part{}
	for i := range 50 {
		nested[fmt.Sprint("key", i)] = []part{{Name: "part", Parts: []part{{Name: "inner"}, {}}}}
	}
	return &rich{
		Yes: true, Small: -3, Negative: -1 << 60, Unsigned: 65535, Half: 0.5, Text: "text", Again: "text",
		Names: []string{"", "a", "a"}, Nested: nested, Numbers: map[int]bool{-1: true, 2: false}, Some: &part{Name: "some"}, hidden: 1,
	}
}

func TestRoundTrip(t *testing.T) {
	data, err := encode(richFact())
	if err != nil {
		t.Fatal(err)
	}
	var got rich
	if err := decode(data, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(richFact(), &got, cmpopts.IgnoreUnexported(rich{})); diff != "" {
		t.Error(diff)
	}
	if got.hidden != 0 {
		t.Error("an unexported field was written")
	}
	if n := bytes.Count(data, []byte("inner")); n != 1 {
		t.Errorf("a string is written %d times", n)
	}
}

func TestEqualFactsAreEqualBytes(t *testing.T) {
	first, err := encode(richFact())
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		again, err := encode(richFact())
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first, again) {
			t.Fatal("the same fact is written differently")
		}
	}
}

// Whatever the bytes are, there is an error or a fact, and no panic.
func TestDamage(t *testing.T) {
	data, err := encode(richFact())
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(data) {
		if err := decode(data[:n], new(rich)); err == nil {
			t.Fatalf("the first %d of %d bytes are a fact, too", n, len(data))
		}
	}
	for i := range data {
		for _, b := range []byte{0, 1, 0x7f, 0x80, 0xff} {
			damaged := bytes.Clone(data)
			damaged[i] = b
			_ = decode(damaged, new(rich)) // must return
		}
	}
	if err := decode(append(bytes.Clone(data), 0), new(rich)); err == nil {
		t.Error("a byte too many was not noticed")
	}
}

type withChan struct{ C chan int }

func (*withChan) AFact() {}

type withAny struct{ A any }

func (*withAny) AFact() {}

type withStructKeys struct{ M map[struct{ A string }]int }

func (*withStructKeys) AFact() {}

type withNothing struct{ N []struct{} }

func (*withNothing) AFact() {}

func TestNoForm(t *testing.T) {
	for want, fact := range map[string]analysis.Fact{"chan int": new(withChan), "interface {}": new(withAny), "keys of type struct": new(withStructKeys), "[]struct {}": &withNothing{make([]struct{}, 2)}} {
		if _, err := encode(fact); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%T: %v, want an error about %s", fact, err, want)
		}
	}
	if err := decode([]byte{0}, new(withAny)); err == nil || !strings.Contains(err.Error(), "interface {}") {
		t.Errorf("reading an interface: %v", err)
	}
}

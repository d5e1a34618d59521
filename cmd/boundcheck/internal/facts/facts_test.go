package facts

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/analysis"
)

type names struct{ Names []string }

func (*names) AFact() {}

type size struct{ N int }

func (*size) AFact() {}

// lower returns the facts of package a and of b, which imports it.
func lower() (a, b *Set) {
	a = New("a")
	a.Export(&names{[]string{"A"}})
	a.Export(&size{1})
	b = New("b")
	b.Inherit(a)
	b.Export(&names{[]string{"B", "C"}})
	return a, b
}

func collect(s *Set) map[string][]string {
	all := map[string][]string{}
	s.Each((*names)(nil), func(pkg string, f analysis.Fact) { all[pkg] = f.(*names).Names })
	return all
}

var want = map[string][]string{"a": {"A"}, "b": {"B", "C"}}

// Facts must come out of a file as they would stay in memory, also two packages away.
func TestFileAndMemoryAgree(t *testing.T) {
	_, b := lower()
	data, err := b.Encode()
	if err != nil {
		t.Fatal(err)
	}
	read := New("c")
	if err := read.Decode(data); err != nil {
		t.Fatal(err)
	}
	inherited := New("c")
	inherited.Inherit(b)
	for name, s := range map[string]*Set{"file": read, "memory": inherited} {
		if diff := cmp.Diff(want, collect(s)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		var n size
		if !s.Import("a", &n) || n.N != 1 {
			t.Errorf("%s: size of a is %v, want 1", name, n)
		}
		if s.Import("b", &n) {
			t.Errorf("%s: b has a size", name)
		}
	}
	again, err := read.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, again) {
		t.Error("facts that were only passed on, or asked for, are written differently")
	}
}

func TestInheritIsACopy(t *testing.T) {
	a, b := lower()
	if a.Import("b", &names{}) {
		t.Error("a package knows of one that imports it")
	}
	a.Export(&size{2})
	var n size
	if !b.Import("a", &n) || n.N != 1 {
		t.Errorf("size of a seen from b is %d, want 1", n.N)
	}
}

func TestEmpty(t *testing.T) {
	data, err := New("a").Encode()
	if err != nil || len(data) != 0 {
		t.Errorf("Encode of nothing = %q, %v", data, err)
	}
	if err := New("a").Decode(nil); err != nil {
		t.Errorf("Decode of nothing: %v", err)
	}
}

func TestDamaged(t *testing.T) {
	_, b := lower()
	data, err := b.Encode()
	if err != nil {
		t.Fatal(err)
	}
	whole := 0
	for n := range len(data) {
		if New("c").Decode(data[:n]) == nil {
			whole++
		}
	}
	// Only where a fact ends can a cut go unnoticed: before the first, and between the three.
	if whole != 3 {
		t.Errorf("%d cuts went unnoticed, want 3", whole)
	}

	bad := New("c")
	if err := bad.Decode([]byte("\x01a\x0bfacts.names\x02\x05x")); err != nil {
		t.Fatal(err)
	}
	if bad.Import("a", &names{}) || bad.Err() == nil {
		t.Errorf("a damaged fact was accepted, Err = %v", bad.Err())
	}
}

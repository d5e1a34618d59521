// Package facts carries package facts from a package to those that import it, directly or not.
//
// A [Set] belongs to one package: it holds the facts of everything below it and, after the analysis, its own.
// Within one process facts stay values. Under go vet they travel in files; there a fact of a dependency stays the
// bytes it was read as until someone asks for it, and is copied on unopened, so that a deep import graph costs
// copying and no decoding.
package facts

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
)

type key struct {
	pkg  string // import path without a test-variant suffix
	kind string // name of the fact's type
}

func compareKeys(a, b key) int { return cmp.Or(cmp.Compare(a.pkg, b.pkg), cmp.Compare(a.kind, b.kind)) }

// An entry has a value or its encoding, and both once it was asked for.
type entry struct {
	value analysis.Fact
	data  []byte
}

// A Set implements the fact side of a pass for one package. It is not safe for concurrent use.
type Set struct {
	pkg     string
	entries map[key]entry
	err     error
}

// New returns an empty set for the package with that import path.
func New(pkgPath string) *Set { return &Set{pkg: pkgPath, entries: map[key]entry{}} }

// Inherit adds everything that a dependency knows.
func (s *Set) Inherit(dep *Set) { maps.Copy(s.entries, dep.entries) }

// Import copies the fact of the type of ptr about a package into ptr.
func (s *Set) Import(pkgPath string, ptr analysis.Fact) bool {
	k := key{pkgPath, kindOf(ptr)}
	e, ok := s.entries[k]
	if !ok {
		return false
	}
	if e.value != nil {
		reflect.ValueOf(ptr).Elem().Set(reflect.ValueOf(e.value).Elem())
		return true
	}
	fact := reflect.New(reflect.TypeOf(ptr).Elem()).Interface().(analysis.Fact)
	if err := decode(e.data, fact); err != nil {
		s.err = cmp.Or(s.err, fmt.Errorf("the facts about package %s cannot be read: %w", pkgPath, err))
		return false
	}
	s.entries[k] = entry{value: fact, data: e.data}
	reflect.ValueOf(ptr).Elem().Set(reflect.ValueOf(fact).Elem())
	return true
}

// Export sets a fact about the package the set belongs to.
func (s *Set) Export(fact analysis.Fact) { s.entries[key{s.pkg, kindOf(fact)}] = entry{value: fact} }

// Each calls f for every fact of the type of proto, in the order of package paths.
func (s *Set) Each(proto analysis.Fact, f func(pkgPath string, fact analysis.Fact)) {
	kind := kindOf(proto)
	for _, k := range slices.SortedFunc(maps.Keys(s.entries), compareKeys) {
		if k.kind != kind {
			continue
		}
		fact := reflect.New(reflect.TypeOf(proto).Elem()).Interface().(analysis.Fact)
		if s.Import(k.pkg, fact) {
			f(k.pkg, fact)
		}
	}
}

// Err returns the first fact that could not be decoded.
func (s *Set) Err() error { return s.err }

func kindOf(f analysis.Fact) string { return reflect.TypeOf(f).Elem().String() }

// Encode returns the whole set as bytes: for each fact its package, its kind and its encoding, each preceded by
// its length, in sorted order. An empty set is no bytes.
func (s *Set) Encode() ([]byte, error) {
	var out []byte
	for _, k := range slices.SortedFunc(maps.Keys(s.entries), compareKeys) {
		e := s.entries[k]
		data := e.data
		if data == nil {
			var err error
			if data, err = encode(e.value); err != nil {
				return nil, fmt.Errorf("the facts about package %s cannot be written: %w", k.pkg, err)
			}
		}
		out = appendBytes(out, k.pkg)
		out = appendBytes(out, k.kind)
		out = appendBytes(out, string(data))
	}
	return out, nil
}

func appendBytes(out []byte, s string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(s))), s...)
}

// Decode adds the facts that Encode has written. It keeps data.
func (s *Set) Decode(data []byte) error {
	d := decoder{data: data}
	for len(d.data) > 0 {
		pkg, kind, fact := d.bytes(), d.bytes(), d.bytes()
		if d.err != nil {
			return d.err
		}
		s.entries[key{string(pkg), string(kind)}] = entry{data: fact}
	}
	return nil
}

package facts

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// The encoding is one that gob cannot give: equal facts are equal bytes. The go command takes the bytes of a fact into
// the keys of what it stores about dependents, and gob writes maps in another order each time.
//
// Numbers are varints; a string is written once, and its number when it comes again; of a struct the exported fields
// are written in their order, of a map the entries in the order of their keys. Reader and writer are the same
// executable, so there are no types in it.

// encode returns the bytes of a fact. The error says which type it has no form for.
func encode(fact analysis.Fact) ([]byte, error) {
	e := encoder{strings: map[string]int{}}
	if err := e.value(reflect.ValueOf(fact).Elem()); err != nil {
		return nil, err
	}
	return e.out, nil
}

type encoder struct {
	out     []byte
	strings map[string]int // string -> its number, from 1
}

func (e *encoder) uint(n uint64) { e.out = binary.AppendUvarint(e.out, n) }

func (e *encoder) string(s string) {
	if n, ok := e.strings[s]; ok {
		e.uint(uint64(n))
		return
	}
	e.strings[s] = len(e.strings) + 1
	e.uint(0)
	e.out = appendBytes(e.out, s)
}

func (e *encoder) value(v reflect.Value) error {
	switch v.Kind() {
	case reflect.Bool:
		e.out = append(e.out, 0)
		if v.Bool() {
			e.out[len(e.out)-1] = 1
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.out = binary.AppendVarint(e.out, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		e.uint(v.Uint())
	case reflect.Float32, reflect.Float64:
		e.uint(math.Float64bits(v.Float()))
	case reflect.String:
		e.string(v.String())
	case reflect.Pointer:
		if v.IsNil() {
			e.out = append(e.out, 0)
			return nil
		}
		e.out = append(e.out, 1)
		return e.value(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				if err := e.value(v.Field(i)); err != nil {
					return err
				}
			}
		}
	case reflect.Slice:
		e.uint(uint64(v.Len()))
		for i := range v.Len() {
			before := len(e.out)
			if err := e.value(v.Index(i)); err != nil {
				return err
			}
			if len(e.out) == before {
				return fmt.Errorf("there is no form for elements without content, as in %v", v.Type())
			}
		}
	case reflect.Map:
		return e.entries(v)
	default:
		return fmt.Errorf("there is no form for values of type %v", v.Type())
	}
	return nil
}

func (e *encoder) entries(m reflect.Value) error {
	keys := m.MapKeys()
	switch m.Type().Key().Kind() {
	case reflect.String:
		slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.Int(), b.Int()) })
	default:
		return fmt.Errorf("there is no order for keys of type %v", m.Type().Key())
	}
	e.uint(uint64(len(keys)))
	for _, k := range keys {
		if err := e.value(k); err != nil {
			return err
		}
		if err := e.value(m.MapIndex(k)); err != nil {
			return err
		}
	}
	return nil
}

// decode sets the fact from its bytes. What was empty comes out nil.
func decode(data []byte, fact analysis.Fact) (err error) {
	d := decoder{data: data}
	d.value(reflect.ValueOf(fact).Elem())
	if d.err == nil && len(d.data) > 0 {
		return errors.New("there is more of it than there should be")
	}
	return d.err
}

type decoder struct {
	data    []byte
	strings []string
	err     error // the first one; after it everything reads as zero
}

var errDamaged = errors.New("it is cut short")

func (d *decoder) fail() { d.err, d.data = cmp.Or(d.err, errDamaged), nil }

func (d *decoder) uint() uint64 {
	n, used := binary.Uvarint(d.data)
	if used <= 0 {
		d.fail()
		return 0
	}
	d.data = d.data[used:]
	return n
}

func (d *decoder) int() int64 {
	n, used := binary.Varint(d.data)
	if used <= 0 {
		d.fail()
		return 0
	}
	d.data = d.data[used:]
	return n
}

// bytes reads what appendBytes has written.
func (d *decoder) bytes() []byte {
	n := d.uint()
	if n > uint64(len(d.data)) {
		d.fail()
		return nil
	}
	b := d.data[:n]
	d.data = d.data[n:]
	return b
}

func (d *decoder) string() string {
	n := d.uint()
	switch {
	case n > uint64(len(d.strings)):
		d.fail()
		return ""
	case n > 0:
		return d.strings[n-1]
	}
	s := string(d.bytes())
	d.strings = append(d.strings, s)
	return s
}

func (d *decoder) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(d.uint() == 1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(d.int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(d.uint())
	case reflect.Float32, reflect.Float64:
		v.SetFloat(math.Float64frombits(d.uint()))
	case reflect.String:
		v.SetString(d.string())
	case reflect.Pointer:
		if d.uint() == 1 {
			v.Set(reflect.New(v.Type().Elem()))
			d.value(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				d.value(v.Field(i))
			}
		}
	case reflect.Slice:
		n := d.uint()
		if n > uint64(len(d.data)) { // every element takes a byte or more
			d.fail()
			return
		}
		if n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), int(n), int(n)))
		}
		for i := range v.Len() {
			d.value(v.Index(i))
		}
	case reflect.Map:
		for n := d.uint(); n > 0 && d.err == nil; n-- {
			if v.IsNil() {
				v.Set(reflect.MakeMap(v.Type()))
			}
			key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			d.value(key)
			d.value(elem)
			v.SetMapIndex(key, elem)
		}
	default:
		d.err = cmp.Or(d.err, fmt.Errorf("there is no form for values of type %v", v.Type()))
	}
}

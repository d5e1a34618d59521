package flow

import (
	"cmp"
	"slices"
)

// owned is a copy of a value whose fields nobody else holds, so that [val.put] may write to them: values are immutable
// once others have them, and copying all fields for each that is set would cost the square of their number.
func (v val) owned(room int) val {
	v.fields = append(make([]fieldMark, 0, len(v.fields)+room), v.fields...)
	return v
}

// put is [val.with] in place.
func (v *val) put(id fieldID, m mark) {
	i, ok := slices.BinarySearchFunc(v.fields, id, func(f fieldMark, id fieldID) int { return cmp.Compare(f.id, id) })
	if ok {
		v.fields[i].m = m
	} else {
		v.fields = slices.Insert(v.fields, i, fieldMark{id, m})
	}
	v.whole = false
	*v = v.settled()
}

// replace sets a field of an owned value, and the fields of what is stored there.
func (v *val) replace(key fieldID, x val) {
	v.put(key, x.self)
	for _, fm := range x.fields {
		if m, ok := v.override(fm.id); ok {
			v.put(fm.id, join(m, fm.m))
		} else {
			v.put(fm.id, fm.m)
		}
	}
}

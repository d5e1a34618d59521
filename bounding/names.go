package bounding

import "strconv"

// nameTable gives the values of an enumeration their names.
type nameTable struct {
	kind  string
	names []string
}

func names(kind string, list ...string) nameTable { return nameTable{kind, list} }

func (t nameTable) of(i int) string {
	if i < 0 || i >= len(t.names) {
		return t.kind + "(" + strconv.Itoa(i) + ")"
	}
	return t.names[i]
}

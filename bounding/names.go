package bounding

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

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

// parse finds a value by its name.
func (t nameTable) parse(name []byte) (int, error) {
	if i := slices.Index(t.names, string(name)); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("bounding: %q is no %s: use %s", name, t.kind, strings.Join(t.names, ", "))
}

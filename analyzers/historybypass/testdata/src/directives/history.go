package directives

// turn is an element of a history that looks like nothing.
//
//boundcheck:history
type turn struct {
	who, what string
}

// dialogue has a history in a field.
type dialogue struct {
	lines []string //boundcheck:history
	notes []string
}

func annotatedType(turns []turn, path string) []turn {
	return append(turns, turn{who: "t", what: read(path)}) // want "BC1001.*file"
}

func (d *dialogue) annotatedField(path string) {
	d.lines = append(d.lines, read(path)) // want "BC1001.*file"
}

func (d *dialogue) okNote(path string) {
	d.notes = append(d.notes, read(path))
}

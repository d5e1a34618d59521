package directives

//boundcheck:ingore BC1001 a word with a slip of the finger // want "BC0001"

// misplacedSource has a directive where nothing is declared for others.
func misplacedSource() int {
	//boundcheck:source // want "BC0001"
	n := 1
	return n
}

// misspeltKind names a kind that does not exist.
//
//boundcheck:source proces // want "BC0001"
func misspeltKind() string { return "" }

// okWellFormed has one of each word, and each where it belongs.
//
//boundcheck:source file
//boundcheck:bound 100
func okWellFormed() string { return "" }

package directives

// transmit sends a text to a model that no framework knows.
//
//boundcheck:sink
func transmit(text string) { println(text) }

// show sends a text to the screen.
func show(text string) { println(text) }

// envelope has a field that a provider reads.
type envelope struct {
	Address string
	Body    string //boundcheck:sink BC1005
}

func annotatedSink(path string) {
	transmit(read(path)) // want "BC1001.*file"
}

func annotatedSinkField(path string) envelope {
	return envelope{
		Address: path,
		Body:    read(path), // want "BC1005.*file"
	}
}

func okScreen(path string) envelope {
	show(read(path))
	return envelope{Address: path, Body: "empty"}
}

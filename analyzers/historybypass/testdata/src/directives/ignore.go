package directives

import "github.com/openai/openai-go/v3"

func okIgnoredAtEnd(path, id string) message {
	return openai.ToolMessage(read(path), id) //boundcheck:ignore BC1001 these files are written by the agent and small
}

func okIgnoredAbove(path, id string) message {
	//boundcheck:ignore BC1001 these files are written by the agent and small
	return openai.ToolMessage(read(path), id)
}

// okIgnoredWhole is ignored as a whole.
//
//boundcheck:ignore BC1001 a migration tool, its output is looked at by a person
func okIgnoredWhole(path, id string) []message {
	return []message{
		openai.ToolMessage(read(path), id),
		openai.ToolMessage(read(path+".old"), id),
	}
}

// An ignore without a reason is a finding and is not honoured.
func withoutReason(path, id string) message {
	//boundcheck:ignore BC1001 // want "BC0001"
	return openai.ToolMessage(read(path), id) // want "BC1001.*file"
}

// An ignore that matches nothing hides the next finding that comes there.
func matchesNothing(path, id string) message {
	size := len(read(path)) //boundcheck:ignore BC1001 there was an entry here once // want "BC0001"
	if size == 0 {
		return openai.ToolMessage("empty", id)
	}
	return openai.ToolMessage("not empty", id)
}

// Another code than that of the finding matches nothing.
func wrongCode(path, id string) message {
	//boundcheck:ignore BC1005 this is no prompt // want "BC0001"
	return openai.ToolMessage(read(path), id) // want "BC1001.*file"
}

// The line below is covered, the one after it is not.
func coversOneLine(path, id string) (message, message) {
	//boundcheck:ignore BC1001 the first file is small
	first := openai.ToolMessage(read(path), id)
	second := openai.ToolMessage(read(path+".old"), id) // want "BC1001.*file"
	return first, second
}

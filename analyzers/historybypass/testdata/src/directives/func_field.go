package directives

import "github.com/openai/openai-go/v3"

// hooks are filled in by somebody else; what a call of one does is said where it is declared.
type hooks struct {
	//boundcheck:source process
	fetch func(port int) string
	plain func(port int) string
	//boundcheck:bound 100
	squash func(s string) string
	//boundcheck:sink
	emit func(s string)
	//boundcheck:history
	log string
}

func annotatedFetch(h *hooks, id string) message {
	return openai.ToolMessage(h.fetch(1), id) // want "BC1001.*process"
}

func annotatedEmit(h *hooks, path string) {
	h.emit(read(path)) // want "BC1001.*file"
}

func annotatedLog(h *hooks, path string) {
	h.log += read(path) // want "BC1001.*file"
}

func okPlain(h *hooks, id string) message { return openai.ToolMessage(h.plain(1), id) }

func okSquashed(h *hooks, path, id string) message {
	return openai.ToolMessage(h.squash(read(path)), id)
}

package directives

import "github.com/openai/openai-go/v3"

// device is read by hardware that no model knows.
//
//boundcheck:source process
func device(port int) string

// gauge is declared the same way, without a directive.
func gauge(port int) string

// sensor has a field that somebody else fills.
type sensor struct {
	Name    string
	Reading string //boundcheck:source remote
}

// probe is a contract whose one method returns output.
type probe interface {
	Label() string
	//boundcheck:source
	Measure() string
}

func annotatedFunc(id string) message {
	return openai.ToolMessage(device(1), id) // want "BC1001.*process"
}

func annotatedField(s sensor, id string) message {
	return openai.ToolMessage(s.Name+": "+s.Reading, id) // want "BC1001.*remote"
}

func annotatedMethod(p probe, id string) message {
	return openai.ToolMessage(p.Label()+": "+p.Measure(), id) // want "BC1001.*tool"
}

func okUnannotated(p probe, s sensor, id string) message {
	return openai.ToolMessage(p.Label()+s.Name+gauge(1), id)
}

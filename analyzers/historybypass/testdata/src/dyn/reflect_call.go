package dyn

import (
	"encoding/json"
	"reflect"

	"github.com/openai/openai-go/v3"
)

// callFunc decodes the arguments into whatever type the tool's function takes.
func callFunc(fn any, args string) (string, error) {
	in := reflect.New(reflect.TypeOf(fn).In(0))
	if err := json.Unmarshal([]byte(args), in.Interface()); err != nil {
		return "", err
	}
	results := reflect.ValueOf(fn).Call([]reflect.Value{in.Elem()})
	text, err := json.Marshal(results[0].Interface())
	return string(text), err
}

func reflectCall(funcs map[string]any, call Call) openai.ChatCompletionMessageParamUnion {
	text, err := callFunc(funcs[call.Name], call.Arguments)
	if err != nil {
		text = "the tool failed"
	}
	return openai.ToolMessage(text, call.ID) // want "BC1001.*tool"
}

func okReflectName(funcs map[string]any, call Call) openai.ChatCompletionMessageParamUnion {
	return openai.ToolMessage(reflect.TypeOf(funcs[call.Name]).Name(), call.ID)
}

// Package generated holds hand-written code beside generated code: the latter is read, but nothing is reported in it.
package generated

import "github.com/openai/openai-go/v3"

// message is the history's side.
type message = openai.ChatCompletionMessageParamUnion

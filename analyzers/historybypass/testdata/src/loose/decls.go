// Package loose holds bounds that exist and are too large to help: 100 KB is the default limit.
package loose

import "github.com/openai/openai-go/v3"

// message is the history's side.
type message = openai.ChatCompletionMessageParamUnion

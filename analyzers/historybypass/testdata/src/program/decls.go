// Command program holds dispatchers of a program: nobody can import it, so all that its interfaces hold may be seen.
package main

import (
	"context"
	"fmt"

	"github.com/openai/openai-go/v3"
)

type message = openai.ChatCompletionMessageParamUnion

func main() {
	ctx := context.Background()
	for _, run := range []func(ctx context.Context, input, id string) message{okRunAnswer, okRunEither, runReader, runPlugin} {
		fmt.Println(run(ctx, "name", "id"))
	}
}

package dyn

import (
	"bufio"
	"context"
	"fmt"
	"os"

	"github.com/anthropics/anthropic-sdk-go"
)

// A chat that has no tools at all: what the user types and what the model says is no tool output.
func okChatLoop(ctx context.Context, client anthropic.Client) error {
	scanner := bufio.NewScanner(os.Stdin)
	var conversation []anthropic.MessageParam
	for scanner.Scan() {
		conversation = append(conversation, anthropic.NewUserMessage(anthropic.NewTextBlock(scanner.Text())))
		message, err := client.Messages.New(ctx, anthropic.MessageNewParams{Messages: conversation})
		if err != nil {
			return err
		}
		conversation = append(conversation, message.ToParam())
		for _, block := range message.Content {
			fmt.Println(block.Text)
		}
	}
	return scanner.Err()
}

package prompts

import (
	"context"
	"fmt"
	"os/exec"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/openai/openai-go/v3"
	gopenai "github.com/sashabaranov/go-openai"
)

func reviewWithOpenAI(ctx context.Context, params *openai.ChatCompletionNewParams) error {
	diff, err := exec.CommandContext(ctx, "git", "diff").Output()
	if err != nil {
		return err
	}
	prompt := fmt.Sprintf("Review this change:\n%s", diff) // want "BC1005.*process"
	params.Messages = append(params.Messages, openai.UserMessage(prompt))
	return nil
}

func reviewWithClaude(ctx context.Context, params *anthropic.MessageNewParams) error {
	diff, err := exec.CommandContext(ctx, "git", "diff").Output()
	if err != nil {
		return err
	}
	params.Messages = append(params.Messages, anthropic.NewUserMessage(anthropic.NewTextBlock(string(diff)))) // want "BC1005.*process"
	return nil
}

func reviewWithLiteral(ctx context.Context, req *gopenai.ChatCompletionRequest) error {
	diff, err := exec.CommandContext(ctx, "git", "diff").Output()
	if err != nil {
		return err
	}
	req.Messages = append(req.Messages, gopenai.ChatCompletionMessage{
		Role:    gopenai.ChatMessageRoleUser,
		Content: "Review this change:\n" + string(diff), // want "BC1005.*process"
	})
	return nil
}

func okReviewHead(ctx context.Context, params *openai.ChatCompletionNewParams) error {
	diff, err := exec.CommandContext(ctx, "git", "diff").Output()
	if err != nil {
		return err
	}
	params.Messages = append(params.Messages, openai.UserMessage(fmt.Sprintf("Review this change:\n%.8000s", diff)))
	return nil
}

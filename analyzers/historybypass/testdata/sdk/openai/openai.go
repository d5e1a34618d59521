// Package openai is a stub: only names and signatures of the SDK matter to the analysis.
package openai

import (
	"context"

	"github.com/openai/openai-go/v3/packages/param"
)

type ChatCompletionMessageParamUnion struct {
	OfSystem    *ChatCompletionSystemMessageParam
	OfUser      *ChatCompletionUserMessageParam
	OfAssistant *ChatCompletionAssistantMessageParam
	OfTool      *ChatCompletionToolMessageParam
}

type ChatCompletionContentPartTextParam struct {
	Text string
}

type ChatCompletionSystemMessageParam struct {
	Content param.Opt[string]
}

type ChatCompletionUserMessageParam struct {
	Content param.Opt[string]
}

type ChatCompletionAssistantMessageParam struct {
	Content param.Opt[string]
}

type ChatCompletionToolMessageParam struct {
	Content    ChatCompletionToolMessageParamContentUnion
	ToolCallID string
}

type ChatCompletionToolMessageParamContentUnion struct {
	OfString              param.Opt[string]
	OfArrayOfContentParts []ChatCompletionContentPartTextParam
}

type ChatCompletionNewParams struct {
	Model    string
	Messages []ChatCompletionMessageParamUnion
}

type ChatCompletionMessageToolCallFunction struct {
	Name      string
	Arguments string
}

type ChatCompletionMessageToolCallUnion struct {
	ID       string
	Function ChatCompletionMessageToolCallFunction
}

type ChatCompletionMessage struct {
	Content   string
	ToolCalls []ChatCompletionMessageToolCallUnion
}

func (r ChatCompletionMessage) ToParam() ChatCompletionMessageParamUnion {
	return ChatCompletionMessageParamUnion{}
}

type ChatCompletionChoice struct {
	Message ChatCompletionMessage
}

type ChatCompletion struct {
	Choices []ChatCompletionChoice
}

type ChatCompletionService struct{}

func (r *ChatCompletionService) New(ctx context.Context, body ChatCompletionNewParams) (*ChatCompletion, error) {
	return &ChatCompletion{}, nil
}

type ChatService struct {
	Completions ChatCompletionService
}

type BetaThreadRunSubmitToolOutputsParams struct {
	ToolOutputs []BetaThreadRunSubmitToolOutputsParamsToolOutput
}

type BetaThreadRunSubmitToolOutputsParamsToolOutput struct {
	Output     param.Opt[string]
	ToolCallID param.Opt[string]
}

type BetaThreadRunService struct{}

func (r *BetaThreadRunService) SubmitToolOutputs(ctx context.Context, threadID string, runID string, body BetaThreadRunSubmitToolOutputsParams) error {
	return nil
}

type Client struct {
	Chat ChatService
	Runs BetaThreadRunService
}

func NewClient() Client { return Client{} }

func ToolMessage[T string | []ChatCompletionContentPartTextParam](content T, toolCallID string) ChatCompletionMessageParamUnion {
	return ChatCompletionMessageParamUnion{}
}

func UserMessage[T string | []ChatCompletionContentPartTextParam](content T) ChatCompletionMessageParamUnion {
	return ChatCompletionMessageParamUnion{}
}

func SystemMessage[T string | []ChatCompletionContentPartTextParam](content T) ChatCompletionMessageParamUnion {
	return ChatCompletionMessageParamUnion{}
}

func AssistantMessage[T string | []ChatCompletionContentPartTextParam](content T) ChatCompletionMessageParamUnion {
	return ChatCompletionMessageParamUnion{}
}

func String(s string) param.Opt[string] { return param.NewOpt(s) }

package anthropic

import (
	"context"
	"encoding/json"

	"github.com/anthropics/anthropic-sdk-go/packages/param"
)

type BetaMessageParam struct {
	Content []BetaContentBlockParamUnion
	Role    MessageParamRole
}

type BetaContentBlockParamUnion struct {
	OfText       *BetaTextBlockParam
	OfToolResult *BetaToolResultBlockParam
}

type BetaTextBlockParam struct {
	Text string
}

type BetaToolResultBlockParam struct {
	ToolUseID string
	IsError   param.Opt[bool]
	Content   []BetaToolResultBlockParamContentUnion
}

type BetaToolResultBlockParamContentUnion struct {
	OfText *BetaTextBlockParam
}

type BetaMessageNewParams struct {
	Model    string
	Messages []BetaMessageParam
}

// BetaTool is what the tool runner calls.
type BetaTool interface {
	Name() string
	Execute(ctx context.Context, input json.RawMessage) ([]BetaToolResultBlockParamContentUnion, error)
}

func NewBetaToolResultBlock(toolUseID string, content string, isError bool) BetaContentBlockParamUnion {
	return BetaContentBlockParamUnion{}
}

func NewBetaToolResultTextBlockParam(toolUseID string, text string, isError bool) BetaToolResultBlockParam {
	return BetaToolResultBlockParam{}
}

func NewBetaUserMessage(blocks ...BetaContentBlockParamUnion) BetaMessageParam {
	return BetaMessageParam{Content: blocks, Role: MessageParamRoleUser}
}

// Package types is a stub: only names and signatures of the SDK matter to the analysis.
package types

import "github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"

type ConversationRole string

const (
	ConversationRoleUser      ConversationRole = "user"
	ConversationRoleAssistant ConversationRole = "assistant"
)

type ContentBlock interface{ isContentBlock() }

type ContentBlockMemberText struct {
	Value string
}

func (*ContentBlockMemberText) isContentBlock() {}

type ContentBlockMemberToolResult struct {
	Value ToolResultBlock
}

func (*ContentBlockMemberToolResult) isContentBlock() {}

type ToolResultContentBlock interface{ isToolResultContentBlock() }

type ToolResultContentBlockMemberText struct {
	Value string
}

func (*ToolResultContentBlockMemberText) isToolResultContentBlock() {}

type ToolResultContentBlockMemberJson struct {
	Value document.Interface
}

func (*ToolResultContentBlockMemberJson) isToolResultContentBlock() {}

type ToolResultBlock struct {
	Content   []ToolResultContentBlock
	ToolUseId *string
}

type Message struct {
	Content []ContentBlock
	Role    ConversationRole
}

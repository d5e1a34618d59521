// Package model is a stub: only names and signatures of the framework matter to the analysis.
package model

type Role string

const RoleTool Role = "tool"

type Message struct {
	Role     Role
	Content  string
	ToolID   string
	ToolName string
}

func NewToolMessage(toolID, toolName, content string) Message { return Message{} }

func NewUserMessage(content string) Message { return Message{} }

// Package mcpserver holds MCP servers: their output enters the history of an agent somewhere else.
package mcpserver

// PathArgs are the arguments of a tool.
type PathArgs struct {
	Path string `json:"path"`
}

// Package xpkg holds agents whose sources, bounds and messages live in packages of their own.
package xpkg

import "github.com/modelcontextprotocol/go-sdk/mcp"

// Server is an MCP server with a name.
type Server struct {
	Name    string
	Session *mcp.ClientSession
}

package flow

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// remoteCall is a call that names a method of the MCP protocol, as hand-written clients do: what the server answers is
// in the results, or in what a pointer among the arguments points to.
func (f *function) remoteCall(common *ssa.CallCommon, sig *types.Signature, at ssa.CallInstruction, value ssa.Value) bool {
	named := false
	for _, a := range common.Args {
		c, ok := strip(a).(*ssa.Const)
		if !ok || c.Value == nil || c.Value.Kind() != constant.String {
			continue
		}
		switch constant.StringVal(c.Value) {
		case "tools/call", "resources/read", "prompts/get":
			named = true
		}
	}
	if !named {
		return false
	}
	f.produce("mcp", true, "answer of an MCP server", sig, at, value)
	_, args := receiver(common)
	for _, a := range args {
		if _, ok := strip(a).Type().Underlying().(*types.Pointer); ok {
			f.fill(a, f.source("mcp", at, "answer of an MCP server", true), at)
		}
	}
	return true
}

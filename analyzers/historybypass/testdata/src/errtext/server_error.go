package errtext

import (
	"context"
	"fmt"
	"os/exec"

	"github.com/mark3labs/mcp-go/mcp"
)

func serverError(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	out, err := exec.CommandContext(ctx, "terraform", "plan").CombinedOutput()
	if err != nil {
		return mcp.NewToolResultError(fmt.Sprintf("the plan failed: %s", out)), nil // want "BC1004.*process"
	}
	return mcp.NewToolResultText("the plan is fine"), nil
}

func serverErrorf(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	out, err := exec.CommandContext(ctx, "terraform", "apply").CombinedOutput()
	if err != nil {
		return mcp.NewToolResultErrorf("apply failed (%v): %s", err, out), nil // want "BC1004.*process"
	}
	return mcp.NewToolResultText("applied"), nil
}

func okServerError(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	out, err := exec.CommandContext(ctx, "terraform", "destroy").CombinedOutput()
	if err != nil {
		return mcp.NewToolResultErrorf("destroy failed (%v) after %d bytes of output", err, len(out)), nil
	}
	return mcp.NewToolResultText("destroyed"), nil
}

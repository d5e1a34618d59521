package mcpserver

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"github.com/mark3labs/mcp-go/mcp"
)

type cluster struct {
	client kubernetes.Interface
}

// printer renders lists in the format the user has chosen.
type printer interface {
	Print(obj any) (string, error)
}

func (c *cluster) logs(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	opts := &corev1.PodLogOptions{}
	if tail := int64(request.GetInt("tail", 0)); tail > 0 {
		opts.TailLines = &tail
	}
	raw, err := c.client.CoreV1().Pods(request.GetString("namespace", "")).GetLogs(request.GetString("pod", ""), opts).DoRaw(ctx)
	if err != nil {
		return nil, err
	}
	return mcp.NewToolResultText(string(raw)), nil // want "BC1003.*kubernetes"
}

func (c *cluster) pods(out printer) func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		list, err := c.client.CoreV1().Pods("").List(ctx, metav1.ListOptions{})
		if err != nil {
			return nil, err
		}
		text, err := out.Print(list)
		if err != nil {
			return nil, err
		}
		return mcp.NewToolResultText(text), nil // want "BC1003.*kubernetes"
	}
}

func (c *cluster) events(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	list, err := c.client.CoreV1().Events("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	var rows []map[string]any
	for _, e := range list.Items {
		rows = append(rows, map[string]any{"reason": e.Reason, "message": e.Message})
	}
	text, err := yaml.Marshal(rows)
	if err != nil {
		return nil, err
	}
	return mcp.NewToolResultText(string(text)), nil // want "BC1003.*kubernetes"
}

func (c *cluster) okNamespaceOfFirst(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	list, err := c.client.CoreV1().Pods("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	if len(list.Items) == 0 {
		return mcp.NewToolResultText("there are no pods"), nil
	}
	return mcp.NewToolResultText("there are pods"), nil
}

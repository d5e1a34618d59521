package xpkg

import (
	"context"
	"fmt"

	"example.com/agent/xpkg/kube"
	"example.com/agent/xpkg/limits"
	"example.com/agent/xpkg/tool"
)

func kubeTools(core *kube.Core) []tool.Definition {
	logs := func(ctx context.Context, args map[string]any) (string, error) {
		pod := fmt.Sprint(args["pod"])
		text, err := core.Logs(ctx, "default", pod, 0)
		if err != nil {
			return "", fmt.Errorf("the log of %s cannot be read: %w", pod, err)
		}
		if text == "" {
			text = fmt.Sprintf("pod %s has not logged anything", pod)
		}
		return text, nil // want "BC1002.*kubernetes"
	}
	pods := func(ctx context.Context, args map[string]any) (string, error) {
		list, err := core.Pods(ctx, fmt.Sprint(args["namespace"]))
		if err != nil {
			return "", err
		}
		return kube.Table(list) // want "BC1002.*kubernetes"
	}
	return []tool.Definition{{Name: "logs", Function: logs}, {Name: "pods", Function: pods}}
}

func okKubeLogTail(core *kube.Core) tool.Definition {
	return tool.Definition{Name: "log_tail", Function: func(ctx context.Context, args map[string]any) (string, error) {
		text, err := core.Logs(ctx, "default", fmt.Sprint(args["pod"]), 0)
		if err != nil {
			return "", err
		}
		return limits.Output(text), nil
	}}
}

package toolreturn

import (
	"context"
	"encoding/json"
	"io"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"
)

type podArgs struct {
	Namespace, Pod string
}

func clusterTools(client kubernetes.Interface) []ToolDefinition {
	return []ToolDefinition{
		{Name: "logs", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			args, err := decode[podArgs](input)
			if err != nil {
				return "", err
			}
			raw, err := client.CoreV1().Pods(args.Namespace).GetLogs(args.Pod, &corev1.PodLogOptions{}).Do(ctx).Raw()
			if err != nil {
				return "", err
			}
			return string(raw), nil // want "BC1002.*kubernetes"
		}},
		{Name: "stream", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			args, err := decode[podArgs](input)
			if err != nil {
				return "", err
			}
			stream, err := client.CoreV1().Pods(args.Namespace).GetLogs(args.Pod, &corev1.PodLogOptions{}).Stream(ctx)
			if err != nil {
				return "", err
			}
			defer stream.Close()
			data, err := io.ReadAll(stream)
			if err != nil {
				return "", err
			}
			return string(data), nil // want "BC1002.*kubernetes"
		}},
		{Name: "events", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			args, err := decode[podArgs](input)
			if err != nil {
				return "", err
			}
			events, err := client.CoreV1().Events(args.Namespace).List(ctx, metav1.ListOptions{})
			if err != nil {
				return "", err
			}
			out, err := yaml.Marshal(events.Items)
			if err != nil {
				return "", err
			}
			return "# Events\n" + string(out), nil // want "BC1002.*kubernetes"
		}},
		{Name: "pods", Function: okCountPods(client)},
	}
}

func okCountPods(client kubernetes.Interface) func(context.Context, json.RawMessage) (string, error) {
	return func(ctx context.Context, input json.RawMessage) (string, error) {
		pods, err := client.CoreV1().Pods("").List(ctx, metav1.ListOptions{})
		if err != nil {
			return "", err
		}
		return strconv.Itoa(len(pods.Items)) + " pods", nil
	}
}

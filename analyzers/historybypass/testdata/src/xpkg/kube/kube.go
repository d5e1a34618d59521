// Package kube reads from a cluster for the tools next door.
package kube

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// Core wraps a client set.
type Core struct {
	Client kubernetes.Interface
}

// Logs returns the log of a pod; a tail of 0 means all of it.
func (c *Core) Logs(ctx context.Context, namespace, pod string, tail int64) (string, error) {
	opts := &corev1.PodLogOptions{}
	if tail > 0 {
		opts.TailLines = &tail
	}
	raw, err := c.Client.CoreV1().Pods(namespace).GetLogs(pod, opts).Do(ctx).Raw()
	if err != nil {
		return "", err
	}
	return string(raw), nil
}

// Pods lists pods.
func (c *Core) Pods(ctx context.Context, namespace string) (*corev1.PodList, error) {
	return c.Client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
}

// Table prints pods, one a line.
func Table(pods *corev1.PodList) (string, error) {
	var b strings.Builder
	for _, pod := range pods.Items {
		b.WriteString(pod.Namespace + "\t" + pod.Name + "\n")
	}
	return b.String(), nil
}

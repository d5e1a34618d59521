// Package v1 is a stub of the typed client of the core API.
package v1

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

type PodInterface interface {
	List(ctx context.Context, opts metav1.ListOptions) (*corev1.PodList, error)
	GetLogs(name string, opts *corev1.PodLogOptions) *rest.Request
}

type EventInterface interface {
	List(ctx context.Context, opts metav1.ListOptions) (*corev1.EventList, error)
}

type CoreV1Interface interface {
	Pods(namespace string) PodInterface
	Events(namespace string) EventInterface
}

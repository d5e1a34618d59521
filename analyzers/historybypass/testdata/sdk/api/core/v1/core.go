// Package v1 is a stub of the core API types.
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Event struct {
	metav1.ObjectMeta
	Reason  string
	Message string
}

type Pod struct {
	metav1.ObjectMeta
}

type PodList struct {
	Items []Pod
}

type EventList struct {
	Items []Event
}

type PodLogOptions struct {
	Container  string
	Previous   bool
	TailLines  *int64
	LimitBytes *int64
}

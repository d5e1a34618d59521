// Package kubernetes is a stub of the client set.
package kubernetes

import v1 "k8s.io/client-go/kubernetes/typed/core/v1"

type Interface interface {
	CoreV1() v1.CoreV1Interface
}

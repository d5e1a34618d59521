// Package v1 is a stub of the API machinery's shared types.
package v1

type ObjectMeta struct {
	Name      string
	Namespace string
}

type ListOptions struct {
	LabelSelector string
	Limit         int64
}

type GetOptions struct {
	ResourceVersion string
}

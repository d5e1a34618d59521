// Package unstructured is a stub of objects without a type.
package unstructured

type Unstructured struct {
	Object map[string]any
}

func (u *Unstructured) MarshalJSON() ([]byte, error) { return nil, nil }

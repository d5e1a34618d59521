// Package param is a stub of the optional values of the SDK.
package param

// Opt is an optional value.
type Opt[T comparable] struct {
	Value T
}

// NewOpt wraps a value.
func NewOpt[T comparable](v T) Opt[T] { return Opt[T]{Value: v} }

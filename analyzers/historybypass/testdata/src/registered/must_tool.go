package registered

import (
	"context"
	"reflect"
)

// Spec describes a tool of which reflection finds out the rest.
type Spec struct {
	Name string
	call reflect.Value
}

// MustTool makes a tool of a function with whatever arguments.
func MustTool[T, R any](name string, fn func(ctx context.Context, args T) (R, error)) Spec {
	return Spec{Name: name, call: reflect.ValueOf(fn)}
}

// MustCompile is no maker of tools.
func MustCompile[T, R any](name string, fn func(ctx context.Context, args T) (R, error)) Spec {
	return Spec{Name: name, call: reflect.ValueOf(fn)}
}

var specs = []Spec{
	MustTool("whole", mustWhole),
	MustTool("length", okMustLength),
	MustCompile("template", okCompiled),
}

func mustWhole(ctx context.Context, args PathArgs) (string, error) {
	text, err := slurp(args.Path)
	if err != nil {
		return "", err
	}
	return text, nil // want "BC1002.*file"
}

func okMustLength(ctx context.Context, args PathArgs) (int, error) {
	text, err := slurp(args.Path)
	return len(text), err
}

func okCompiled(ctx context.Context, args PathArgs) (string, error) {
	return slurp(args.Path)
}

// Package registered holds the ways in which a function becomes a tool. Each reads a file; what differs is how a framework
// or the agent learns of it.
package registered

import (
	"context"
	"os"
)

// PathArgs are the arguments of every tool here.
type PathArgs struct {
	Path string `json:"path"`
}

// slurp is the source of them all.
func slurp(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	return string(data), nil
}

// okSlurpAll has the shape of a tool and is none: nothing ever registers it.
func okSlurpAll(ctx context.Context, input string) (string, error) {
	return slurp(input)
}

package toolreturn

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

var treeTools = []ToolDefinition{
	{Name: "contents", Function: allContents},
	{Name: "depth", Function: okDepth},
}

// contents gathers every file below a directory.
func contents(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if e.IsDir() {
			sub, err := contents(path)
			if err != nil {
				return "", err
			}
			b.WriteString(sub)
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		b.Write(data)
	}
	return b.String(), nil
}

func allContents(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[pathArgs](input)
	if err != nil {
		return "", err
	}
	content, err := contents(args.Path)
	if err != nil {
		return "", err
	}
	return content, nil // want "BC1002.*file"
}

// depth comes back from the recursion with a number.
func depth(dir string) int {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0
	}
	deepest := 0
	for _, e := range entries {
		if e.IsDir() {
			deepest = max(deepest, depth(filepath.Join(dir, e.Name())))
		}
	}
	return deepest + 1
}

func okDepth(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[pathArgs](input)
	if err != nil {
		return "", err
	}
	data, err := json.Marshal(map[string]int{"depth": depth(args.Path)})
	return string(data), err
}

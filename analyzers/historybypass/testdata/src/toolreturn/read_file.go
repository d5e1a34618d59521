package toolreturn

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

var fileTools = []ToolDefinition{
	{Name: "read_file", Function: readFile},
	{Name: "read_all", Function: readAll},
	{Name: "read_numbered", Function: readNumbered},
	{Name: "read_below", Function: readBelow},
	{Name: "write_file", Function: okWriteFile},
	{Name: "file_size", Function: okFileSize},
}

func readFile(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[pathArgs](input)
	if err != nil {
		return "", err
	}
	content, err := os.ReadFile(args.Path)
	if err != nil {
		return "", err
	}
	return string(content), nil // want "BC1002.*file"
}

func readAll(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[pathArgs](input)
	if err != nil {
		return "", err
	}
	f, err := os.Open(args.Path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return "", err
	}
	return string(data), nil // want "BC1002.*file"
}

func readNumbered(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[pathArgs](input)
	if err != nil {
		return "", err
	}
	f, err := os.Open(args.Path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var b strings.Builder
	scanner := bufio.NewScanner(f)
	for n := 1; scanner.Scan(); n++ {
		fmt.Fprintf(&b, "%6d|%s\n", n, scanner.Text())
	}
	return b.String(), scanner.Err() // want "BC1002.*file"
}

func readBelow(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[pathArgs](input)
	if err != nil {
		return "", err
	}
	data, err := fs.ReadFile(os.DirFS("/srv"), args.Path)
	if err != nil {
		return "", err
	}
	return string(data), nil // want "BC1002.*file"
}

func okWriteFile(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[pathArgs](input)
	if err != nil {
		return "", err
	}
	old, err := os.ReadFile(args.Path)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(args.Path+".bak", old, 0o600); err != nil {
		return "", err
	}
	return "saved " + args.Path + ".bak", nil
}

func okFileSize(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[pathArgs](input)
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(args.Path)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d bytes, %d lines", len(data), strings.Count(string(data), "\n")), nil
}

// okLoadConfig has much the same shape, but nobody registers it.
func okLoadConfig(path string) (string, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	return string(content), nil
}

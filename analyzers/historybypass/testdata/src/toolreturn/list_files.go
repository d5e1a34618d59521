package toolreturn

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

var listTools = []ToolDefinition{
	{Name: "walk", Function: walkTree},
	{Name: "walk_dir", Function: walkDirTree},
	{Name: "glob", Function: globFiles},
	{Name: "ls", Function: listDir},
	{Name: "count", Function: okCountFiles},
}

func walkTree(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[pathArgs](input)
	if err != nil {
		return "", err
	}
	var files []string
	err = filepath.Walk(args.Path, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(args.Path, path)
		if err != nil {
			return err
		}
		if info.IsDir() {
			rel += "/"
		}
		files = append(files, rel)
		return nil
	})
	if err != nil {
		return "", err
	}
	result, err := json.Marshal(files)
	if err != nil {
		return "", err
	}
	return string(result), nil // want "BC1002.*file"
}

func walkDirTree(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[pathArgs](input)
	if err != nil {
		return "", err
	}
	var result []string
	err = filepath.WalkDir(args.Path, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		result = append(result, path)
		return nil
	})
	if err != nil {
		return "the directory cannot be read", nil
	}
	if len(result) == 0 {
		return "no files found", nil
	}
	sort.Strings(result)
	return strings.Join(result, "\n"), nil // want "BC1002.*file"
}

func globFiles(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[pathArgs](input)
	if err != nil {
		return "", err
	}
	matches, err := filepath.Glob(args.Path)
	if err != nil {
		return "", err
	}
	sort.Strings(matches)
	data, err := json.Marshal(matches)
	if err != nil {
		return "", err
	}
	return string(data), nil // want "BC1002.*file"
}

func formatEntries(entries []os.DirEntry) string {
	var b strings.Builder
	for _, e := range entries {
		if e.IsDir() {
			b.WriteString("[dir] ")
		}
		b.WriteString(e.Name())
		b.WriteByte('\n')
	}
	return b.String()
}

func listDir(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[pathArgs](input)
	if err != nil {
		return "", err
	}
	entries, err := os.ReadDir(args.Path)
	if err != nil {
		return "", err
	}
	return formatEntries(entries), nil // want "BC1002.*file"
}

func okCountFiles(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[pathArgs](input)
	if err != nil {
		return "", err
	}
	count := 0
	err = filepath.WalkDir(args.Path, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			count++
		}
		return err
	})
	if err != nil {
		return "", err
	}
	data, err := json.Marshal(map[string]int{"files": count})
	return string(data), err
}

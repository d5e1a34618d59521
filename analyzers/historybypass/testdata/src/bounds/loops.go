package bounds

import (
	"bufio"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/openai/openai-go/v3"
)

// The builder is asked before each line.
func okLoopGuardBreak(path, id string) (message, error) {
	f, err := os.Open(path)
	if err != nil {
		return message{}, err
	}
	defer f.Close()
	var b strings.Builder
	scanner := bufio.NewScanner(f)
	for scanner.Scan() {
		line := scanner.Text()
		if b.Len()+len(line) > maxOutput {
			b.WriteString("…\n")
			break
		}
		b.WriteString(line + "\n")
	}
	return openai.ToolMessage(b.String(), id), scanner.Err()
}

func okLoopGuardReturn(parts []string, ctx context.Context, id string) message {
	var b strings.Builder
	for _, part := range parts {
		out := shell(ctx, part)
		if b.Len()+len(out) > maxOutput {
			return openai.ToolMessage("the output of these commands is too long", id)
		}
		b.WriteString(out)
	}
	return openai.ToolMessage(b.String(), id)
}

func okLoopTotal(commands []string, ctx context.Context, id string) message {
	var kept []string
	total := 0
	for _, command := range commands {
		out := shell(ctx, command)
		total += len(out)
		if total > maxOutput {
			break
		}
		kept = append(kept, out)
	}
	return openai.ToolMessage(strings.Join(kept, "\n"), id)
}

// Cut until it fits.
func okLoopShrink(ctx context.Context, command, id string) message {
	out := shell(ctx, command)
	for len(out) > maxOutput {
		out = out[:len(out)/2]
	}
	return openai.ToolMessage(out, id)
}

// Names of files are short; a limit on how many there are is enough.
func okWalkSkipAll(root, id string) (message, error) {
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if len(files) >= 200 {
			return filepath.SkipAll
		}
		files = append(files, path)
		return nil
	})
	if err != nil {
		return message{}, err
	}
	return openai.ToolMessage(strings.Join(files, "\n"), id), nil
}

func okWalkCount(root, id string) (message, error) {
	var b strings.Builder
	count := 0
	err := filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		count++
		if count > 500 {
			return filepath.SkipAll
		}
		b.WriteString(path + "\n")
		return nil
	})
	return openai.ToolMessage(b.String(), id), err
}

// The guard comes after the line has been added and leaves nothing out.
func loopGuardTooLate(path, id string) (message, error) {
	f, err := os.Open(path)
	if err != nil {
		return message{}, err
	}
	defer f.Close()
	var b strings.Builder
	long := false
	scanner := bufio.NewScanner(f)
	for scanner.Scan() {
		b.WriteString(scanner.Text() + "\n")
		if b.Len() > maxOutput {
			long = true
		}
	}
	text := b.String()
	if long {
		text += "(this is long)"
	}
	return openai.ToolMessage(text, id), scanner.Err() // want "BC1001.*file"
}

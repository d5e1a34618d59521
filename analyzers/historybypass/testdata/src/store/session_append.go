package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// Result is what an executor gives back.
type Result struct {
	CallID  string
	Content string
}

// Entry is a line of a session.
type Entry struct {
	Role       Role
	ToolResult *Result
	Text       string
}

// Sessions stores the lines.
type Sessions interface {
	Append(ctx context.Context, session string, entry Entry) error
}

// ExecTool is a tool that returns a Result.
type ExecTool interface {
	Execute(ctx context.Context, call Call) (Result, error)
}

func appendResult(ctx context.Context, sessions Sessions, tool ExecTool, session string, call Call) error {
	result, err := tool.Execute(ctx, call)
	if err != nil {
		return err
	}
	return sessions.Append(ctx, session, Entry{
		Role: Tool,
		ToolResult: &Result{
			CallID:  call.ID,
			Content: result.Content, // want "BC1001.*tool"
		},
	})
}

// keep bounds a result and leaves the rest of it in a file.
func keep(result Result, dir string, limit int) (Result, error) {
	if len(result.Content) <= limit {
		return result, nil
	}
	path := filepath.Join(dir, "result.txt")
	if err := os.WriteFile(path, []byte(result.Content), 0o600); err != nil {
		return Result{}, err
	}
	result.Content = fmt.Sprintf("%s\n[%d bytes in %s]", result.Content[:limit], len(result.Content), path)
	return result, nil
}

// A channel and a central cap lie between the tool and the session.
func okAppendKept(ctx context.Context, sessions Sessions, tool ExecTool, session string, call Call) error {
	results := make(chan Result, 1)
	go func() {
		defer close(results)
		result, err := tool.Execute(ctx, call)
		if err != nil {
			return
		}
		if result, err = keep(result, "results", 8<<10); err == nil {
			results <- result
		}
	}()
	for result := range results {
		err := sessions.Append(ctx, session, Entry{
			Role:       Tool,
			ToolResult: &Result{CallID: call.ID, Content: result.Content},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

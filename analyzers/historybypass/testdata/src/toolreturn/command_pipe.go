package toolreturn

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os/exec"
	"strings"
)

var pipeTools = []ToolDefinition{
	{Name: "scan", Function: scanPipe},
	{Name: "copy", Function: copyPipe},
	{Name: "first", Function: okFirstLine},
}

func scanPipe(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[commandArgs](input)
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", args.Command)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		return "", err
	}
	var output strings.Builder
	done := make(chan struct{})
	go func() {
		defer close(done)
		scanner := bufio.NewScanner(pipe)
		for scanner.Scan() {
			output.WriteString(scanner.Text() + "\n")
		}
	}()
	<-done
	if err := cmd.Wait(); err != nil {
		return "", err
	}
	return output.String(), nil // want "BC1002.*process"
}

func copyPipe(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[commandArgs](input)
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", args.Command)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	var b strings.Builder
	if _, err := io.Copy(&b, pipe); err != nil {
		return "", err
	}
	if err := cmd.Wait(); err != nil {
		return "", err
	}
	return b.String(), nil // want "BC1002.*process"
}

// One token of a scanner is limited by the scanner's own buffer.
func okFirstLine(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[commandArgs](input)
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", args.Command)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	scanner := bufio.NewScanner(pipe)
	scanner.Scan()
	return scanner.Text(), cmd.Wait()
}

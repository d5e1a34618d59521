package toolreturn

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

var commandTools = []ToolDefinition{
	{Name: "combined", Function: combinedOutput},
	{Name: "output", Function: plainOutput},
	{Name: "buffers", Function: attachedBuffers},
	{Name: "multi", Function: multiWriter},
	{Name: "alias", Function: bufferAlias},
	{Name: "handed", Function: handedWriter},
	{Name: "builder", Function: attachedBuilder},
	{Name: "status", Function: okExitCode},
	{Name: "prompt", Function: okOwnBuffer},
}

func combinedOutput(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[commandArgs](input)
	if err != nil {
		return "", err
	}
	out, err := exec.CommandContext(ctx, "sh", "-c", args.Command).CombinedOutput()
	result := strings.TrimSpace(string(out))
	if err != nil {
		return fmt.Sprintf("%s\n(%v)", result, err), nil // want "BC1002.*process"
	}
	return result, nil // want "BC1002.*process"
}

func plainOutput(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[commandArgs](input)
	if err != nil {
		return "", err
	}
	out, err := exec.CommandContext(ctx, "sh", "-c", args.Command).Output()
	if err != nil {
		return "", err
	}
	return string(out), nil // want "BC1002.*process"
}

func attachedBuffers(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[commandArgs](input)
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "bash", "-c", args.Command)
	var stdout, stderr bytes.Buffer
	cmd.Stdout = &stdout
	cmd.Stderr = &stderr
	runErr := cmd.Run()
	result := ""
	if stdout.Len() > 0 {
		result += stdout.String()
	}
	if stderr.Len() > 0 {
		result += "\nstderr:\n" + stderr.String()
	}
	var exit *exec.ExitError
	if errors.As(runErr, &exit) {
		result += fmt.Sprintf("\nexit %d", exit.ExitCode())
	}
	return result, nil // want "BC1002.*process"
}

type progress struct{ updates chan<- string }

func (p *progress) Write(b []byte) (int, error) {
	p.updates <- string(b)
	return len(b), nil
}

// Behind a MultiWriter, with the buffer printed by reference on the error path.
func multiWriter(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[commandArgs](input)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	combined := io.MultiWriter(&out, &progress{updates: make(chan string, 100)})
	cmd := exec.CommandContext(ctx, "sh", "-c", args.Command)
	cmd.Stdout = combined
	cmd.Stderr = combined
	if err := cmd.Run(); err != nil {
		return fmt.Sprintf("ERROR: %s\nOUTPUT:\n%s", err, &out), nil // want "BC1002.*process"
	}
	return out.String(), nil // want "BC1002.*process"
}

// The buffer that is returned has another name than the one that is attached.
func bufferAlias(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[commandArgs](input)
	if err != nil {
		return "", err
	}
	stdout := &bytes.Buffer{}
	both := &bytes.Buffer{}
	result := stdout
	cmd := exec.CommandContext(ctx, "sh", "-c", args.Command)
	cmd.Stdout = io.MultiWriter(stdout, both)
	cmd.Stderr = both
	if err := cmd.Run(); err != nil {
		return fmt.Sprintf("got (%v), output: %s", err, both), nil // want "BC1002.*process"
	}
	return result.String(), nil // want "BC1002.*process"
}

// command attaches whatever writer it is given.
func command(ctx context.Context, line string, output io.Writer) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	cmd.Stdout = output
	cmd.Stderr = output
	return cmd
}

func handedWriter(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[commandArgs](input)
	if err != nil {
		return "", err
	}
	var output bytes.Buffer
	cmd := command(ctx, args.Command, &output)
	if err := cmd.Start(); err != nil {
		return "", err
	}
	if err := cmd.Wait(); err != nil {
		return "the command failed", nil
	}
	return output.String(), nil // want "BC1002.*process"
}

func attachedBuilder(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[commandArgs](input)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("$ " + args.Command + "\n")
	cmd := exec.CommandContext(ctx, "sh", "-c", args.Command)
	cmd.Stdout = &b
	if err := cmd.Run(); err != nil {
		return "", err
	}
	return b.String(), nil // want "BC1002.*process"
}

func okExitCode(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[commandArgs](input)
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", args.Command)
	var seen bytes.Buffer
	cmd.Stdout = &seen
	if err := cmd.Run(); err != nil {
		return "", err
	}
	return fmt.Sprintf("exit %d after %d bytes", cmd.ProcessState.ExitCode(), seen.Len()), nil
}

// A buffer that is attached to the input is not output.
func okOwnBuffer(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[commandArgs](input)
	if err != nil {
		return "", err
	}
	script := bytes.NewBufferString("echo started\n")
	script.WriteString(args.Command)
	cmd := exec.CommandContext(ctx, "sh")
	cmd.Stdin = script
	if err := cmd.Run(); err != nil {
		return "", err
	}
	return "the script ran", nil
}

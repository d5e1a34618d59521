package prompts

import (
	"bufio"
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// Planner sends prompts to a server.
type Planner interface {
	TellPlan(ctx context.Context, prompt string) error
}

func debugCommand(ctx context.Context, planner Planner, command string) error {
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	var output strings.Builder
	done := make(chan struct{})
	go func() {
		defer close(done)
		scanner := bufio.NewScanner(pipe)
		for scanner.Scan() {
			line := scanner.Text()
			fmt.Println(line)
			output.WriteString(line + "\n")
		}
	}()
	<-done
	waitErr := cmd.Wait()
	if waitErr == nil {
		return nil
	}
	outputStr := output.String()
	prompt := fmt.Sprintf("%q failed with exit status %d. Output:\n\n%s\n", command, cmd.ProcessState.ExitCode(), outputStr) // want "BC1005.*process"
	return planner.TellPlan(ctx, prompt)
}

func okTellExit(ctx context.Context, planner Planner, command string) error {
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	if err := cmd.Run(); err != nil {
		return planner.TellPlan(ctx, fmt.Sprintf("%q failed with exit status %d.", command, cmd.ProcessState.ExitCode()))
	}
	return nil
}

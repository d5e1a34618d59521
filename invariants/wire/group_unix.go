//go:build unix

package wire

import (
	"os/exec"
	"syscall"
)

// ownGroup starts a program in a process group of its own, so that what it starts ends with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

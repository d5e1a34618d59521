//go:build !unix

package wire

import "os/exec"

func ownGroup(*exec.Cmd) {}

// killGroup ends the program alone: this system has no process groups.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

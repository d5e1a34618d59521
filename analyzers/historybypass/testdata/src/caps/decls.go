// Package caps holds tools that leave it to who runs them to cut what they return: they only say where.
package caps

import "os/exec"

// Settings come from a file.
type Settings struct {
	MaxChars int
}

// print runs a command.
func print(command string) (string, error) {
	out, err := exec.Command("sh", "-c", command).Output()
	return string(out), err
}

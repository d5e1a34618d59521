//go:build unix

package spill

import (
	"io/fs"
	"os"
	"syscall"
)

// owned reports whether a file belongs to the user of this process. What no operating system made belongs to everybody.
func owned(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(stat.Uid) == os.Geteuid()
}

func ownedByRoot(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Uid == 0
}

//go:build !unix && !windows

package spill

import "io/fs"

func owned(fs.FileInfo) bool       { return true }
func ownedByRoot(fs.FileInfo) bool { return false }

//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package spill

import (
	"errors"
	"os"
)

func tryLock(*os.File) (bool, error) { return false, errors.ErrUnsupported }
func unlock(*os.File) error          { return errors.ErrUnsupported }

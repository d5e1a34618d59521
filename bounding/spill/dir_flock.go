//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package spill

import (
	"errors"
	"os"
	"syscall"
)

func tryLock(f *os.File) (bool, error) {
	err := flock(f, syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

func unlock(f *os.File) error { return flock(f, syscall.LOCK_UN) }

func flock(f *os.File, how int) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = conn.Control(func(fd uintptr) {
		for {
			if failed = syscall.Flock(int(fd), how); !errors.Is(failed, syscall.EINTR) {
				return
			}
		}
	})
	if err == nil && failed != nil {
		err = &os.PathError{Op: "flock", Path: f.Name(), Err: failed}
	}
	return err
}

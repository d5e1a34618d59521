package spill

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// The locked byte lies beyond every file, because Windows forbids reading what another process has locked.
var beyond = windows.Overlapped{OffsetHigh: 1 << 30}

func tryLock(f *os.File) (bool, error) {
	at := beyond
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

func unlock(f *os.File) error {
	at := beyond
	return windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, &at)
}

// Sync does nothing: Windows has no way to flush the names in a directory.
func (d osDir) Sync() error { return nil }

// Access lists decide on Windows, and a mode says nothing about them.
func untrusted(fs.FileInfo) error { return nil }

func ancestors(string) error { return nil }

func syncPath(string) error { return nil }

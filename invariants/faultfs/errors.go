package faultfs

import (
	"fmt"
	"maps"
	"slices"
	"syscall"
)

// errnos are the errors by name. Those that a system lacks in its package syscall have a number there all the same.
var errnos = map[string]error{
	"EACCES":       syscall.EACCES,
	"EDQUOT":       syscall.EDQUOT,
	"EFBIG":        syscall.EFBIG,
	"EINTR":        syscall.EINTR,
	"EIO":          syscall.EIO,
	"EMFILE":       syscall.EMFILE,
	"ENAMETOOLONG": syscall.ENAMETOOLONG,
	"ENOENT":       syscall.ENOENT,
	"ENOSPC":       syscall.ENOSPC,
	"EROFS":        syscall.EROFS,
	"EXDEV":        syscall.EXDEV,
}

var errorNames = slices.Sorted(maps.Keys(errnos))

// fault is the error of a rule.
func (r *rule) fault(op, name string) error {
	return fmt.Errorf("%s %s: injected: %w", op, name, errnos[r.err])
}

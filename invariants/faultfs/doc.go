// Package faultfs makes a disk fail, as a small program says.
//
//	program, err := faultfs.Parse(`(fail ENOSPC (and (op write) (nth 2)))`)
//	store, err := spill.NewLocal(dir, spill.WithDir(faultfs.Open(spill.OpenDir, program)))
//
// A program is a list of rules, an action and a condition each. For each operation of the store the first rule whose
// condition holds acts; where none does, the operation is done.
//
// # Actions
//
//	(fail ERROR CONDITION)      the operation is not done, and returns the error
//	(short N ERROR CONDITION)   a write or a read does N bytes of its work and then fails; other operations fail
//	(flip N CONDITION)          a read gives the byte N of what it read with its lowest bit turned over
//	(lie CONDITION)             the operation is not done, and returns as if it had been: a sync, a write, a removal
//	(panic CONDITION)           the operation panics
//	(signal CONDITION)          [Program.OnSignal] is called, and the operation is done: for cancelling a context
//
// An error is EACCES, EDQUOT, EFBIG, EINTR, EIO, EMFILE, ENAMETOOLONG, ENOENT, ENOSPC, EROFS or EXDEV. It is that of the
// system, and wraps the error of io/fs where there is one.
//
// # Conditions
//
//	(op NAME…)          the operation is one of: mkdir, opendir, create, open, lstat, readdir, rename, remove, syncdir,
//	                    write, read, stat, sync, lock, unlock, close
//	(name "PATTERN")    the last element of the path matches the pattern of path.Match; of a rename, the new one
//	(nth N)             it is the N-th time that this is asked, counted from 1
//	(from N)            it is the N-th time or a later one
//	(beyond N)          with this write, more than N bytes were written in all
//	(and C…) (or C…) (not C)
//
// And stops at the first condition that does not hold, so that (and (op write) (nth 2)) is the second write, and
// (and (nth 2) (op write)) is the second operation if it is a write. A condition that is left out always holds.
package faultfs

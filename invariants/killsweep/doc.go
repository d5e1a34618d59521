// Package killsweep runs a process again and again, and each time ends it at another of the system calls that it makes, or
// makes that call fail, until a run gets through. After each run it asks what the process left behind.
//
//	report, err := killsweep.Sweep{
//		Command: func(dir string) *exec.Cmd { ... },         // a writer that works in dir
//		Faults:  killsweep.Kills("openat", "write", "fsync", "renameat", "unlinkat", "close"),
//		Check:   func(run killsweep.Run) error { ... },      // what is in run.Dir now
//	}.Run(ctx)
//
// The process is a real one, and so are the calls, the locks and the files. It says [Ready] when its preparations are made,
// and only calls after that are met. Its main goroutine must do the work itself: strace counts the calls of each thread for
// itself, so this package binds the main goroutine of a process under a sweep to one thread when it is imported. The usual
// process is the test binary, started once more, whose TestMain looks at its environment and plays the writer.
//
// A process that is killed at each call leaves all that it can leave between two calls. It is killed before the call is
// made; what a call does to the files it does as a whole. A sweep says nothing about a power failure, after which calls
// that were made are forgotten.
//
// # Faults
//
// [Kills] ends the process. [Fault.Error] names an error instead, like EIO, which the call returns without being made. That
// is close to what a full disk or a bad one does, except that nothing is written in part, and that a close that fails this
// way leaves the file open: a sweep of failing closes shows what Linux never does.
//
// # Where it runs
//
// On Linux, with strace 5 or newer, where a process may trace its children. Elsewhere [Available] and [Sweep.Run] say
// [ErrUnavailable] and why; a test skips, and says how much it has not done.
package killsweep

// Package crashfs is a disk in memory that forgets what was not synced.
//
// It stands in for the directory of a store, by [spill.WithDir], and can lose its power at any operation:
//
//	disk := crashfs.New()
//	disk.CrashAt(7)
//	store, err := spill.NewLocal("/store", spill.WithDir(disk.Open))
//	...                                  // whatever comes to the seventh operation fails there, and so does all after it
//	after := disk.Reboot(0, 1)           // the disk as the next process finds it
//
// # What survives
//
// A write is safe once Sync of its file has returned, and a name (created, renamed or removed) once Sync of its directory
// has. Of everything else, each write and each change of a name survives or not on its own, as the share and the seed of
// [Disk.Reboot] say: at 100 everything does, which is a process that was killed; at 0 nothing, which is the worst that a
// power failure can do. In between, a file may have its last bytes and lack its first ones, which read as zeros then; a
// write may survive in part; a later change of a directory may survive where an earlier one did not. A rename happens or
// does not, and never half. Syncing a file does not make its name durable. No file system in use loses more than that, and
// most lose less.
//
// Locks go with the process, as flock has it.
//
// Everything is deterministic: time stands still unless [Disk.Advance] moves it, and each change comes a nanosecond after
// the one before.
package crashfs

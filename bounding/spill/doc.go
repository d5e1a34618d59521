// Package spill keeps what does not fit into a conversation history, so that it can be read back.
//
// [Store] is the seam: two methods, and what they promise. [Memory] is a store for tests and for programs whose sessions
// do not outlive the process; [Local] keeps artifacts as files that only their owner can read. Package spilltest is the
// contract that any other store can be held against.
//
//	store, err := spill.NewLocal(dir)
//	...
//	pipeline, err := bounding.New(bounding.Strict(), bounding.WithStore(store))
//
// An artifact holds exactly the bytes that were given, valid UTF-8 or not, and is there as a whole or not at all. A locator
// is opaque to whoever carries it about; only the store that made it can open it. That an artifact belongs to a session
// says where it is filed and whose quota it counts for. It authorises nothing. [Verify] compares an artifact with what
// was recorded of it.
//
// # Room
//
// [Limits] say how much one artifact, one session and the whole store may take. Room is reserved before anything is
// written and given back if the write fails; a [Local] store counts across all processes that use its directory. A save
// that finds no room is a [QuotaError]. [Fallback] tries several stores in order. A store that panics has failed, for
// Fallback, [SaveFrom] and [Collector], like one that returns an error; no error tells the content.
//
// # Output as it comes
//
// A [Creator] takes an artifact piece by piece. A [Collector] is a writer for the output of a process: it holds a small
// output in memory, and writes a large one to the store while it comes, with both ends kept for the preview.
//
// # Reading back
//
// [ReadPage] gives a part of an artifact, on rune borders, and where the next begins, in memory that depends on the part
// only, also when the artifact is one line of 50 MiB. [Search] finds text in one, with a bounded answer.
//
// [Scoped] is for the tool that a model reads with: it opens what the session owns or was granted, and nothing else.
//
// # Expiry
//
// [Local.Sweep] removes what is older than a time, and nothing but files with names that the store made, never through a
// link. A session that another process holds is left alone; see [Local.Hold]. What was removed is [ErrExpired] from then on.
//
// # Cost
//
// A save syncs the file and its directory, whatever its size. For 1 MiB its throughput is about that of writing, syncing and
// renaming a file of the same bytes, and about half of it on a busy machine, where no second processor makes the digest
// meanwhile:
//
//	go test -run '^$' -bench Save -benchtime 300x ./bounding/spill
//
// # Systems
//
// A [Local] store promises the same everywhere, except where it says so here.
//
//   - On Unix, the directory of a store must belong to the user and be writable for nobody else, and nobody may be able to
//     put another one in its place. On Windows, where access lists decide, that is not checked, and private files are as
//     private as the directory that they are in.
//   - On Windows, names in a directory are not synced: after a power failure, an artifact that was saved just before may be
//     missing.
//   - Names are made of ASCII letters, digits and ._-~ behind 12 random digits. So none is a device name of Windows, and none
//     is taken for another one where case does not count. None ends in a dot.
//   - Names have up to 255 bytes, and paths more. Windows programs that do not take paths of more than 260 characters cannot
//     open those by their locators; the store itself can.
//   - Counts and leases need file locks: on network file systems that have none, and on systems without them (js, plan9,
//     wasip1), artifacts can be read but not saved.
package spill

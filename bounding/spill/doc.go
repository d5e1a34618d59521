// Package spill keeps what does not fit into a conversation history, so that it can be read back.
//
// [Store] is the seam: two methods, and what they promise. [Memory] is a store for tests and for programs whose sessions
// do not outlive the process; [Local] keeps artifacts as files that only their owner can read. [Quota] counts what a
// session stores.
//
//	store, err := spill.NewLocal(dir)
//	...
//	pipeline, err := bounding.New(bounding.Strict(), bounding.WithStore(store))
//
// An artifact holds exactly the bytes that were given, valid UTF-8 or not, and is there as a whole or not at all. A
// locator is opaque to whoever carries it about; only the store that made it can open it. That an artifact belongs to a
// session says where it is filed and whose quota it counts for. It authorises nothing.
package spill

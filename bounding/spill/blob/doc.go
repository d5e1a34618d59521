// Package blob keeps artifacts of bounding/spill in object storage, through gocloud.dev/blob: S3, Google Cloud Storage,
// Azure Blob Storage, memory, or files.
//
//	store, err := clouds.Open(ctx, "s3://agent-artifacts?region=eu-west-1&prefix=prod/")
//	...
//	defer store.Close()
//	pipeline, err := bounding.New(bounding.Strict(), bounding.WithStore(store))
//
// [Open] opens mem:// and file:// URLs. The module bounding/spill/blob/clouds opens those of the three services; it is one
// of its own, so that nobody else gets their client libraries. [New] takes any bucket that was opened by other means.
//
// A [Store] keeps the promises of [spill.Store] that package spilltest checks: an artifact is there as a whole, under a new
// random name that is written only if it does not exist, or not at all; its digest is in the Ref, and [spill.Verify]
// compares it. Pages and searches read the part they need. A locator has the form
//
//	blob:<digest of the store's name>/session-<digest of the session>/<random>-<escaped name>
//
// and is only ever compared with that form; what is not of this store is [spill.ErrNotFound], and what is not there any
// more [spill.ErrExpired]. As the names are random, nothing can tell an artifact that was removed from one that never was.
//
// # Who can read the artifacts
//
// Tool output holds secrets. For s3, gs and azblob URLs the service decides who reads them, and its own default is
// private; package clouds refuses writes that would say otherwise. What the bucket must do:
//
//   - S3: Block Public Access on, object ownership "bucket owner enforced" (both are defaults since 2023), and no bucket
//     policy that allows more than the agent's role. Where access lists are still on, add acl=private to the URL.
//   - Google: uniform bucket-level access and public access prevention on. A bucket with access lists needs acl=private,
//     because its default list may be public.
//   - Azure: public access disabled for the storage account. A container's level holds for all that is in it, and cannot be
//     set with a write.
//
// In all three, give the role what it needs only: get, list, put and delete below the prefix. For file URLs see [Open]. Who
// calls [New] is answerable for all of this; [WithBeforeWrite] reaches the driver's own requests.
//
// # Room
//
// Limits count everybody's artifacts. An object store has no locks, and a counter in it would go wrong with the first
// process that dies between an artifact and its count; so what counts is what is listed. Before an artifact is written,
//
//  1. an empty object is written, whose key says for which artifact how many bytes are reserved, by whom;
//  2. all reservations are listed, and after that all artifacts: of the session, or of the store if that is limited, too;
//  3. if all of it together is within the limits, the reservation stays, and otherwise it is removed.
//
// And when the artifact is there, the reservation is removed. Where a listing shows everything that was written before it
// began, as it does on S3, Google Cloud Storage, Azure, in memory and in a local directory, no order of events leads over
// a limit. Of all reservations that stayed, take the one that was written last: its writer has listed after that, and found
// all the others, each as a reservation or as its artifact, which it was before it ceased to be a reservation; and the sum
// was within the limit. A bucket on which a writer does not find its own reservation lists late, and is refused.
//
// Writers that are in each other's way for a moment can refuse each other although one of them would have had room. So those
// that fail only for reservations a few seconds old try again for a few seconds, all but the first of them after they
// withdrew. A single writer is never refused room that there is.
//
// What this costs: a save is three writes or deletions, two listings and a look at what arrived. A listing is one request
// for each thousand artifacts. With a limit on the store that is all artifacts of the store, so that for stores of tens of
// thousands it is better to limit sessions only, and to sweep:
//
//	blob.WithLimits(spill.Limits{Artifact: 50 << 20, Session: 500 << 20, Store: spill.Unlimited})
//
// # Processes that die, and those that seem to
//
// A process that saves, holds or sweeps keeps a lease: an object that names the sessions it holds, and that it writes again
// four times in the time given by [WithLease]. When the service has not received it for that long, by the service's own
// clock, the process is dead for the others. They remove its reservations when they need room, and sweep its sessions.
//
// A process may only seem dead, because it was stopped or cut off. Its reservations are removed before they are left out of
// a count, and a writer that completes an artifact looks whether its reservations are still there; if not, it removes the
// artifact and fails. Until then, the limits may be exceeded by what it was writing. The same goes for a write that a
// service carries out after its client was told that it failed: such an object has no Ref, counts, and expires.
//
// [Store.Sweep] looks for leases right before it removes anything from a session. There is no way to make the look and the
// removal one: a session that is first held in between may lose artifacts that are older than the time given. New artifacts
// are not, so that with a time in the past nothing is lost that a live process has saved since.
//
// A life-cycle rule of the bucket that deletes by age does no harm, but knows nothing of leases. It is the right thing
// against parts of uploads that were never completed, which S3 keeps and no listing shows.
//
// # What is different from spill.Local
//
// A [spill.Fallback] cannot take over from a writer that fails half way, because what was uploaded cannot be read before it
// is complete; texts that are saved in one piece do go to the next store. The file driver leaves empty directories behind.
package blob

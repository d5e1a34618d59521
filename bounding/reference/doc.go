// Package reference shows the model what was said in other sessions, within a budget, and accounts for every byte it leaves
// out.
//
// A user mentions another session in a message. The model gets a short copy of it, as a message of its own right after the
// one that mentions it. What does not fit is left out whole or cut, the numbers say how much, and the whole is stored where
// the model can read it.
//
//	p, err := reference.New(reference.DefaultLimits(), source, reference.WithStore(store))
//	...
//	c, err := p.Prepare(ctx, sessionID, []reference.Citation{{SessionID: "research", Label: "Research"}})
//
// c.Text is what to send, c as JSON is what to record. [Source] is the only thing to implement: it reads a session.
//
// # What is shown
//
// The text that the user and the model wrote, and the summaries of compaction ([Checkpoint]). Nothing else: an [Event] or a
// [Part] that is not said to be one of these is left out, so system prompts, tool results, reasoning, media, injected context
// and references inside the referenced session never get through. Each session is read once. Preview and transcript come
// from that one [Capture], and what happens to the session afterwards changes neither.
//
// A message may cite [MaxReferences] sessions. One that is cited twice counts once, under its first label. A session
// cannot cite itself.
//
// # The preview
//
// Each reference is one JSON object within its own budget in bytes:
//
//	{"sessionId":"research","label":"Research","cwd":null,"capturedThroughSeq":2,"conversation":[{"role":"user","text":"…"}]}
//
// The budget is Limits.Bytes, or else a fifth of the context window of the model, at 4 bytes for a token, and 65,536 at
// least. It counts the bytes that are sent: the object as JSON.stringify writes it, with \u003c for < so that no text can
// end the tag around it. encoding/json takes more bytes for the same object.
//
// To fit, the oldest messages go first, but never a checkpoint or the newest message. If that is not enough, the longest text
// is cut, from the original, to the longest beginning and end that fit, with a line that says how much is missing:
//
//	the beginning and the end
//	[… omitted 4711 UTF-8 bytes …]
//
// See [Capture.Preview] for all of the rule. If the object does not fit even with every text empty, Prepare fails with
// [BudgetExceeded], which says what it needs, and nothing is published or saved. Many checkpoints can do that.
//
// OmittedMessages counts messages left out whole, OmittedBytes the bytes of their text and of what was cut: what is shown and
// what is omitted add up to the capture, exactly. A text may imitate the line about what is missing; the numbers are in the
// notice, which no text can reach.
//
// # The notice and the transcript
//
// A reference that is shown in full is not saved and has no notice. Of any other, all of the capture is saved as
// session-reference-1.txt and so on, numbered by position, owned by the session that cites. After the previews follows a
// notice for each: how much is omitted, and the locator, the size and the hint of the store, or why there is none, which is
// storage-not-configured or save-failed. No budget is so small that it removes the notice. A failed save never fails the
// preparation; Context.SaveErrors is for the log.
//
// A store must say that it kept all bytes, under a locator that is valid UTF-8 of at most 4096 bytes; else the save has
// failed. A hint of more than 400 bytes is left out.
//
// The transcript is text for people and models who page through it ([Capture.Transcript]): the warning, what was captured,
// and the messages in JSON strings of at most 64 code points, each on a line of its own. No line has more than 386 bytes, so
// that no tool clips it, and the middle of a message of 50 MB on one line can be read. [ParseTranscript] puts it together again.
//
// # Cancellation
//
// When the context ends, Prepare fails with [Cancelled] and publishes nothing. Reads and saves happen one after the other in
// the goroutine of the caller; one that has begun is waited for. An artifact that was saved by then stays and expires.
//
// # Recording and replay
//
// A [Context] as JSON holds the text as it was shown. [Replay] returns it, and has neither a source nor a store: a session
// that is resumed shows the same bytes, whatever became of the source or the artifact.
//
// A [Normalizer] makes recordings comparable. It replaces the locators of a store of files, however they are escaped, by
// their names, and touches nothing else.
//
// # Text that is not UTF-8
//
// Previews show each invalid byte as U+FFFD and count it as that, 3 bytes. Transcripts keep the bytes: the fragments of such
// a message are base64, and its heading says so. The id of a session must be valid UTF-8.
package reference

package reference

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/text"
)

// Why there is no transcript of a capture that was shortened.
const (
	NotConfigured = "storage-not-configured" // the [Preparer] has no store
	SaveFailed    = "save-failed"            // the store failed, or gave back what cannot be used
)

// Transcript says where all of a capture is: either it is saved and has a locator, or Unavailable says why not.
//
// spec: REF-5
type Transcript struct {
	Locator       string `json:"locator,omitempty"`
	Bytes         int64  `json:"bytes,omitempty"`
	RetrievalHint string `json:"retrievalHint,omitempty"`
	SHA256        string `json:"sha256,omitempty"` // of the transcript, if the store said it
	Unavailable   string `json:"unavailable,omitempty"`
}

// Saved reports whether there is a transcript to be read.
func (t Transcript) Saved() bool { return t.Unavailable == "" }

const (
	maxLocator = 4096 // bytes
	maxHint    = 400  // bytes
)

// usable returns where a transcript of so many bytes was saved, or an error if that cannot be told to a model. The notice
// is outside every budget, so what a store may put into it has a bound of its own.
func usable(ref spill.Ref, size int) (Transcript, error) {
	l := ref.Locator
	if l == "" || len(l) > maxLocator || !utf8.ValidString(l) {
		return Transcript{}, fmt.Errorf("the store's locator of %d bytes cannot be shown: "+
			"it is empty, longer than %d bytes, or not valid UTF-8", len(l), maxLocator)
	}
	if ref.Bytes != int64(size) {
		return Transcript{}, fmt.Errorf("the store kept %d of %d bytes", ref.Bytes, size)
	}
	hint := strings.Join(strings.Fields(text.Clean(ref.RetrievalHint)), " ")
	if len(hint) > maxHint {
		hint = ""
	}
	return Transcript{Locator: l, Bytes: ref.Bytes, RetrievalHint: hint, SHA256: ref.SHA256}, nil
}

// appendNotice adds what the model is told about a preview that leaves something out, as one JSON object.
//
// spec: REF-5
func appendNotice(dst []byte, r Record) []byte {
	dst = tagSafe.append(append(dst, `{"sessionId":`...), r.SessionID)
	dst = appendSeq(append(dst, `,"capturedThroughSeq":`...), r.CapturedThroughSeq)
	dst = strconv.AppendInt(append(dst, `,"omittedMessages":`...), int64(r.OmittedMessages), 10)
	dst = strconv.AppendInt(append(dst, `,"omittedBytes":`...), int64(r.OmittedBytes), 10)
	dst = append(dst, `,"fullSnapshot":`...)
	t := *r.Transcript
	if !t.Saved() {
		dst = append(dst, `{"status":"unavailable","reason":`...)
		return append(tagSafe.append(dst, t.Unavailable), "}}"...)
	}
	dst = tagSafe.append(append(dst, `{"status":"saved","locator":`...), t.Locator)
	dst = strconv.AppendInt(append(dst, `,"bytes":`...), t.Bytes, 10)
	dst = tagSafe.append(append(dst, `,"retrievalHint":`...), t.RetrievalHint)
	return append(dst, "}}"...)
}

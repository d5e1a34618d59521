package subject

import (
	"bytes"
	"slices"

	"github.com/boundcheck/boundcheck/bounding"
)

// SameHistory reports whether nothing in a history has changed.
func SameHistory(a, b History) bool {
	return a.Committed == b.Committed && slices.EqualFunc(a.Messages, b.Messages, SameMessage)
}

// SameMessage reports whether two messages are equal in everything that is sent, and in what the subject keeps with them.
func SameMessage(a, b Message) bool {
	return a.Role == b.Role && a.Text == b.Text && slices.EqualFunc(a.Media, b.Media, sameMedia) &&
		slices.EqualFunc(a.Calls, b.Calls, sameCall) && slices.EqualFunc(a.Results, b.Results, SameResult)
}

// SameResult reports whether two results are equal in everything.
func SameResult(a, b Result) bool {
	return sameCall(a.Call, b.Call) && a.Text == b.Text && a.Metadata == b.Metadata &&
		slices.EqualFunc(a.Media, b.Media, sameMedia) && a.Failed == b.Failed && a.Protected == b.Protected &&
		a.State == b.State && a.Outcome == b.Outcome && a.Locator == b.Locator && a.SHA256 == b.SHA256 &&
		a.Bytes == b.Bytes && bytes.Equal(a.Data, b.Data)
}

func sameCall(a, b bounding.Call) bool {
	return a.ID == b.ID && a.Tool == b.Tool && slices.Equal(a.Files, b.Files)
}

// sameMedia compares values, which are strings in every scenario.
func sameMedia(a, b bounding.Media) bool {
	return a.Type == b.Type && a.Cleared == b.Cleared && a.Value == b.Value
}

package smallscope

import (
	"fmt"
	"slices"
)

// Protocol is how an artifact becomes visible: each step in order. A right one is [SaveThenPublish].
type Protocol []PublishStep

// PublishStep is one step of saving a text and of recording where it is.
type PublishStep string

const (
	WriteTemporary PublishStep = "write the text under a temporary name"
	SyncFile       PublishStep = "sync the file"
	RenameFile     PublishStep = "rename it"
	SyncDirectory  PublishStep = "sync the directory"
	RecordLocator  PublishStep = "record the locator in the history"
)

// SaveThenPublish is the order in which no crash can leave a record that points at nothing.
//
// spec: SPL-3
var SaveThenPublish = Protocol{WriteTemporary, SyncFile, RenameFile, SyncDirectory, RecordLocator}

// disk is what a crash may leave of one save. The record in the history is taken as durable at once, which is the worst case.
type disk struct {
	written, synced    bool // the text, under whatever name
	renamed, nameKnown bool // the name: in memory, and after a crash
	recorded           bool
	cancelled, crashed bool
	done               int // steps
}

// Published says how a protocol went wrong.
type Published struct {
	Trace []string // what happened, in order
	Wrong string
}

// Publish walks every way in which a save can go: each step, a cancellation after any of them, a crash at any point, and
// whether the text and the name that were not synced are still there. It returns how many states there are, and the shortest way to a record that
// points at an artifact that is missing or short, if there is one.
//
// spec: SPL-3, REF-7
func Publish(p Protocol) (int, *Published) {
	type node struct {
		disk
		trace []string
	}
	queue := []node{{}}
	seen := map[disk]bool{{}: true}
	for i := 0; i < len(queue); i++ {
		n := queue[i]
		if wrong := n.wrong(); wrong != "" {
			return len(seen), &Published{n.trace, wrong}
		}
		for what, next := range n.next(p) {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, node{next, append(slices.Clip(n.trace), what)})
			}
		}
	}
	return len(seen), nil
}

// next yields what can happen, in an order that is always the same.
func (d disk) next(p Protocol) func(yield func(string, disk) bool) {
	return func(yield func(string, disk) bool) {
		if d.crashed {
			return
		}
		if d.done < len(p) && !d.cancelled {
			after := d
			after.done++
			after.do(p[d.done])
			if !yield(string(p[d.done]), after) {
				return
			}
		}
		if !d.cancelled && !d.recorded {
			after := d
			after.cancelled = true
			if !yield("cancel", after) {
				return
			}
		}
		for _, text := range []bool{false, true} {
			for _, name := range []bool{false, true} {
				after := d
				after.crashed = true
				after.written = d.written && (d.synced || text)
				after.synced = after.written
				after.nameKnown = d.nameKnown || d.renamed && name
				after.renamed = after.nameKnown
				if !yield(fmt.Sprintf("crash; unsynced text survives: %t, unsynced name: %t", text, name), after) {
					return
				}
			}
		}
	}
}

func (d *disk) do(s PublishStep) {
	switch s {
	case WriteTemporary:
		d.written = true
	case SyncFile:
		d.synced = d.written
	case RenameFile:
		d.renamed = true
	case SyncDirectory:
		d.nameKnown = d.renamed
	case RecordLocator:
		d.recorded = true
	}
}

// wrong says what must never be: a record of something that is not there, and a name that holds less than the text.
func (d disk) wrong() string {
	switch {
	case d.recorded && !d.renamed:
		return "the history points at an artifact that is missing"
	case d.renamed && !d.written:
		return "the name of the artifact holds less than the text"
	case d.recorded && d.cancelled:
		return "the history points at what was cancelled"
	}
	return ""
}

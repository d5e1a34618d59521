package smallscope_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/invariants/smallscope"
)

func TestPublish(t *testing.T) {
	states, wrong := smallscope.Publish(smallscope.SaveThenPublish)
	if wrong != nil {
		t.Errorf("%s after %s", wrong.Wrong, strings.Join(wrong.Trace, "; "))
	}
	if states < 15 {
		t.Errorf("%d states, want every way to save, cancel and crash", states)
	}
	t.Logf("%d states", states)
}

// TestPublishTooEarly takes out or moves each step that matters: every such protocol is found.
func TestPublishTooEarly(t *testing.T) {
	without := func(s smallscope.PublishStep) smallscope.Protocol {
		return slices.DeleteFunc(slices.Clone(smallscope.SaveThenPublish), func(step smallscope.PublishStep) bool { return step == s })
	}
	for name, p := range map[string]smallscope.Protocol{
		"publish before the directory is synced": {smallscope.WriteTemporary, smallscope.SyncFile, smallscope.RenameFile, smallscope.RecordLocator, smallscope.SyncDirectory},
		"publish before the rename":              {smallscope.WriteTemporary, smallscope.SyncFile, smallscope.RecordLocator, smallscope.RenameFile, smallscope.SyncDirectory},
		"rename before the file is synced":       {smallscope.WriteTemporary, smallscope.RenameFile, smallscope.SyncFile, smallscope.SyncDirectory, smallscope.RecordLocator},
		"no sync of the file":                    without(smallscope.SyncFile),
		"no sync of the directory":               without(smallscope.SyncDirectory),
		"no rename":                              without(smallscope.RenameFile),
		"nothing written":                        without(smallscope.WriteTemporary),
	} {
		if _, wrong := smallscope.Publish(p); wrong == nil {
			t.Errorf("%s: nothing is found", name)
		} else if again := repeat(p); again != strings.Join(wrong.Trace, "; ") {
			t.Errorf("%s: found by %q, and then by %q", name, wrong.Trace, again)
		}
	}
}

func repeat(p smallscope.Protocol) string {
	_, wrong := smallscope.Publish(p)
	return strings.Join(wrong.Trace, "; ")
}

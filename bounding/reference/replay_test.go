package reference_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boundcheck/boundcheck/bounding/reference"
	"github.com/boundcheck/boundcheck/bounding/spill"
)

// The whole way with the real store: what is left out can be read back page by page, is the target's, and stays as it is
// whatever becomes of the source. Replay reads and saves nothing. spec: REF-4, REF-5, REF-6, REF-7
func TestLocalStoreAndReplay(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	store, err := spill.NewLocal(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	cited, snapshot := loaderFixture()
	source := &sessions{byID: map[string]reference.Snapshot{cited.SessionID: snapshot}}
	p := preparer(t, 360, source, reference.WithStore(store))
	c, err := p.Prepare(t.Context(), "reference-target", []reference.Citation{cited})
	if err != nil {
		t.Fatal(err)
	}
	m := read(t, c)
	locator, _ := m.notices[0].FullSnapshot["locator"].(string)
	if m.notices[0].OmittedMessages != 1 || m.notices[0].OmittedBytes != 8922 || m.notices[0].FullSnapshot["bytes"] != 10_093.0 {
		t.Errorf("%+v", m.notices)
	}
	if got := filepath.Base(filepath.Dir(locator)); got != "session-2fb5e1766b39" || !strings.HasSuffix(locator, "-session-reference-1.txt") {
		t.Errorf("locator %s", locator)
	}
	if strings.Contains(c.Text, "EARLY_SOURCE_FACT") || !strings.Contains(c.Text, "LATEST_SOURCE_FACT") {
		t.Error(c.Text)
	}
	recorded, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}

	source.byID[cited.SessionID] = reference.Snapshot{Events: userText("LATER")}
	again, err := reference.Replay(recorded)
	if diff := cmp.Diff(c, again); err != nil || diff != "" {
		t.Error(err, diff)
	}
	files, err := filepath.Glob(filepath.Join(dir, "session-*", "*-session-reference-*.txt"))
	if err != nil || len(files) != 1 || len(source.reads) != 1 {
		t.Errorf("%d files, %d reads, %v", len(files), len(source.reads), err)
	}
	transcript := content(t, store, locator)
	back, err := reference.ParseTranscript(transcript)
	if diff := cmp.Diff(reference.Project(cited, snapshot), back); err != nil || diff != "" {
		t.Error(err, diff)
	}
	ref := again.References[0].Transcript
	if ref.SHA256 != "ea0cf968673240bb4c7362632aba00ce4223c5a2b001e861116704f8d9983898" || ref.Locator != locator {
		t.Errorf("%+v", ref)
	}
}

// Records of other versions and records that contradict themselves are refused.
func TestReplayRefuses(t *testing.T) {
	source := sourceOf(map[string][]reference.Event{"s": userText("old", rep(300, "large"))})
	c, err := preparer(t, 180, source).Prepare(t.Context(), "target", cite("s"))
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := reference.Replay(recorded); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{`"kind":"session-reference"`, `"kind":"other"`},
		{`"form":"recall"`, `"form":"other"`},
		{`"version":1`, `"version":2`},
		{`"omittedMessages":1`, `"omittedMessages":2`},
		{`"originalMessages":2`, `"originalMessages":1`},
		{`"retainedMessages":1,"omittedMessages":1`, `"retainedMessages":-1,"omittedMessages":3`},
		{`"retainedMessages":1,"omittedMessages":1`, `"retainedMessages":3,"omittedMessages":-1`},
		{`"truncated":true`, `"truncated":false`},
		{`"omittedBytes":1465`, `"omittedBytes":0`},
		{`"omittedBytes":1465,"truncated":true`, `"omittedBytes":0,"truncated":false`},
		{`{`, `[`},
	} {
		damaged := strings.Replace(string(recorded), change[0], change[1], 1)
		if damaged == string(recorded) {
			t.Fatalf("%s is not in %s", change[0], recorded)
		}
		if again, err := reference.Replay([]byte(damaged)); err == nil || again.Text != "" {
			t.Errorf("%s for %s: %+v, %v", change[1], change[0], again, err)
		}
	}
	// An older record has no version of the source's format: that is version 0.
	older := strings.Replace(string(recorded), `"capturedFormatVersion":0,`, "", 1)
	again, err := reference.Replay([]byte(older))
	if diff := cmp.Diff(c, again); err != nil || diff != "" || older == string(recorded) {
		t.Error(err, diff)
	}
}

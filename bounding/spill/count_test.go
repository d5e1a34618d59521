package spill_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// What is given back is taken off the counts at once. They might be too high without being wrong, but then the next save
// counts all files of the store.
//
// spec: SPL-5
func TestCountsFollowWhatIsGivenBack(t *testing.T) {
	root := t.TempDir()
	l := openLocal(t, root, spill.Limits{Artifact: 50_000, Session: 100_000, Store: 200_000})
	counts := func(step, want string) {
		t.Helper()
		files, err := filepath.Glob(filepath.Join(root, "session-*", ".usage"))
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		for _, f := range append(files, filepath.Join(root, ".usage")) {
			b, err := os.ReadFile(f)
			if got := strings.TrimSpace(string(b)); err != nil || got != want {
				t.Errorf("%s: %s counts %s, %v; want %s", step, f, got, err, want)
			}
		}
	}
	if _, err := l.Save(t.Context(), spill.Request{Owner: "s", Content: strings.Repeat("a", 1_000)}); err != nil {
		t.Fatal(err)
	}
	counts("saved", "1000")
	w, err := l.Create(t.Context(), spill.Request{Owner: "s", Content: strings.Repeat("a", 500)})
	if err != nil {
		t.Fatal(err)
	}
	counts("created", "1500")
	if err := w.Abort(); err != nil {
		t.Fatal(err)
	}
	counts("given up", "1000")
	w, err = l.Create(t.Context(), spill.Request{Owner: "s"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte("streamed")); err != nil {
		t.Fatal(err)
	}
	counts("streaming", "51000") // it reserves a step ahead
	if _, err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	counts("streamed", "1008")
}

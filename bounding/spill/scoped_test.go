package spill_test

import (
	"errors"
	"testing"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// A session opens its own artifacts, also those of before, and what it was granted. Of others it does not even learn
// whether they exist.
//
// spec: SPL-1
func TestScoped(t *testing.T) {
	store := &spill.Memory{}
	save := func(s spill.Store, owner, content string) string {
		t.Helper()
		ref, err := s.Save(t.Context(), spill.Request{Owner: owner, SuggestedName: "a", Content: content})
		if err != nil {
			t.Fatal(err)
		}
		return ref.Locator
	}
	before := save(store, "mine", "before")
	foreign := save(store, "other", "foreign")
	scoped := spill.NewScoped(store, "mine")
	own := save(scoped, "", "own")
	open := func(locator string) error {
		a, err := scoped.Open(t.Context(), locator)
		if err == nil {
			a.Close()
		}
		return err
	}
	for _, locator := range []string{before, own} {
		if err := open(locator); err != nil {
			t.Error(err)
		}
	}
	for _, locator := range []string{foreign, foreign + "x", "", "/etc/passwd"} {
		if err := open(locator); !errors.Is(err, spill.ErrNotGranted) || errors.Is(err, spill.ErrNotFound) {
			t.Errorf("%q: %v", locator, err)
		}
	}
	scoped.Grant(foreign)
	if err := open(foreign); err != nil {
		t.Error(err)
	}
	if _, err := scoped.Save(t.Context(), spill.Request{Owner: "other", Content: "x"}); err == nil {
		t.Error("saved in the name of another session")
	}
}

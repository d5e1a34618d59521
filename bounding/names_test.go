package bounding_test

import (
	"encoding"
	"fmt"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/bounding"
)

// TestNames reads every name of every enumeration back, and refuses the one after the last.
func TestNames(t *testing.T) {
	t.Run("sharing", testNames[bounding.Sharing](2))
	t.Run("role", testNames[bounding.Role](3))
	t.Run("file-use", testNames[bounding.FileUse](4))
	t.Run("state", testNames[bounding.State](5))
	t.Run("outcome", testNames[bounding.Outcome](8))
	t.Run("status", testNames[bounding.Status](5))
	t.Run("trigger", testNames[bounding.Trigger](4))
	t.Run("reason", testNames[bounding.Reason](5))
}

func testNames[E interface {
	~uint8
	fmt.Stringer
	encoding.TextMarshaler
}, P interface {
	*E
	encoding.TextUnmarshaler
}](count int) func(*testing.T) {
	return func(t *testing.T) {
		seen := map[string]bool{}
		for i := range count {
			name, err := E(i).MarshalText()
			if err != nil || seen[string(name)] || string(name) != E(i).String() {
				t.Errorf("value %d is written as %q: %v", i, name, err)
			}
			seen[string(name)] = true
			var back E
			if err := P(&back).UnmarshalText(name); err != nil || back != E(i) {
				t.Errorf("%q is read as %v: %v", name, back, err)
			}
		}
		var none E
		if err := P(&none).UnmarshalText([]byte(E(count).String())); err == nil || !strings.Contains(err.Error(), E(0).String()) {
			t.Errorf("the name of a value that there is not: %v, want an error that lists the names", err)
		}
	}
}

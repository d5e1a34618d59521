package spill

import (
	"errors"
	"fmt"
)

// Unlimited is the limit that nothing reaches.
const Unlimited = -1

// Limits are what a store takes, in bytes. Each may be reached exactly; 0 leaves room for empty artifacts only, and
// [Unlimited] (or any number below 0) is no limit.
//
// spec: OFF-10, SPL-5
type Limits struct {
	Artifact int64 // one artifact
	Session  int64 // all artifacts of one session, whoever wrote them
	Store    int64 // all artifacts of the store
}

// DefaultLimits are 50 MiB for an artifact, 500 MiB for a session, and ten such sessions for a store.
func DefaultLimits() Limits {
	return Limits{Artifact: 50 << 20, Session: 500 << 20, Store: 5000 << 20}
}

// Scope is what a limit is about.
type Scope string

const (
	ArtifactScope Scope = "artifact"
	SessionScope  Scope = "session"
	StoreScope    Scope = "store"
)

// ErrQuota is what every [QuotaError] wraps.
var ErrQuota = errors.New("no room")

// QuotaError says which limit a save would have exceeded. Nothing was stored.
type QuotaError struct {
	Scope Scope
	Limit int64 // in bytes
	Used  int64 // by other artifacts, those included that are just being written
	Need  int64 // of this one, as far as it is known
}

func (e *QuotaError) Error() string {
	return fmt.Sprintf("no room: %d bytes more than the %d in use are over the limit of %d bytes for one %s; raise the limit or remove what has expired",
		e.Need, e.Used, e.Limit, e.Scope)
}

func (e *QuotaError) Unwrap() error { return ErrQuota }

// check returns the error for n bytes more on top of used ones.
func (s Scope) check(limit, used, n int64) error {
	if limit >= 0 && n > limit-used {
		return &QuotaError{Scope: s, Limit: limit, Used: used, Need: n}
	}
	return nil
}

package blob

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// Sweep removes the artifacts that were stored before a time, by the clock of the service: strictly before, one stored
// exactly then stays. A session that a live process has saved to or holds is left as it is, until the process releases it,
// ends, or gives no sign of life for the time of its lease. Only what the store itself has made is removed.
//
// What dead processes left, leases, reservations and partial files, is removed, too. What cannot be removed does not keep
// the rest from being swept; the error names all of it. In Swept, Sessions counts those of which nothing is left.
//
//	swept, err := store.Sweep(ctx, time.Now().Add(-spill.DefaultMaxAge))
//
// spec: SPL-6
func (s *Store) Sweep(ctx context.Context, before time.Time) (spill.Swept, error) {
	var swept spill.Swept
	if err := s.sweep(ctx, before, &swept); err != nil {
		return swept, fmt.Errorf("spill/blob: sweep: %w", err)
	}
	return swept, nil
}

func (s *Store) sweep(ctx context.Context, before time.Time, swept *spill.Swept) error {
	rooms, err := s.reservations(ctx)
	if err != nil {
		return err
	}
	o, err := s.look(ctx)
	if err != nil {
		return err
	}
	if err := s.bury(ctx, o, rooms); err != nil {
		return err
	}
	objects, err := s.list(ctx, sessionPrefix)
	if err != nil {
		return err
	}
	held, err := s.heldNow(ctx)
	if err != nil {
		return err
	}
	sessions := map[string][]*blob.ListObject{}
	for _, object := range objects {
		if session, _, ok := strings.Cut(object.Key, "/"); ok {
			sessions[session] = append(sessions[session], object)
		}
	}
	for _, session := range slices.Sorted(maps.Keys(sessions)) {
		if held[session] {
			swept.Held++
			continue
		}
		err = errors.Join(err, s.sweepSession(ctx, session, sessions[session], before, swept))
		if ctx.Err() != nil {
			break
		}
	}
	return err
}

// sweepSession sweeps a session, after another look at who holds it.
func (s *Store) sweepSession(ctx context.Context, session string, objects []*blob.ListObject, before time.Time, swept *spill.Swept) error {
	expired := slices.DeleteFunc(objects, func(object *blob.ListObject) bool {
		_, _, _, whole := parseArtifact(object.Key)
		return !(whole && object.ModTime.Before(before)) && !partialForm.MatchString(object.Key)
	})
	if len(expired) == 0 {
		return nil
	}
	held, err := s.heldNow(ctx)
	if err != nil {
		return err
	}
	if held[session] {
		swept.Held++
		return nil
	}
	removed := 0
	for _, object := range expired {
		failed := s.bucket.Delete(ctx, object.Key)
		if gcerrors.Code(failed) == gcerrors.NotFound { // another sweep was faster
			continue
		}
		if failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		removed++
		if partialForm.MatchString(object.Key) {
			swept.Partials++
			continue
		}
		swept.Artifacts++
		swept.Bytes += object.Size
	}
	if removed > 0 {
		left, failed := s.list(ctx, session+"/")
		err = errors.Join(err, failed)
		if failed == nil && len(left) == 0 {
			swept.Sessions++
		}
	}
	return err
}

// heldNow is which sessions this process or a live other one holds.
func (s *Store) heldNow(ctx context.Context) (map[string]bool, error) {
	o, err := s.look(ctx)
	if err != nil {
		return nil, err
	}
	held, err := s.heldByOthers(ctx, o)
	if err != nil {
		return nil, err
	}
	s.lease.mu.Lock()
	defer s.lease.mu.Unlock()
	for session := range s.held {
		held[session] = true
	}
	return held, nil
}

package blob

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"gocloud.dev/gcerrors"
)

// lease is what a process shows of itself in the bucket: an object that is written again and again. Whoever finds that the
// service has not received it for as long as its key says takes the process for dead. Ages are differences of times that
// the service gave, so that no clock of a client decides.
type lease struct {
	id   string
	life time.Duration

	mu     sync.Mutex // held while the lease is written
	held   map[string]bool
	alive  bool
	closed bool
	stop   context.CancelFunc
	beats  sync.WaitGroup
}

func (l *lease) init(life time.Duration) {
	l.id, l.life, l.held = random(), life, map[string]bool{}
}

func (l *lease) key() string { return leaseKey(l.id, l.life) }

// Hold keeps the artifacts of a session from expiring until [Store.Release] or [Store.Close], or until this process has
// given no sign of life for the time of its lease. A save holds its session; Hold is for sessions that go on without one.
// A sweep that has found the session free just before may still end its work on it.
//
// spec: SPL-6
func (s *Store) Hold(ctx context.Context, session string) error {
	if err := s.hold(ctx, sessionOf(session)); err != nil {
		return fmt.Errorf("spill/blob: hold a session: %w", err)
	}
	return nil
}

// Release lets the artifacts of a session expire. A process that outlives its sessions calls it when one ends.
//
// spec: SPL-6
func (s *Store) Release(ctx context.Context, session string) error {
	s.lease.mu.Lock()
	defer s.lease.mu.Unlock()
	name := sessionOf(session)
	if !s.held[name] {
		return nil
	}
	delete(s.held, name)
	if err := s.show(ctx); err != nil {
		s.held[name] = true
		return fmt.Errorf("spill/blob: release a session: %w", err)
	}
	return nil
}

func (s *Store) hold(ctx context.Context, session string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.lease.mu.Lock()
	defer s.lease.mu.Unlock()
	if s.held[session] && s.alive {
		return nil
	}
	added := !s.held[session]
	s.held[session] = true
	err := s.show(ctx)
	if err != nil && added {
		delete(s.held, session)
	}
	return err
}

// appear makes sure that the bucket has a lease of this process.
func (s *Store) appear(ctx context.Context) error {
	s.lease.mu.Lock()
	defer s.lease.mu.Unlock()
	if s.alive {
		return nil
	}
	return s.show(ctx)
}

// show writes the lease, and from the first time on has it written again. It needs the lease's mutex.
func (s *Store) show(ctx context.Context) error {
	if s.closed {
		return errClosed
	}
	sessions := slices.Sorted(maps.Keys(s.held))
	if err := s.write(ctx, s.lease.key(), strings.Join(sessions, "\n"), false); err != nil {
		return fmt.Errorf("write the lease of this process: %w", err)
	}
	if !s.alive {
		s.alive = true
		beating, stop := context.WithCancel(context.Background())
		s.stop = stop
		s.beats.Go(func() { s.beat(beating) })
	}
	return nil
}

func (s *Store) beat(ctx context.Context) {
	ticker := time.NewTicker(s.life / 4)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		within, cancel := context.WithTimeout(ctx, s.life/4)
		s.lease.mu.Lock()
		_ = s.show(within) // the next beat is another chance; who was taken for dead finds out when it commits
		s.lease.mu.Unlock()
		_ = s.tidy(within)
		cancel()
	}
}

// end stops the signs of life and removes the lease, the first time that it is called.
func (s *Store) end() (first bool, err error) {
	s.lease.mu.Lock()
	if s.closed {
		s.lease.mu.Unlock()
		return false, nil
	}
	s.closed = true
	alive, stop := s.alive, s.stop
	s.lease.mu.Unlock()
	if !alive {
		return true, nil
	}
	stop()
	s.beats.Wait()
	return true, s.remove(context.Background(), s.lease.key())
}

func (s *Store) isClosed() bool {
	s.lease.mu.Lock()
	defer s.lease.mu.Unlock()
	return s.closed
}

// others is who else uses the bucket.
type others struct {
	now  time.Time       // of the service
	live map[string]bool // ids of leases, without our own
	keys []string        // of live leases, without our own
	dead []string        // keys of dead ones
}

// look lists the leases. Our own, written just before, tells the time.
func (s *Store) look(ctx context.Context) (others, error) {
	s.lease.mu.Lock()
	err := s.show(ctx)
	s.lease.mu.Unlock()
	if err != nil {
		return others{}, err
	}
	list, err := s.list(ctx, leasePrefix)
	if err != nil {
		return others{}, err
	}
	o := others{live: map[string]bool{}}
	for _, object := range list {
		if object.Key == s.lease.key() {
			o.now = object.ModTime
		}
	}
	if o.now.IsZero() {
		return o, errLate
	}
	for _, object := range list {
		id, life, ok := parseLease(object.Key)
		switch {
		case !ok || id == s.lease.id:
		case o.now.Sub(object.ModTime) > life:
			o.dead = append(o.dead, object.Key)
		default:
			o.live[id] = true
			o.keys = append(o.keys, object.Key)
		}
	}
	return o, nil
}

// heldByOthers reads the leases of others and returns the sessions in them.
func (s *Store) heldByOthers(ctx context.Context, o others) (map[string]bool, error) {
	held := map[string]bool{}
	for _, key := range o.keys {
		b, err := s.bucket.ReadAll(ctx, key)
		if gcerrors.Code(err) == gcerrors.NotFound { // closed just now
			continue
		}
		if err != nil {
			return nil, err
		}
		for session := range strings.SplitSeq(string(b), "\n") {
			held[session] = true
		}
	}
	return held, nil
}

// bury takes reservations that were listed before the leases were, because a lease is there before its reservations. It
// removes the reservations of the dead, and then their leases. A reservation is gone before it is counted no more:
// should its owner be alive after all, it finds that out when it has committed, and takes the artifact back.
func (s *Store) bury(ctx context.Context, o others, rooms []reservation) error {
	var err error
	for _, r := range rooms {
		if r.lease != s.lease.id && !o.live[r.lease] {
			if failed := s.bucket.Delete(ctx, r.key); gcerrors.Code(failed) != gcerrors.NotFound {
				err = errors.Join(err, failed)
			}
		}
	}
	for _, key := range o.dead {
		if failed := s.bucket.Delete(ctx, key); gcerrors.Code(failed) != gcerrors.NotFound {
			err = errors.Join(err, failed)
		}
	}
	return err
}

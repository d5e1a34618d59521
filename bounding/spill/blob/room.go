package blob

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// errLate is about a bucket on which nothing can be counted.
var errLate = errors.New("the bucket does not list what was written to it just before, so that its limits cannot be kept: " +
	"use a bucket with consistent listings, or no limits on sessions and the store")

const (
	// contest is how far apart two reservations are made that may be in each other's way for a moment only.
	contest  = 5 * time.Second
	contests = 10 // tries, while others try
)

// limited reports whether room must be reserved at all.
func (s *Store) limited() bool {
	l := s.config.limits
	return l.Session >= 0 || l.Store >= 0
}

// reserve makes a reservation, and returns its key. First it is written, then everything is counted, and only if it fits
// with all that is there, finished or not, does it stay. Of any reservations that stay, the last one written has seen all
// the others.
//
// spec: OFF-10, SPL-5
func (s *Store) reserve(ctx context.Context, session, random string, n int64) (string, error) {
	if n == 0 || !s.limited() {
		return "", nil
	}
	select { // one at a time in this process
	case <-ctx.Done():
		return "", ctx.Err()
	case <-s.turn:
	}
	defer func() { s.turn <- struct{}{} }()
	c := claim{s: s, session: session, random: random, bytes: n}
	err := c.make(ctx)
	if err != nil && c.key != "" {
		err = errors.Join(err, s.remove(ctx, c.key))
	}
	return c.key, err
}

// claim is a reservation that may have to be withdrawn again.
type claim struct {
	s               *Store
	session, random string
	bytes           int64
	key             string // empty while there is none
}

func (c *claim) make(ctx context.Context) error {
	if err := c.s.appear(ctx); err != nil {
		return err
	}
	cleaned := false
	for try := 0; ; {
		if c.key == "" {
			if err := c.write(ctx); err != nil {
				return err
			}
		}
		counted, mine, err := c.count(ctx)
		if err != nil {
			return err
		}
		over := c.over(counted, 0)
		switch {
		case over == nil:
			return nil
		case !cleaned: // before anything is refused, what dead processes left is removed, and what we could not remove before
			o, err := c.s.look(ctx)
			if err == nil {
				err = errors.Join(c.s.bury(ctx, o, counted.rooms), c.s.tidy(ctx))
			}
			if err != nil {
				return err
			}
			cleaned = true
		default:
			first, rivals := c.rivals(counted, mine)
			if try++; try > contests || rivals == 0 || c.over(counted, rivals) != nil {
				return over
			}
			// One of those who are in each other's way stays, so that they do not all give way for ever.
			if !first {
				if err := c.withdraw(ctx); err != nil {
					return err
				}
			}
			if err := pause(ctx, try); err != nil {
				return err
			}
		}
	}
}

// write writes the reservation, under a key that was not in use before.
func (c *claim) write(ctx context.Context) error {
	c.key = roomKey(c.s.lease.id, c.session, c.random, c.s.numbers.Add(1), c.bytes)
	return c.s.write(ctx, c.key, "", true)
}

func (c *claim) withdraw(ctx context.Context) error {
	key := c.key
	c.key = ""
	return c.s.remove(ctx, key)
}

func (c *claim) count(ctx context.Context) (counts, reservation, error) {
	prefix := sessionPrefix
	if c.s.config.limits.Store < 0 {
		prefix = c.session + "/"
	}
	counted, err := c.s.count(ctx, prefix)
	if err != nil {
		return counted, reservation{}, err
	}
	for _, r := range counted.rooms {
		if r.key == c.key {
			return counted, r, nil
		}
	}
	return counted, reservation{}, errLate
}

// over returns the error for what was counted, with this reservation and less some bytes.
func (c *claim) over(counted counts, less int64) error {
	l := c.s.config.limits
	if err := fits(spill.SessionScope, l.Session, counted.sessions[c.session].Bytes-c.bytes-less, c.bytes); err != nil {
		return err
	}
	return fits(spill.StoreScope, l.Store, counted.total.Bytes-c.bytes-less, c.bytes)
}

// rivals are the reservations of others that were made at about the same time, and may be gone soon. It reports whether
// ours is the first of them by name, and how many bytes they are.
func (c *claim) rivals(counted counts, mine reservation) (first bool, bytes int64) {
	first = true
	for _, r := range counted.rooms {
		if r.lease == mine.lease || r.made.Before(mine.made.Add(-contest)) {
			continue
		}
		bytes += r.bytes
		first = first && mine.key < r.key
	}
	return first, bytes
}

// pause waits a while, longer with each try, and differently long in each process.
func pause(ctx context.Context, try int) error {
	longest := 10 * time.Millisecond << min(try, 6)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(longest/4 + rand.N(longest)):
		return nil
	}
}

// fits returns the error for n bytes more on top of used ones.
func fits(scope spill.Scope, limit, used, n int64) error {
	if limit >= 0 && n > limit-used {
		return &spill.QuotaError{Scope: scope, Limit: limit, Used: used, Need: n}
	}
	return nil
}

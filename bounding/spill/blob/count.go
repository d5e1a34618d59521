package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// counts is what the objects of a session or of the whole store add up to.
type counts struct {
	rooms    []reservation // of artifacts that are not there yet
	sessions map[string]spill.Usage
	total    spill.Usage
}

// count adds up what there is below a prefix: sessionPrefix for all of it. Reservations are listed before artifacts, and
// are removed after their artifacts are there: so a listing that goes on while an artifact appears may see both, and takes
// the artifact, but cannot miss both.
func (s *Store) count(ctx context.Context, prefix string) (counts, error) {
	c := counts{sessions: map[string]spill.Usage{}}
	rooms, err := s.reservations(ctx)
	if err != nil {
		return c, err
	}
	artifacts, err := s.list(ctx, prefix)
	if err != nil {
		return c, err
	}
	whole := map[string]bool{}
	add := func(session string, u spill.Usage) {
		have := c.sessions[session]
		c.sessions[session] = spill.Usage{Artifacts: have.Artifacts + u.Artifacts, Bytes: sum(have.Bytes, u.Bytes)}
		c.total.Artifacts += u.Artifacts
		c.total.Bytes = sum(c.total.Bytes, u.Bytes)
	}
	for _, object := range artifacts {
		if session, id, _, ok := parseArtifact(object.Key); ok {
			whole[id] = true
			add(session, spill.Usage{Artifacts: 1, Bytes: object.Size})
		}
	}
	for _, r := range rooms {
		if !whole[r.artifact] && strings.HasPrefix(r.session+"/", prefix) {
			c.rooms = append(c.rooms, r)
			add(r.session, spill.Usage{Bytes: r.bytes})
		}
	}
	return c, nil
}

// sum adds numbers of bytes that may come from keys that somebody made up: too much stays too much.
func sum(a, b int64) int64 {
	if b > math.MaxInt64-a {
		return math.MaxInt64
	}
	return a + b
}

func (s *Store) reservations(ctx context.Context) ([]reservation, error) {
	objects, err := s.list(ctx, roomPrefix)
	var rooms []reservation
	for _, object := range objects {
		if r, ok := parseRoom(object.Key); ok {
			r.made = object.ModTime
			rooms = append(rooms, r)
		}
	}
	return rooms, err
}

const listAttempts = 5

// list lists the objects below a prefix. The file driver fails when a file goes away that it has just seen; then it is
// asked again.
func (s *Store) list(ctx context.Context, prefix string) ([]*blob.ListObject, error) {
	for attempt := 1; ; attempt++ {
		list, err := s.listOnce(ctx, prefix)
		if err == nil {
			return list, nil
		}
		gone := errors.Is(err, fs.ErrNotExist) || gcerrors.Code(err) == gcerrors.NotFound
		if !gone || attempt == listAttempts {
			return nil, fmt.Errorf("list the bucket: %w", err)
		}
	}
}

func (s *Store) listOnce(ctx context.Context, prefix string) ([]*blob.ListObject, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var list []*blob.ListObject
	objects := s.bucket.List(&blob.ListOptions{Prefix: prefix})
	for {
		object, err := objects.Next(ctx)
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		list = append(list, object)
	}
}

// Usage counts the artifacts of a session, and the bytes that are reserved for those being written.
func (s *Store) Usage(ctx context.Context, session string) (spill.Usage, error) {
	name := sessionOf(session)
	c, err := s.count(ctx, name+"/")
	if err != nil {
		return spill.Usage{}, fmt.Errorf("spill/blob: count the artifacts of a session: %w", err)
	}
	return c.sessions[name], nil
}

// Total counts the artifacts of all sessions, and the bytes that are reserved for those being written.
func (s *Store) Total(ctx context.Context) (spill.Usage, error) {
	c, err := s.count(ctx, sessionPrefix)
	if err != nil {
		return spill.Usage{}, fmt.Errorf("spill/blob: count the artifacts of the store: %w", err)
	}
	return c.total, nil
}

// List returns the artifacts of a session, oldest first, by the service's clock.
func (s *Store) List(ctx context.Context, session string) ([]spill.Entry, error) {
	objects, err := s.list(ctx, sessionOf(session)+"/")
	if err != nil {
		return nil, fmt.Errorf("spill/blob: list the artifacts of a session: %w", err)
	}
	var list []spill.Entry
	for _, object := range objects {
		if _, _, name, ok := parseArtifact(object.Key); ok {
			list = append(list, spill.Entry{
				Locator: s.locator(object.Key), Name: unescape(name), Bytes: object.Size, Modified: object.ModTime,
			})
		}
	}
	slices.SortFunc(list, func(a, b spill.Entry) int {
		if c := a.Modified.Compare(b.Modified); c != 0 {
			return c
		}
		return strings.Compare(a.Locator, b.Locator)
	})
	return list, nil
}

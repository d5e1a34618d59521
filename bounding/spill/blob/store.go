package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// Store keeps artifacts as objects of a bucket. Any number of processes may use one bucket.
//
// spec: SPL-8
type Store struct {
	bucket *blob.Bucket
	config config
	id     string // of the store, in its locators

	turn    chan struct{} // holds one token: whoever has it may reserve
	numbers atomic.Int64  // of reservations
	lease

	mu      sync.Mutex
	rubbish map[string]bool // keys that could not be removed yet
}

var (
	_ spill.Creator = (*Store)(nil)
	_ spill.Keeper  = (*Store)(nil)
	_ spill.Limited = (*Store)(nil)
	_ spill.Holder  = (*Store)(nil)
	_ spill.Sweeper = (*Store)(nil)
)

// Option changes a store.
type Option func(*config)

type config struct {
	limits      spill.Limits
	name        string
	hint        string
	life        time.Duration
	beforeWrite func(as func(any) bool) error
	owned       bool
}

// DefaultLease is how long after its last sign of life a process is taken for dead.
const DefaultLease = 10 * time.Minute

const shortestLease = time.Second

// WithLimits sets other limits than [spill.DefaultLimits]. Where neither a session nor the store is limited, saves list
// nothing.
func WithLimits(limits spill.Limits) Option { return func(c *config) { c.limits = limits } }

// WithName says what the bucket is called. Locators carry a digest of the name, and are opened by stores of the same name
// only. [Open] takes the URL for the name.
func WithName(name string) Option { return func(c *config) { c.name = name } }

// WithHint sets the sentence that tells a model how to read a locator back.
func WithHint(hint string) Option { return func(c *config) { c.hint = hint } }

// WithLease sets how long after its last sign of life this process is taken for dead, in place of [DefaultLease]; at least
// a second. A sign is given four times as often.
func WithLease(life time.Duration) Option {
	return func(c *config) { c.life = max(life, shortestLease) }
}

// WithBeforeWrite has each write changed by a function before it begins, as blob.WriterOptions.BeforeWrite describes it: as
// gives access to the driver's own request, so that an access list, an encryption key or a storage class can be set. An
// error refuses the write. Given more than once, the functions are called in order.
func WithBeforeWrite(hook func(as func(any) bool) error) Option {
	return func(c *config) {
		before := c.beforeWrite
		c.beforeWrite = func(as func(any) bool) error {
			if before != nil {
				if err := before(as); err != nil {
					return err
				}
			}
			return hook(as)
		}
	}
}

// WithOwnership has [Store.Close] close the bucket, too.
func WithOwnership() Option { return func(c *config) { c.owned = true } }

// New returns the store in a bucket. The bucket stays the caller's: that nobody else can read it is the caller's care, and
// unless [WithOwnership] is given, it is to be closed after the store.
func New(bucket *blob.Bucket, options ...Option) *Store {
	c := config{
		limits: spill.DefaultLimits(), life: DefaultLease,
		hint: "Read it with the tool that opens artifacts, a part at a time.",
	}
	for _, option := range options {
		option(&c)
	}
	s := &Store{
		bucket: bucket, config: c, id: shortSum(c.name), turn: make(chan struct{}, 1), rubbish: map[string]bool{},
	}
	s.turn <- struct{}{}
	s.lease.init(c.life)
	return s
}

// Limits are the limits of the store.
func (s *Store) Limits() spill.Limits { return s.config.limits }

var errClosed = errors.New("the store is closed")

// Close ends the lease of this process, and so lets go of every session that it holds. Artifacts stay. Writers that have
// not committed fail.
func (s *Store) Close() error {
	first, err := s.end()
	if !first {
		return nil
	}
	err = errors.Join(err, s.tidy(context.Background()))
	if s.config.owned {
		err = errors.Join(err, s.bucket.Close())
	}
	if err != nil {
		return fmt.Errorf("spill/blob: close the store: %w", err)
	}
	return nil
}

func (s *Store) locator(key string) string { return locatorPrefix + s.id + "/" + key }

// Open implements [spill.Store].
func (s *Store) Open(ctx context.Context, locator string) (spill.Artifact, error) {
	a, err := s.open(ctx, locator)
	if err != nil {
		return nil, fmt.Errorf("spill/blob: open %q: %w", clip(locator), err)
	}
	return a, nil
}

func (s *Store) open(ctx context.Context, locator string) (spill.Artifact, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	key, ok := strings.CutPrefix(locator, locatorPrefix+s.id+"/")
	if ok {
		_, _, _, ok = parseArtifact(key)
	}
	if !ok {
		return nil, fmt.Errorf("it is no locator of this store: %w", spill.ErrNotFound)
	}
	attrs, err := s.bucket.Attributes(ctx, key)
	if err != nil {
		return nil, absent(err)
	}
	return &artifact{ctx: ctx, bucket: s.bucket, key: key, size: attrs.Size}, nil
}

// absent is an error of a read: whatever has the form of our keys and is not there was there.
func absent(err error) error {
	if gcerrors.Code(err) == gcerrors.NotFound {
		return spill.ErrExpired
	}
	return err
}

// clip is a locator as errors repeat it: as given, but not at any length.
func clip(locator string) string {
	const longest = 512
	if len(locator) > longest {
		return locator[:longest] + "…"
	}
	return locator
}

// write makes an object in one piece.
func (s *Store) write(ctx context.Context, key, content string, exclusive bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := s.writer(ctx, key, exclusive)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, content); err != nil {
		cancel()
		return errors.Join(err, quiet(w.Close()))
	}
	return w.Close()
}

func (s *Store) writer(ctx context.Context, key string, exclusive bool) (*blob.Writer, error) {
	return s.bucket.NewWriter(ctx, key, &blob.WriterOptions{
		ContentType: "application/octet-stream", // no driver shall look at the content to find one
		IfNotExist:  exclusive,
		BeforeWrite: s.config.beforeWrite,
	})
}

// quiet leaves out that what was cancelled was cancelled.
func quiet(err error) error {
	if errors.Is(err, context.Canceled) || gcerrors.Code(err) == gcerrors.Canceled {
		return nil
	}
	return err
}

// patience is how long cleaning up may take after the context of a caller has ended.
const patience = 10 * time.Second

// afterwards is a context for cleaning up.
func afterwards(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), patience)
}

// remove removes an object that nobody else knows of; it is gone or will be.
func (s *Store) remove(ctx context.Context, key string) error {
	ctx, cancel := afterwards(ctx)
	defer cancel()
	err := s.bucket.Delete(ctx, key)
	if err == nil || gcerrors.Code(err) == gcerrors.NotFound {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rubbish[key] = true
	return fmt.Errorf("remove it again, which is tried later once more: %w", err)
}

// tidy tries once more to remove what could not be removed.
func (s *Store) tidy(ctx context.Context) error {
	s.mu.Lock()
	keys := s.rubbish
	s.rubbish = map[string]bool{}
	s.mu.Unlock()
	var err error
	for key := range keys {
		err = errors.Join(err, s.remove(ctx, key))
	}
	return err
}

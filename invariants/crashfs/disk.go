package crashfs

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/bounding/spill"
)

// ErrCrashed is what every operation returns from the crash on.
var ErrCrashed = errors.New("the power is out")

// Disk is a disk in memory. It may be used by several goroutines, and by several stores at once, as a disk is by several
// processes.
type Disk struct {
	mu      sync.Mutex
	root    *node
	now     time.Time
	crashAt int
	crashed bool
	log     []string
}

// New returns an empty disk.
func New() *Disk {
	d := &Disk{now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	d.root = d.newDir(0o700)
	return d
}

// CrashAt makes the n-th operation fail, counted from 1 over the life of the disk, and all that come after it. 0 is never.
func (d *Disk) CrashAt(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.crashAt = n
}

// Operations returns what was done so far, one line for each operation, with the one at which the disk crashed.
func (d *Disk) Operations() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.log)
}

// Crashed reports whether the disk has crashed.
func (d *Disk) Crashed() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.crashed
}

// Advance moves the time on.
func (d *Disk) Advance(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = d.now.Add(by)
}

// Now is the time of the disk.
func (d *Disk) Now() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now
}

// Reboot returns the disk as the next process finds it, with survive percent of what was not synced, chosen by the seed.
// This disk has crashed then.
func (d *Disk) Reboot(survive int, seed uint64) *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.crashed = true
	r := rand.New(rand.NewPCG(seed, uint64(survive)))
	next := &Disk{now: d.now}
	loss := loss{survive: survive, rand: r, seen: map[*node]*node{}}
	next.root = loss.of(d.root)
	return next
}

// Walk yields every file and directory with its path, sorted. It is no operation of the disk.
func (d *Disk) Walk() iter.Seq2[string, fs.FileInfo] {
	return func(yield func(string, fs.FileInfo) bool) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.root.walk("/", yield)
	}
}

func (n *node) walk(at string, yield func(string, fs.FileInfo) bool) bool {
	for _, name := range slices.Sorted(maps.Keys(n.names)) {
		child := n.names[name]
		p := path.Join(at, name)
		if !yield(p, child.info(name)) || !child.walk(p, yield) {
			return false
		}
	}
	return true
}

// do counts an operation and says whether it can be done. The caller has the lock.
func (d *Disk) do(format string, args ...any) error {
	if d.crashed {
		return ErrCrashed
	}
	d.log = append(d.log, fmt.Sprintf(format, args...))
	if len(d.log) == d.crashAt {
		d.crashed = true
		return ErrCrashed
	}
	return nil
}

// tick is the time of the next change.
func (d *Disk) tick() time.Time {
	d.now = d.now.Add(time.Nanosecond)
	return d.now
}

// Open opens a directory by its path, and makes it and those above it, durably: it is for [spill.WithDir], and what is above
// a store is not the store's.
func (d *Disk) Open(path string) (spill.Dir, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.crashed {
		return nil, ErrCrashed
	}
	n := d.root
	for name := range strings.FieldsFuncSeq(path, func(r rune) bool { return r == '/' || r == '\\' }) {
		child := n.names[name]
		if child == nil {
			child = d.newDir(fs.ModeDir | 0o700)
			n.set(name, child)
			n.sync()
		}
		if !child.mode.IsDir() {
			return nil, fmt.Errorf("%q is no directory: %w", name, fs.ErrInvalid)
		}
		n = child
	}
	return &dir{d, n, path}, nil
}

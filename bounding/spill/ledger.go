package spill

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"
)

// The ledger counts what a store holds, for all processes that use it. Every count is made under one lock that the
// operating system takes away from a process that ends.
//
// A count may be too high, never too low: bytes are added before they can exist and taken off after they are gone. So a
// process that was killed leaves at most room that nobody uses, and before a save is refused, the directory is counted
// anew. Where nobody else has the store open, it is counted at the beginning, too, because after a power failure the
// counts may be older than the files.
//
// spec: SPL-3, SPL-5
type ledger struct {
	turn   chan struct{} // holds one token; whoever has it may use what follows
	lock   File
	lease  File
	id     string          // of the lease
	wrote  int64           // length of the lease
	held   map[string]bool // session directories in the lease
	synced map[string]bool // session directories whose names are durable
	closed bool
}

var errClosed = errors.New("the store is closed")

// enter waits for the lock. It must be followed by leave.
func (l *Local) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-l.turn:
	}
	entered := false
	defer func() { // also when the directory panics: the next one must not wait for ever
		if !entered {
			l.turn <- struct{}{}
		}
	}()
	err := l.acquire(ctx)
	entered = err == nil
	return err
}

func (l *Local) acquire(ctx context.Context) error {
	if l.closed {
		return errClosed
	}
	if l.lock == nil {
		lock, err := openOrCreate(l.dir, lockName)
		if err != nil {
			return fmt.Errorf("open the lock of the store: %w", err)
		}
		l.lock = lock
	}
	for pause := 50 * time.Microsecond; ; pause = min(2*pause, 5*time.Millisecond) {
		ok, err := l.lock.TryLock()
		if err != nil {
			return fmt.Errorf("lock the store: %w", err)
		}
		if ok {
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
	if l.lease != nil {
		return nil
	}
	started := false
	defer func() {
		if !started {
			l.unlock()
		}
	}()
	err := l.start()
	started = err == nil
	return err
}

// leave gives the lock back.
func (l *Local) leave() {
	defer func() { l.turn <- struct{}{} }()
	l.unlock()
}

// unlock lets other processes have the lock. One that cannot be given back goes with the file.
func (l *Local) unlock() {
	lock := l.lock
	l.lock = nil
	defer func() {
		if l.lock == nil {
			lock.Close()
		}
	}()
	if lock.Unlock() == nil {
		l.lock = lock
	}
}

// start takes a lease and, when no one else is there, counts everything.
func (l *Local) start() error {
	leases, err := l.leases()
	if err != nil {
		return fmt.Errorf("look for other users of the store: %w", err)
	}
	id, err := l.random()
	if err != nil {
		return fmt.Errorf("take a lease of the store: %w", err)
	}
	lease, err := l.dir.OpenFile(leasePrefix+id, os.O_RDWR|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return fmt.Errorf("take a lease of the store: %w", err)
	}
	locked, err := lease.TryLock()
	if err == nil && !locked {
		err = errors.New("another process locks everything in it")
	}
	if err == nil {
		l.id = id
		if len(leases.live) == 0 {
			_, err = l.recount()
		}
	}
	if err != nil {
		l.id = ""
		return errors.Join(fmt.Errorf("take a lease of the store: %w", err), l.dir.Remove(leasePrefix+id), lease.Close())
	}
	l.lease, l.wrote = lease, 0
	return nil
}

// hold puts a session under the lease, so that no sweep touches it.
func (l *Local) hold(session string) error {
	if l.held[session] {
		return nil
	}
	if err := l.writeLease("+" + session); err != nil {
		return err
	}
	l.held[session] = true
	return nil
}

func (l *Local) writeLease(line string) error {
	n, err := l.lease.WriteAt([]byte(line+"\n"), l.wrote)
	if err != nil {
		return fmt.Errorf("write the lease of the store: %w", err)
	}
	l.wrote += int64(n)
	return nil
}

// leaseSet is who uses the store.
type leaseSet struct {
	live map[string]bool // ids of leases, without our own
	held map[string]bool // session directories, ours and theirs
}

// leases reads the leases of live processes, and removes those of dead ones.
func (l *Local) leases() (leaseSet, error) {
	set := leaseSet{live: map[string]bool{}, held: map[string]bool{}}
	for session := range l.held {
		set.held[session] = true
	}
	entries, err := l.dir.ReadDir()
	if err != nil {
		return set, err
	}
	for _, e := range entries {
		m := leaseForm.FindStringSubmatch(e.Name())
		if m == nil || m[1] == l.id || !e.Type().IsRegular() {
			continue
		}
		held, live, err := l.readLease(e.Name())
		if err != nil {
			return set, err
		}
		if !live {
			if err := l.dir.Remove(e.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return set, err
			}
			continue
		}
		set.live[m[1]] = true
		for session := range held {
			set.held[session] = true
		}
	}
	return set, nil
}

func (l *Local) readLease(name string) (held map[string]bool, live bool, err error) {
	f, err := l.dir.OpenFile(name, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	dead, err := f.TryLock()
	if err != nil || dead {
		return nil, false, err
	}
	b, err := io.ReadAll(f)
	held = map[string]bool{}
	for line := range strings.Lines(string(b)) {
		session, ended := strings.CutSuffix(line, "\n")
		if ended && len(session) > 1 {
			if session[0] == '+' {
				held[session[1:]] = true
			} else {
				delete(held, session[1:])
			}
		}
	}
	return held, true, err
}

// reserve counts n bytes more for a session, or fewer when n is below 0, and fails when they do not fit.
func (l *Local) reserve(session Dir, name string, n int64) error {
	if n == 0 {
		return nil
	}
	used, err := readUsage(session)
	total, totalErr := readUsage(l.dir)
	over := func() error {
		if n < 0 {
			return nil
		}
		if err := SessionScope.check(l.limits.Session, used, n); err != nil {
			return err
		}
		return StoreScope.check(l.limits.Store, total, n)
	}
	if err != nil || totalErr != nil || over() != nil {
		// The counts are unknown, or so high that only the files themselves are believed.
		counted, err := l.recount()
		if err != nil {
			return fmt.Errorf("count the artifacts of the store: %w", err)
		}
		if n < 0 { // what is given back is gone already, and was not counted
			return nil
		}
		used, total = counted.sessions[name].Bytes, counted.total
		if err := over(); err != nil {
			return err
		}
	}
	if err := writeUsage(l.dir, sum(total, n)); err != nil {
		return err
	}
	return writeUsage(session, sum(used, n))
}

// usageLen is the length of a count as it is written: always the same, so that it is overwritten as a whole.
const usageLen = 20

func readUsage(d Dir) (int64, error) {
	f, err := d.OpenFile(usageName, os.O_RDONLY, 0)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var b [usageLen]byte
	if _, err := io.ReadFull(f, b[:]); err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(b[:])), 10, 64)
	if err == nil && n < 0 {
		err = strconv.ErrRange
	}
	return n, err
}

func writeUsage(d Dir, n int64) error {
	f, err := openOrCreate(d, usageName)
	if err == nil {
		_, err = f.WriteAt(fmt.Appendf(nil, "%*d\n", usageLen-1, max(n, 0)), 0)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return fmt.Errorf("write the counts of the store: %w", err)
	}
	return nil
}

// openOrCreate opens a file of the store's own books.
func openOrCreate(d Dir, name string) (File, error) {
	f, err := d.OpenFile(name, os.O_RDWR, 0)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	f, err = d.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, fileMode)
	if errors.Is(err, fs.ErrExist) {
		return d.OpenFile(name, os.O_RDWR, 0)
	}
	return f, err
}

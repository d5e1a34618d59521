package spill

import (
	"math"
	"sync"
)

// Quota counts the bytes that each session has stored. Bytes are reserved before they are written, so that writers at work
// at the same time cannot overshoot together. It may be used by several goroutines, and shared by the pipelines of a
// session and its sub-agents. The zero value has room for empty texts only.
//
// spec: OFF-10
type Quota struct {
	limit int64 // 0 or more

	mu   sync.Mutex
	used map[string]int64
}

// NewQuota returns a quota of limit bytes for each session. The limit may be reached exactly. Below 0 there is none, except
// that no session counts more than math.MaxInt64 bytes.
func NewQuota(limit int64) *Quota {
	if limit < 0 {
		limit = math.MaxInt64
	}
	return &Quota{limit: limit}
}

// Reserve counts n bytes for a session, or nothing and false when they do not fit any more.
func (q *Quota) Reserve(session string, n int64) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	used := q.used[session]
	if n < 0 || n > q.limit-used {
		return false
	}
	if q.used == nil {
		q.used = map[string]int64{}
	}
	q.used[session] = used + n
	return true
}

// Release gives back n bytes that were reserved and not written. No more is given back than is counted, and nothing below 0.
func (q *Quota) Release(session string, n int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if n = min(n, q.used[session]); n <= 0 {
		return
	}
	if q.used[session] -= n; q.used[session] == 0 {
		delete(q.used, session)
	}
}

// Used is the number of bytes counted for a session.
func (q *Quota) Used(session string) int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.used[session]
}

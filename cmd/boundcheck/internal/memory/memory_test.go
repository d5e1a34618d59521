package memory

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// percent returns how garbage is collected now, without changing it.
func percent() int {
	p := debug.SetGCPercent(-1)
	debug.SetGCPercent(p)
	return p
}

func TestLimitGivesWay(t *testing.T) {
	before := percent()
	defer debug.SetGCPercent(before)
	defer debug.SetMemoryLimit(math.MaxInt64)

	runtime.GC()
	limit := int64(live()) + 32<<20
	Limit(limit)
	runtime.GC()
	time.Sleep(10 * time.Millisecond)
	if got := percent(); got != -1 {
		t.Fatalf("with little live, garbage is collected at %d %%", got)
	}

	keep := make([]byte, limit)
	deadline := time.Now().Add(5 * time.Second)
	for percent() == -1 && time.Now().Before(deadline) {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if percent() == -1 || debug.SetMemoryLimit(-1) != math.MaxInt64 {
		t.Errorf("with %d bytes live the limit of %d stands", len(keep), limit)
	}
	runtime.KeepAlive(keep)
}

package killsweep

import (
	"os"
	"runtime"
	"strconv"
)

// sweptVar is set for processes under a sweep.
const sweptVar = "BOUNDCHECK_KILLSWEEP"

// The main goroutine starts on the main thread; bound to it here, it stays there.
func init() {
	if os.Getenv(sweptVar) != "" {
		runtime.LockOSThread()
	}
}

// readyPath and the number of the process, which is that of its main thread, are opened to be seen in the log of strace.
// Nothing is there.
const readyPath = "/proc/self/boundcheck-killsweep-ready-"

// Ready says that the calls that follow are to be met. It must be called once, by the main goroutine.
func Ready() {
	if f, err := os.Open(readyPath + strconv.Itoa(os.Getpid())); err == nil {
		f.Close()
	}
}

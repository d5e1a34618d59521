package pass

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// PanicOrigin says in which function the panic that is being recovered from arose. It is meant for bug reports, in
// which a message such as "index out of range" alone helps nobody, and has to be called by the deferred function.
func PanicOrigin() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	panicking := false
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			panicking = true
		case panicking && !strings.HasPrefix(f.Function, "runtime."):
			return fmt.Sprintf("in %s, %s:%d", path.Base(f.Function), path.Base(f.File), f.Line)
		}
		if !more {
			return "at an unknown place"
		}
	}
}

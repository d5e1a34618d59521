package killsweep

import (
	"strings"
	"testing"
)

// What strace writes when threads interrupt each other, and when faults meet what they are not meant for.
func TestOutcome(t *testing.T) {
	const ready = `7 openat(AT_FDCWD</w>, "/proc/self/boundcheck-killsweep-ready-7", O_RDONLY|O_CLOEXEC) = -1 ENOENT (No such file or directory)
`
	const start = `7  openat(AT_FDCWD</w>, "/sys/kernel/mm", O_RDONLY) = 3</sys/kernel/mm>
7  close(3</sys/kernel/mm>) = 0
` + ready
	kill, eio := Fault{Call: "fsync"}, Fault{Call: "fsync", Error: "EIO"}
	const end = "8 +++ killed by SIGKILL +++\n7 +++ killed by SIGKILL +++\n"
	for name, c := range map[string]struct {
		log   string
		fault Fault
		n     int
		want  fate
	}{
		"killed":                    {start + "7 fsync(4</d/a>) = ?\n" + end, kill, 1, hit},
		"killed, not finished":      {start + "7 fsync(4</d/a> <unfinished ...>\n" + end, kill, 1, hit},
		"killed at the second":      {start + "7 fsync(4</d/a>) = 0\n7 fsync(4</d/a>) = ?\n" + end, kill, 2, hit},
		"killed too early":          {start + "7 fsync(4</d/a>) = ?\n" + end, kill, 2, missed},
		"killed elsewhere":          {start + "7 fsync(4</e/a>) = ?\n" + end, kill, 1, missed},
		"killed by another thread":  {start + "7 fsync(4</d/a>) = 0\n8 fsync(4</d/a>) = ?\n" + end, kill, 1, missed},
		"killed at another call":    {start + "7 fsync(4</d/a>) = 0\n7 close(4</d/a>) = ?\n" + end, kill, 1, missed},
		"killed before Ready":       {"7 fsync(4</d/a>) = ?\n" + end, kill, 1, missed},
		"through":                   {start + "7 fsync(4</d/a>) = 0\n7 +++ exited with 0 +++\n", kill, 2, survived},
		"failed":                    {start + "7 fsync(4</d/a>) = -1 EIO (Input/output error) (INJECTED)\n", eio, 1, hit},
		"failed after a pause":      {start + "7 fsync(4</d/a> <unfinished ...>\n8 close(9</x>) = 0\n7 <... fsync resumed>) = -1 EIO (Input/output error) (INJECTED)\n", eio, 1, hit},
		"failed by itself":          {start + "7 fsync(4</d/a>) = -1 EIO (Input/output error)\n", eio, 1, survived},
		"failed elsewhere":          {start + "7 fsync(4</e/a>) = -1 EIO (Input/output error) (INJECTED)\n", eio, 1, missed},
		"failed too late":           {start + "7 fsync(4</d/a>) = 0\n7 fsync(4</d/a>) = -1 EIO (Input/output error) (INJECTED)\n", eio, 1, missed},
		"failed in another thread":  {start + "8 fsync(4</d/a>) = -1 EIO (Input/output error) (INJECTED)\n", eio, 1, missed},
		"failed before Ready":       {"7 fsync(4</d/a>) = -1 EIO (Input/output error) (INJECTED)\n" + start, eio, 1, missed},
		"Ready from another thread": {strings.Replace(start, "7 openat(AT", "8 openat(AT", 1) + "8 fsync(4</d/a>) = ?\n" + end, kill, 1, missed},
	} {
		l, err := parse(strings.NewReader(c.log), "/d", "/d")
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := l.outcome(c.fault, c.n); got.fate != c.want {
			t.Errorf("%s: %v, want %v", name, got.fate, c.want)
		}
	}
	l, err := parse(strings.NewReader(start+"7 openat(4</d>, \"a\", O_RDONLY) = 5</d/a>\n"), "/d", "/d")
	if err != nil || !l.ready || l.before["openat"] != 2 || l.before["close"] != 1 || len(l.calls) != 1 || !l.calls[0].below {
		t.Errorf("%+v, %v", l, err)
	}
}

package killsweep

import (
	"bufio"
	"io"
	"strings"
)

// log is what strace saw of the thread that said Ready.
type log struct {
	ready     bool
	killed    bool           // by a signal that cannot be caught
	elsewhere bool           // a call failed that came before Ready, or was made by another thread
	before    map[string]int // how many calls of each name came before, the one of Ready included
	calls     []call         // those after
}

type call struct {
	name     string
	text     string // shortened, without what is above the directory of the run
	below    bool   // on a file that counts
	injected bool
	returned bool
}

// parse reads the log of one run. Calls on what is below a directory count.
func parse(r io.Reader, dir, below string) (log, error) {
	var l log
	threads := map[string][]call{}
	main := ""
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			break
		}
		if err != nil {
			return l, err
		}
		thread, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		rest = strings.TrimLeft(rest, " ")
		if strings.HasPrefix(rest, "+++ killed by SIGKILL") {
			l.killed = true
		}
		list := threads[thread]
		switch name, _, isCall := strings.Cut(rest, "("); {
		case strings.HasPrefix(rest, "<... ") && len(list) > 0: // the end of a call whose beginning stands further up
			list[len(list)-1].finish(rest)
		case isCall && !strings.ContainsAny(name, " +-<"):
			c := call{name: name, text: shorten(rest, dir), below: strings.Contains(rest, below)}
			if !strings.HasSuffix(rest, "<unfinished ...>") {
				c.finish(rest)
			}
			if main == "" && strings.Contains(rest, readyPath+thread+`"`) {
				main, l.ready, l.before = thread, true, count(append(list, c))
				l.elsewhere = injected(list)
				list = nil
				break
			}
			list = append(list, c)
		}
		threads[thread] = list
	}
	l.calls = threads[main]
	for thread, list := range threads {
		l.elsewhere = l.elsewhere || thread != main && injected(list)
	}
	return l, nil
}

func (c *call) finish(rest string) {
	c.injected = strings.HasSuffix(rest, "(INJECTED)")
	c.returned = !strings.HasSuffix(rest, "= ?")
}

func count(list []call) map[string]int {
	n := map[string]int{}
	for _, c := range list {
		n[c.name]++
	}
	return n
}

func injected(list []call) bool {
	for _, c := range list {
		if c.injected {
			return true
		}
	}
	return false
}

// shorten is a call as a report shows it.
func shorten(s, dir string) string {
	const longest = 200
	s = strings.ReplaceAll(s, dir, "")
	if len(s) > longest {
		return s[:longest] + "…"
	}
	return s
}

func (l log) after(name string) (list []call) {
	for _, c := range l.calls {
		if c.name == name {
			list = append(list, c)
		}
	}
	return list
}

// fate is what a fault did to a run.
type fate uint8

const (
	survived fate = iota
	hit
	missed // it met another call than was meant
)

type outcome struct {
	fate fate
	call string
}

// outcome finds out what was met in a run in which the n-th call after Ready was meant.
func (l log) outcome(f Fault, n int) outcome {
	list := l.after(f.Call)
	if f.Error == "" {
		if !l.killed {
			return outcome{}
		}
		if len(list) == n {
			if c := list[n-1]; c == l.calls[len(l.calls)-1] && c.below && !c.returned {
				return outcome{hit, c.text}
			}
		}
		return outcome{fate: missed}
	}
	for i, c := range list {
		if !c.injected {
			continue
		}
		if i == n-1 && c.below {
			return outcome{hit, c.text}
		}
		return outcome{missed, c.text}
	}
	if l.elsewhere {
		return outcome{fate: missed}
	}
	return outcome{}
}

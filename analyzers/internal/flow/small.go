package flow

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/boundcheck/boundcheck/analyzers/internal/model"
)

// smallCommands are programs that print a line or two, whatever they are used on. A word after the name is the first
// argument that is no flag.
var smallCommands = map[string]bool{
	"arch": true, "basename": true, "date": true, "dirname": true, "hostname": true, "id": true, "logname": true,
	"mktemp": true, "nproc": true, "pwd": true, "readlink": true, "realpath": true, "sw_vers": true, "tty": true,
	"uname": true, "uptime": true, "whereis": true, "which": true, "whoami": true,
	"git describe": true, "git hash-object": true, "git merge-base": true, "git rev-parse": true,
	"git symbolic-ref": true, "git write-tree": true,
	"go version": true,
}

// severalRefs are flags with which git speaks of any number of things.
var severalRefs = lazy(`^--(all|tags|branches|remotes|glob|exclude)\b`)

// smallOutput reports whether a source gives next to nothing because of what it is asked for.
func (f *function) smallOutput(r model.Rule, c *ssa.CallCommon) bool {
	if r.Kind == "kubernetes" && len(c.Args) > 0 {
		for _, a := range variadic(c.Args[len(c.Args)-1]) {
			if constText(a, 0) == "scale" {
				return true // a part of an object, with two numbers in it
			}
		}
	}
	name, _, _ := calleeName(c)
	if r.Kind == "file" && name == "Glob" {
		for _, a := range f.args(c) {
			if strings.HasPrefix(constText(a, 0), "/dev/") {
				return true // devices are few, and so are their names
			}
		}
	}
	if r.Kind != "process" {
		return false
	}
	recv, _ := receiver(c)
	call, ok := recv.(*ssa.Call)
	if !ok {
		return false
	}
	if name, _, _ = calleeName(&call.Call); !strings.HasPrefix(name, "Command") {
		return false
	}
	var words []string
	n := 0
	valued := false
	for _, a := range f.args(&call.Call) {
		if isContext(a.Type()) || isNil(a) {
			continue
		}
		if !isText(a.Type()) {
			return false // a list of arguments that cannot be seen
		}
		w := constText(a, 0)
		n++
		switch {
		case valued:
			valued = false
		case severalRefs.MatchString(w):
			return false
		case w == "-c" && len(words) == 1:
			valued = true // git -C dir, git -c key=value; constants are read in lower case
		case w == "--version" && len(words) == 1, w == "--show-current":
			return true
		case !strings.HasPrefix(w, "-"):
			words = append(words, w)
		}
	}
	if len(words) == 0 || words[0] == "go" && n > 2 {
		return false
	}
	return smallCommands[words[0]] || len(words) > 1 && smallCommands[words[0]+" "+words[1]]
}

package crashfs

import (
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"time"
)

// node is a file or a directory: what is there now, what is durable, and what was done since.
type node struct {
	mode     fs.FileMode
	modified time.Time
	lock     *file // the open file that has the lock

	// of a file
	data, safe []byte
	writes     []write

	// of a directory
	names, safeNames map[string]*node
	changes          []change
}

type write struct {
	at   int64
	data []byte
}

// change is one change of the names in a directory: the name to goes to a node, and from, if it is not empty, goes away. A
// removal has no node.
type change struct {
	from, to string
	node     *node
}

func (d *Disk) newDir(mode fs.FileMode) *node {
	return &node{mode: fs.ModeDir | mode, modified: d.tick(), names: map[string]*node{}, safeNames: map[string]*node{}}
}

func (d *Disk) newFile(mode fs.FileMode) *node { return &node{mode: mode, modified: d.tick()} }

func (n *node) writeAt(p []byte, at int64) {
	n.data = written(n.data, p, at)
	n.writes = append(n.writes, write{at, slices.Clone(p)})
}

// written returns data after a write, with zeros in a gap.
func written(data, p []byte, at int64) []byte {
	if grow := at + int64(len(p)) - int64(len(data)); grow > 0 {
		data = append(data, make([]byte, grow)...)
	}
	copy(data[at:], p)
	return data
}

func (n *node) set(name string, child *node) { n.apply(change{to: name, node: child}) }

func (n *node) apply(c change) {
	c.on(n.names)
	n.changes = append(n.changes, c)
}

func (c change) on(names map[string]*node) {
	if c.from != "" {
		delete(names, c.from)
	}
	if c.node == nil {
		delete(names, c.to)
	} else {
		names[c.to] = c.node
	}
}

func (n *node) sync() {
	if n.mode.IsDir() {
		n.safeNames, n.changes = maps.Clone(n.names), nil
	} else {
		n.safe, n.writes = slices.Clone(n.data), nil
	}
}

// loss makes the disk after a crash of the disk before.
type loss struct {
	survive int
	rand    *rand.Rand
	seen    map[*node]*node
}

// spares decides about one thing that was not synced.
func (l *loss) spares() bool { return l.rand.IntN(100) < l.survive }

// of returns what is left of a node. All of it is durable then.
func (l *loss) of(n *node) *node {
	if left, ok := l.seen[n]; ok {
		return left
	}
	left := &node{mode: n.mode, modified: n.modified}
	l.seen[n] = left
	if !n.mode.IsDir() {
		left.data = slices.Clone(n.safe)
		for _, w := range n.writes {
			switch {
			case l.spares():
				left.data = written(left.data, w.data, w.at)
			case l.survive > 0 && l.spares(): // a part of it
				left.data = written(left.data, w.data[:l.rand.IntN(len(w.data)+1)], w.at)
			}
		}
		left.safe = slices.Clone(left.data)
		return left
	}
	names := maps.Clone(n.safeNames)
	for _, c := range n.changes {
		if l.spares() {
			c.on(names)
		}
	}
	left.names = make(map[string]*node, len(names))
	for _, name := range slices.Sorted(maps.Keys(names)) {
		left.names[name] = l.of(names[name])
	}
	left.safeNames = maps.Clone(left.names)
	return left
}

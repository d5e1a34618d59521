package bounding

import "slices"

// File is what one slot has to do with files.
type File struct {
	Use FileUse
	// Paths are the files that the call may have been about. A result whose call cannot be found has none.
	Paths []string
}

// Evictions tells which files' contents may have left the history with a plan, in the order in which they were first seen,
// and for how many cleared results that cannot be told. A file is still vouched for by a result in the keep window that
// wrote it with success, and by nothing else: what was read or edited may have been cut, and what is pending may never be sent. Only a
// result with exactly one path vouches.
//
// Without a function nothing can be told. With unresolved above 0 nothing can be relied on any more.
//
// spec: WMK-7
func Evictions(p ClearPlan, file func(slot int) File) (paths []string, unresolved int) {
	if file == nil {
		return nil, len(p.Cleared)
	}
	vouched := map[string]bool{}
	for _, i := range p.Kept {
		if _, failed := slices.BinarySearch(p.KeptFailed, i); failed {
			continue // what failed has written nothing that can be relied on
		}
		if f := file(i); f.Use == WritesFile && len(distinct(f.Paths)) == 1 {
			vouched[f.Paths[0]] = true
		}
	}
	seen := map[string]bool{}
	for _, i := range p.Cleared {
		f := file(i)
		if f.Use == NoFile {
			continue
		}
		if len(f.Paths) == 0 {
			unresolved++
		}
		for _, path := range f.Paths {
			if !vouched[path] && !seen[path] {
				seen[path] = true
				paths = append(paths, path)
			}
		}
	}
	return paths, unresolved
}

func distinct(paths []string) map[string]bool {
	set := map[string]bool{}
	for _, p := range paths {
		set[p] = true
	}
	return set
}

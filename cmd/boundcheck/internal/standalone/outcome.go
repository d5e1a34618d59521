package standalone

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/analyzers/finding"
	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/fix"
)

// outcome names files relative to the working directory. Fingerprints are made before that, from the module path
// and the name within the module, so that they are the same whatever the directory is.
func (c *checker) outcome() *Outcome {
	slices.SortStableFunc(c.fixes, fix.Compare)
	findings := make([]finding.Finding, len(c.places))
	names := map[string]string{} // within the module -> as shown
	for i, p := range c.places {
		findings[i] = p.Finding
		shown := c.name(p.Finding.File)
		inModule := shown
		if p.module != nil {
			if rel, err := filepath.Rel(p.module.Dir, p.Finding.File); err == nil {
				inModule = p.module.Path + "/" + filepath.ToSlash(rel)
			}
		}
		names[inModule] = shown
		f := &findings[i]
		f.File = inModule
		if f.Source != nil {
			s := *f.Source
			s.File = c.name(s.File)
			f.Source = &s
		}
		f.Path = slices.Clone(f.Path)
		for j := range f.Path {
			f.Path[j].File = c.name(f.Path[j].File)
		}
	}
	finding.SealAll(findings)
	for i := range findings {
		findings[i].File = names[findings[i].File]
	}
	finding.Sort(findings)
	return &Outcome{Findings: findings, Problems: c.broken, Fixes: c.fixes}
}

// name returns the file name as it is shown: relative for files of the main modules and those below the working
// directory, absolute for others.
func (c *checker) name(file string) string {
	for _, dir := range slices.Concat(c.dirs, []string{c.opt.Dir}) {
		if strings.HasPrefix(file, dir+string(filepath.Separator)) {
			if rel, err := filepath.Rel(c.opt.Dir, file); err == nil {
				return filepath.ToSlash(rel)
			}
		}
	}
	return filepath.ToSlash(file)
}

package blob_test

import (
	"errors"
	"go/build"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Whoever imports the model gets the standard library, x/sys and our own packages. Two packages may import more, and
// nothing but their own tests imports them.
func TestImportsOfTheModel(t *testing.T) {
	const module = "github.com/boundcheck/boundcheck/"
	more := map[string][]string{
		"bounding/spill/blob":      {"gocloud.dev/blob", "gocloud.dev/blob/fileblob", "gocloud.dev/blob/memblob", "gocloud.dev/gcerrors"},
		"bounding/spill/spilltest": {"github.com/google/go-cmp/cmp"},
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	packages := 0
	err = filepath.WalkDir(filepath.Join(root, "bounding"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if d.Name() == "testdata" || d.Name() == "clouds" { // clouds is another module
			return fs.SkipDir
		}
		context := build.Default
		context.UseAllFiles = true
		p, err := context.ImportDir(path, 0)
		var none *build.NoGoError
		if errors.As(err, &none) {
			return nil
		}
		if err != nil {
			return err
		}
		if len(p.GoFiles) == 0 { // tests only
			return nil
		}
		packages++
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		for _, imported := range p.Imports {
			first, _, _ := strings.Cut(imported, "/")
			ours, internal := strings.CutPrefix(imported, module)
			switch {
			case internal && more[ours] == nil && (ours == "bounding" || strings.HasPrefix(ours, "bounding/")):
			case !internal && !strings.Contains(first, "."):
			case strings.HasPrefix(imported, "golang.org/x/sys/"):
			case slices.Contains(more[name], imported):
			default:
				t.Errorf("%s imports %s", name, imported)
			}
		}
		return nil
	})
	if err != nil || packages < 5 {
		t.Errorf("looked at %d packages: %v", packages, err)
	}
}

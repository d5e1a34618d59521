package unit

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/analysis"

	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/settings"
)

// identity returns the answer to -V=full: the word devel makes the go command take what follows buildID= for the
// identity of the program. It covers the executable and the model files that [modelDirs] and the environment name.
//
// The analyzers are part of it too: an executable that goes by several names may run others under each.
func identity(analyzers []*analysis.Analyzer) (string, error) {
	h := sha256.New()
	for _, a := range analyzers {
		fmt.Fprintf(h, "analyzer %q\n", a.Name)
	}
	exe, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("the program cannot find its own executable: %w", err)
	}
	if err := hashFile(h, exe); err != nil {
		return "", fmt.Errorf("the program cannot read its own executable: %w", err)
	}
	wd, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("the working directory is not known: %w", err)
	}
	models := settings.EnvModels()
	for _, dir := range modelDirs(wd) {
		found, err := filepath.Glob(filepath.Join(dir, "*.model"))
		if err != nil {
			return "", fmt.Errorf("the model files in %s cannot be listed: %w", dir, err)
		}
		models = append(models, found...)
	}
	for _, file := range models {
		fmt.Fprintf(h, "model %q\n", file)
		// A file that cannot be read is reported by the unit that needs it.
		if err := hashFile(h, file); err != nil {
			fmt.Fprintf(h, "unreadable\n")
		}
	}
	return fmt.Sprintf("boundcheck version devel buildID=%x", h.Sum(nil)), nil
}

func hashFile(h hash.Hash, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(h, f)
	return err
}

// modelDirs lists the directories where a change to a model file is noticed: that of go.work and those of the
// modules it uses, if there is one above dir, and that of the nearest go.mod. Relative names of model files are
// understood below the first of them.
func modelDirs(dir string) []string {
	var dirs []string
	if work := workFile(dir); work != "" {
		base := filepath.Dir(work)
		dirs = append(dirs, base)
		if data, err := os.ReadFile(work); err == nil {
			// A broken go.work is for the go command to report.
			if f, err := modfile.ParseWork(work, data, nil); err == nil {
				for _, use := range f.Use {
					p := filepath.FromSlash(use.Path)
					if !filepath.IsAbs(p) {
						p = filepath.Join(base, p)
					}
					dirs = append(dirs, p)
				}
			}
		}
	}
	if mod := above(dir, "go.mod"); mod != "" && !slices.Contains(dirs, filepath.Dir(mod)) {
		dirs = append(dirs, filepath.Dir(mod))
	}
	return dirs
}

func workFile(dir string) string {
	switch env := os.Getenv("GOWORK"); env {
	case "":
		return above(dir, "go.work")
	case "off":
		return ""
	default:
		return env
	}
}

// above returns the file of that name in dir or the nearest directory above it, or nothing.
func above(dir, name string) string {
	for {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && !info.IsDir() {
			return file
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// setModels gives the model files to the analyzers, if a change to each of them would be noticed.
func setModels(s *settings.Settings, dir string) error {
	dirs := modelDirs(dir)
	base := dir
	if len(dirs) > 0 {
		base = dirs[0]
	}
	for _, file := range s.ModelFlags() {
		abs := file
		if !filepath.IsAbs(abs) {
			abs = filepath.Join(base, abs)
		}
		if !slices.Contains(dirs, filepath.Dir(abs)) || !strings.HasSuffix(abs, ".model") {
			return fmt.Errorf("model file %s: go vet would not notice a change to it; put it beside go.mod with a name that ends in .model, "+
				"or name it in the environment, as in %s=%s", file, settings.ModelEnv, abs)
		}
	}
	return s.SetModels(base)
}

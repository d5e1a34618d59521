// Package settings holds the flags that mean the same under go vet and in the standalone command.
//
// An analyzer's own flags are there twice: as analyzer.flag, which sets one analyzer, and as flag, which sets every
// analyzer that has it. A flag called model is special. It names a file, may be given several times, and its value
// has to be resolved and checked before an analyzer sees it: see [Settings.SetModels].
package settings

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/boundcheck/boundcheck/cmd/boundcheck/internal/pass"
)

// ModelEnv is the environment variable with more model files, separated like the entries of PATH.
const ModelEnv = "BOUNDCHECK_MODEL"

const modelFlag = "model"

// Settings are the values of the shared flags.
type Settings struct {
	Scope pass.Scope

	all    []*analysis.Analyzer
	chosen map[*analysis.Analyzer]*choice
	models []model
}

// A model is one value of a model flag and those it is meant for.
type model struct {
	file  string
	flags []*flag.Flag
}

// New returns settings for the analyzers, with nothing set.
func New(all []*analysis.Analyzer) *Settings {
	s := &Settings{all: all, chosen: map[*analysis.Analyzer]*choice{}}
	for _, a := range all {
		s.chosen[a] = new(choice)
	}
	return s
}

// Register defines the flags in a flag set.
func (s *Settings) Register(fs *flag.FlagSet) {
	s.scope(fs, &s.Scope.Tests, "tests", "report in test files too")
	s.scope(fs, &s.Scope.Generated, "generated", "report in generated files too")
	shared := map[string][]*flag.Flag{}
	var order []string
	for _, a := range s.all {
		fs.Var(s.chosen[a], a.Name, "run this analyzer and no other that is not named; with =false all but this one: "+firstLine(a.Doc))
		a.Flags.VisitAll(func(f *flag.Flag) {
			fs.Var(s.value([]*flag.Flag{f}), a.Name+"."+f.Name, f.Usage)
			if shared[f.Name] == nil {
				order = append(order, f.Name)
			}
			shared[f.Name] = append(shared[f.Name], f)
		})
	}
	for _, name := range order {
		if fs.Lookup(name) == nil {
			fs.Var(s.value(shared[name]), name, shared[name][0].Usage)
		}
	}
}

// scope defines a flag that the drivers obey. An analyzer that has it too, because other drivers do not, gets its value.
func (s *Settings) scope(fs *flag.FlagSet, target *bool, name, usage string) {
	own := flag.NewFlagSet("", flag.ContinueOnError)
	own.BoolVar(target, name, false, usage)
	flags := []*flag.Flag{own.Lookup(name)}
	for _, a := range s.all {
		if f := a.Flags.Lookup(name); f != nil {
			flags = append(flags, f)
		}
	}
	fs.Var(&sharedValue{flags}, name, usage)
}

func firstLine(doc string) string {
	line, _, _ := strings.Cut(doc, "\n")
	return line
}

func (s *Settings) value(flags []*flag.Flag) flag.Value {
	if flags[0].Name == modelFlag {
		return &modelValue{s, flags}
	}
	return &sharedValue{flags}
}

// Analyzers returns those that were chosen: the ones named on the command line, or else all but those that were
// switched off.
func (s *Settings) Analyzers() []*analysis.Analyzer {
	var named, rest []*analysis.Analyzer
	for _, a := range s.all {
		switch *s.chosen[a] {
		case on:
			named = append(named, a)
		case unset:
			rest = append(rest, a)
		}
	}
	if len(named) > 0 {
		return named
	}
	return rest
}

// SetModels hands the model files to the analyzers: those of the environment first, then those of the flags.
// Relative names are understood below dir. The error says which file cannot be read.
func (s *Settings) SetModels(dir string) error {
	for _, m := range s.modelFiles() {
		file := m.file
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		if err := readable(file); err != nil {
			return fmt.Errorf("model file %s cannot be read: %w", file, reason(err))
		}
		for _, f := range m.flags {
			if err := f.Value.Set(file); err != nil {
				return fmt.Errorf("model file %s is not usable: %w", file, err)
			}
		}
	}
	return nil
}

// ModelFlags returns the files that were given by flag, as they were written.
func (s *Settings) ModelFlags() []string {
	var files []string
	for _, m := range s.models {
		files = append(files, m.file)
	}
	return files
}

// EnvModels returns the model files that the environment names.
func EnvModels() []string {
	var files []string
	for _, file := range filepath.SplitList(os.Getenv(ModelEnv)) {
		if file != "" {
			files = append(files, file)
		}
	}
	return files
}

func (s *Settings) modelFiles() []model {
	var flags []*flag.Flag
	for _, a := range s.all {
		if f := a.Flags.Lookup(modelFlag); f != nil {
			flags = append(flags, f)
		}
	}
	var files []model
	for _, file := range EnvModels() {
		files = append(files, model{file, flags})
	}
	return append(files, s.models...)
}

// readable tries the first byte: a directory can be opened but not read.
func readable(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Read(make([]byte, 1)); err != nil && err != io.EOF {
		return err
	}
	return nil
}

// reason is what is wrong with a file, without its name, which the caller says.
func reason(err error) error {
	if pe, ok := err.(*os.PathError); ok {
		return pe.Err
	}
	return err
}

// A choice is whether an analyzer was named on the command line.
type choice int

const (
	unset choice = iota
	on
	off
)

func (c *choice) IsBoolFlag() bool { return true }
func (c *choice) Type() string     { return "bool" } // for the help text
func (c *choice) String() string {
	if c == nil || *c == unset {
		return ""
	}
	return strconv.FormatBool(*c == on)
}

func (c *choice) Set(s string) error {
	b, err := strconv.ParseBool(s)
	if err != nil {
		return fmt.Errorf("want true or false")
	}
	*c = off
	if b {
		*c = on
	}
	return nil
}

// A sharedValue sets one flag of several analyzers.
type sharedValue struct{ flags []*flag.Flag }

func (v *sharedValue) IsBoolFlag() bool {
	b, ok := v.flags[0].Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

func (v *sharedValue) Type() string {
	if v.IsBoolFlag() {
		return "bool"
	}
	return "value"
}

func (v *sharedValue) String() string {
	if len(v.flags) == 0 {
		return ""
	}
	return v.flags[0].Value.String()
}

func (v *sharedValue) Set(s string) error {
	for _, f := range v.flags {
		if err := f.Value.Set(s); err != nil {
			return err
		}
	}
	return nil
}

// A modelValue notes the name of a model file.
type modelValue struct {
	settings *Settings
	flags    []*flag.Flag
}

func (v *modelValue) Type() string   { return "file" }
func (v *modelValue) String() string { return "" }

func (v *modelValue) Set(s string) error {
	if s == "" {
		return fmt.Errorf("want the name of a file")
	}
	v.settings.models = append(v.settings.models, model{s, v.flags})
	return nil
}

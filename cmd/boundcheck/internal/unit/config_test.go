package unit

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// decode reads a description as the go command writes it, with a package of two files and a test file in dir.
func decode(t *testing.T, dir, text string) *config {
	t.Helper()
	cfg := &config{}
	if err := json.Unmarshal([]byte(text), cfg); err != nil {
		t.Fatal(err)
	}
	cfg.Dir = dir
	for i, name := range cfg.GoFiles {
		cfg.GoFiles[i] = filepath.Join(dir, name)
	}
	for i, name := range cfg.IgnoredFiles {
		cfg.IgnoredFiles[i] = filepath.Join(dir, name)
	}
	return cfg
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestJob(t *testing.T) {
	tested, untested := t.TempDir(), t.TempDir()
	write(t, tested, map[string]string{"a.go": "package a\n", "a_test.go": "package a\n"})
	write(t, untested, map[string]string{
		"a.go":        "package a\n",
		"x_test.go":   "package a_test\n",
		"off_test.go": "//go:build never\n\npackage a\n",
		"bad_test.go": "pack",
	})
	const (
		main126  = `"ModulePath": "m", "ModuleVersion": ""`
		dep126   = `"ModulePath": "d", "ModuleVersion": "v1.0.0"`
		std126   = `"ModulePath": "", "ModuleVersion": ""`
		main127  = `"Module": {"Path": "m", "Main": true}`
		dep127   = `"Module": {"Path": "d", "Version": "v1.0.0"}`
		local127 = `"Module": {"Path": "d", "Replace": {"Path": "../d"}}`
	)
	for _, test := range []struct {
		name  string
		dir   string
		text  string
		tests bool
		want  job
	}{
		{"named", untested, `{"GoFiles": ["a.go"], ` + main126 + `}`, false, everything},
		{"named outside", untested, `{"GoFiles": ["a.go"], ` + dep126 + `}`, false, everything},
		{"imported std", untested, `{"VetxOnly": true, "GoFiles": ["a.go"], ` + std126 + `}`, false, nothing},
		{"imported outside", untested, `{"VetxOnly": true, "GoFiles": ["a.go"], ` + dep126 + `}`, false, nothing},
		{"imported main", untested, `{"VetxOnly": true, "GoFiles": ["a.go"], "IgnoredFiles": ["off_test.go"], ` + main126 + `}`, false, everything},
		{"imported main, with tests", tested, `{"VetxOnly": true, "GoFiles": ["a.go"], ` + main126 + `}`, false, factsOnly},
		{"imported std, 1.27", untested, `{"VetxOnly": true, "GoFiles": ["a.go"]}`, false, nothing},
		{"imported outside, 1.27", untested, `{"VetxOnly": true, "GoFiles": ["a.go"], ` + dep127 + `}`, false, nothing},
		{"imported outside but local, 1.27", untested, `{"VetxOnly": true, "GoFiles": ["a.go"], ` + local127 + `}`, false, nothing},
		{"imported main, 1.27", untested, `{"VetxOnly": true, "GoFiles": ["a.go"], ` + main127 + `}`, false, factsOnly},
		{"named, 1.27", untested, `{"GoFiles": ["a.go"], ` + main127 + `}`, false, everything},
		{"external tests", untested, `{"GoFiles": ["x_test.go"], ` + main126 + `}`, false, nothing},
		{"external tests wanted", untested, `{"GoFiles": ["x_test.go"], ` + main126 + `}`, true, everything},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := decode(t, test.dir, test.text).job(test.tests); got != test.want {
				t.Errorf("job %v, want %v", got, test.want)
			}
		})
	}
}

// Without tests, the test variant of a package is the package itself.
func TestJobDropsTestFiles(t *testing.T) {
	cfg := decode(t, t.TempDir(), `{"GoFiles": ["a.go", "a_test.go"], "ModulePath": "m"}`)
	cfg.job(true)
	if len(cfg.GoFiles) != 2 {
		t.Errorf("files %v, want both", cfg.GoFiles)
	}
	cfg.job(false)
	if len(cfg.GoFiles) != 1 || filepath.Base(cfg.GoFiles[0]) != "a.go" {
		t.Errorf("files %v, want a.go", cfg.GoFiles)
	}
}

// The facts of what is not analysed are an empty file, and nothing of the unit is read for it.
func TestOutsideIsAnsweredUnread(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"vet.cfg": `{
		"ImportPath": "d", "ModulePath": "d", "ModuleVersion": "v1.0.0", "VetxOnly": true,
		"GoFiles": ["/does/not/exist.go"], "PackageVetx": {"e": "/does/not/exist"},
		"VetxOutput": ` + quoted(filepath.Join(dir, "vet.out")) + `, "Stdout": ` + quoted(filepath.Join(dir, "vet.stdout")) + `}`})
	if code := Main([]string{"-json", filepath.Join(dir, "vet.cfg")}, nil, os.Stdout, os.Stderr); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	data, err := os.ReadFile(filepath.Join(dir, "vet.out"))
	if err != nil || len(data) != 0 {
		t.Errorf("facts %q, %v; want an empty file", data, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "vet.stdout")); err == nil {
		t.Error("there is output")
	}
}

func quoted(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(data)
}

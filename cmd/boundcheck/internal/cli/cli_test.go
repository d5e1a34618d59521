package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestTwoDashes(t *testing.T) {
	flags := (&App{Stdout: os.Stdout, Stderr: os.Stderr}).root().Flags()
	for _, test := range []struct{ in, want string }{
		{"-json ./...", "--json ./..."},
		{"--json", "--json"},
		{"-json=false", "--json=false"},
		{"-tags a,b ./...", "--tags a,b ./..."},
		{"-C dir -json", "-C dir --json"},
		{"-Cdir", "-Cdir"},
		{"-chdir=dir", "--chdir=dir"},
		{"-h", "-h"},
		{"-help", "--help"},
		{"-nope", "--nope"},
		{"-", "-"},
		{"./... -- -json", "./... -- -json"},
	} {
		if got := twoDashes(flags, strings.Fields(test.in)); !slices.Equal(got, strings.Fields(test.want)) {
			t.Errorf("%s becomes %v, want %s", test.in, got, test.want)
		}
	}
}

func TestProgress(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if progress(file) != nil {
		t.Error("progress is written to a file")
	}
	terminal, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	if progress(terminal) == nil {
		t.Error("no progress on a terminal")
	}
}

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestHeadOfCheckout(t *testing.T) {
	git := func(dir string, args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=n", "-c", "user.email=e@example.org"}, args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	dir := t.TempDir()
	git(dir, "init", "-q")
	git(dir, "commit", "-q", "--allow-empty", "-m", "one")
	head := git(dir, "rev-parse", "HEAD")
	inside := filepath.Join(dir, "inside")
	if err := os.Mkdir(inside, 0o755); err != nil {
		t.Fatal(err)
	}
	other := "0000000"
	for _, tt := range []struct{ dir, commit, want string }{
		{dir, head[:7], ""},
		{dir, head, ""},
		{dir, other, "the checkout is at " + head + " but the labels are for " + other},
		{inside, head, "no git metadata"},
	} {
		got := checkHead(t.Context(), tt.dir, tt.commit)
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s against %s: %q, want %q", tt.dir, tt.commit, got, tt.want)
		}
	}
}

func TestUnreadableTable(t *testing.T) {
	head := strings.Join(columns, "\t") + "\n"
	for table, want := range map[string]string{
		"":                      "no labelled site",
		head:                    "no labelled site",
		"repo\tcommit\tfile\n":  `t.tsv:1: the header has no column "line"`,
		head + "o/r\tc\ta.go\n": "t.tsv:2: 3 cells where the header has 9",
		head + "o/r\tc\ta.go\tx\tH\tU\t-\tf\tdyn\n":                                   `t.tsv:2: "x" is not a line number`,
		head + "\no/r\tc\ta.go\t0\tH\tU\t-\tf\tdyn\n":                                 `t.tsv:3: "0" is not a line number`,
		head + "o/r\tc\ta.go\t1\tQ\tU\t-\tf\tdyn\n":                                   `unknown kind "Q"`,
		head + "o/r\tc\ta.go\t1\tH\tUC\t-\tf\tdyn\n":                                  `unknown verdict "UC"`,
		head + "o/r\tc\ta.go\t1\tH\tU\t-\tf\tmars\n":                                  `unknown scope "mars"`,
		head + "o/r\tc\ta.go\t1\tH\tU\t-\tf\tdyn\no/r\td\ta.go\t1\tH\tU\t-\tf\tdyn\n": "at c and at d",
	} {
		if _, err := parseSites("t.tsv", strings.NewReader(table)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", table, err, want)
		}
	}
}

func TestUsage(t *testing.T) {
	dir := t.TempDir()
	table := filepath.Join(dir, "sites.tsv")
	row := "o/r\tc\ta.go\t1\tH\tU\t-\tf\tdyn\n"
	if err := os.WriteFile(table, []byte(strings.Join(columns, "\t")+"\n"+row), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{nil, "-sites FILE"},
		{[]string{"-sites", table}, "-checkouts DIR"},
		{[]string{"-sites", table, "-checkouts", table}, "is not a directory"},
		{[]string{"-sites", dir + "/none", "-checkouts", dir}, "give its path with -sites"},
		{[]string{"-sites", table, "-checkouts", dir, "-unlabelled", "-1"}, "cannot be negative"},
		{[]string{"-sites", table, "-checkouts", dir, "-bin", dir + "/none"}, "leave the flag out"},
		{[]string{"-sites", table, "-checkouts", dir, "-timeout", "0s"}, "-timeout 0s"},
		{[]string{"-what"}, "-what"},
	} {
		var out, errs strings.Builder
		if code := run(t.Context(), tt.args, &out, &errs); code != exitUsage || !strings.Contains(errs.String(), tt.want) || out.Len() > 0 {
			t.Errorf("%v: exit %d, %q on standard output, %q on standard error; want %d and %q", tt.args, code, &out, &errs, exitUsage, tt.want)
		}
	}
}

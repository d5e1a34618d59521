package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boundcheck/boundcheck/analyzers/finding"
)

// The test binary plays boundcheck when fakeEnv is set: it prints the file fake.json of the directory it is started
// in and exits with the number in fake.exit. The variable holds the arguments it insists on.
const fakeEnv = "CORPUS_TEST_FAKE"

func TestMain(m *testing.M) {
	if want := os.Getenv(fakeEnv); want != "" {
		os.Exit(fakeBoundcheck(want))
	}
	os.Exit(m.Run())
}

func fakeBoundcheck(want string) int {
	if got := strings.Join(os.Args[1:], " "); got != want {
		fmt.Fprintf(os.Stderr, "called with %q, not %q\n", got, want)
		return 2
	}
	if _, err := os.Stat("fake.hang"); err == nil {
		time.Sleep(time.Minute)
	}
	if doc, err := os.ReadFile("fake.incomplete"); err == nil && completeCopies() != nil {
		os.Stdout.Write(doc)
		return 3
	}
	doc, err := os.ReadFile("fake.json")
	if err != nil {
		fmt.Fprintln(os.Stderr, "no module here")
		return 3
	}
	os.Stdout.Write(doc)
	code := 0
	if text, err := os.ReadFile("fake.exit"); err == nil {
		fmt.Sscan(string(text), &code)
	}
	return code
}

// completeCopies adds a line to the go.sum that GOFLAGS leads to, as the go command does with -mod=mod.
func completeCopies() error {
	_, mod, ok := strings.Cut(os.Getenv("GOFLAGS"), "-mod=mod -modfile=")
	if !ok {
		return errors.New("no copies to complete")
	}
	sum := strings.TrimSuffix(mod, ".mod") + ".sum"
	text, err := os.ReadFile(sum)
	if err != nil {
		return err
	}
	return os.WriteFile(sum, append(text, "another\n"...), 0o644)
}

// A fixture is a directory of checkouts with a table of labels.
type fixture struct {
	t    *testing.T
	dir  string
	rows []string
}

func newFixture(t *testing.T) *fixture {
	t.Setenv(fakeEnv, "-json ./...")
	return &fixture{t: t, dir: t.TempDir(), rows: []string{strings.Join(columns, "\t")}}
}

// write makes a file below the checkouts.
func (x *fixture) write(name, text string) {
	x.t.Helper()
	name = filepath.Join(x.dir, "checkouts", filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		x.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		x.t.Fatal(err)
	}
}

// label adds a row; where is file:line.
func (x *fixture) label(repo, where, kind, verdict, scope string) {
	file, line, _ := strings.Cut(where, ":")
	x.rows = append(x.rows, strings.Join([]string{repo, "abc1234", file, line, kind, verdict, "-", "some flow", scope}, "\t"))
}

// reports makes what boundcheck prints in a module directory; each report is "code file:line".
func (x *fixture) reports(module string, reports ...string) {
	x.t.Helper()
	doc := document{Version: 1}
	for _, r := range reports {
		var f finding.Finding
		if _, err := fmt.Sscanf(strings.ReplaceAll(r, ":", " "), "%s %s %d", &f.Code, &f.File, &f.Line); err != nil {
			x.t.Fatalf("report %q: %v", r, err)
		}
		f.Message = f.Code + ": message of " + r
		doc.Findings = append(doc.Findings, f)
	}
	text, err := json.Marshal(doc)
	if err != nil {
		x.t.Fatal(err)
	}
	x.write(module+"/go.mod", "module m\n")
	x.write(module+"/fake.json", string(text))
	x.write(module+"/fake.exit", "1")
}

// run runs the command over the fixture.
func (x *fixture) run(args ...string) (code int, stdout, stderr string) {
	x.t.Helper()
	table := filepath.Join(x.dir, "sites.tsv")
	if err := os.WriteFile(table, []byte(strings.Join(x.rows, "\n")+"\n"), 0o644); err != nil {
		x.t.Fatal(err)
	}
	checkouts := filepath.Join(x.dir, "checkouts")
	if err := os.MkdirAll(checkouts, 0o755); err != nil {
		x.t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		x.t.Fatal(err)
	}
	var out, errs strings.Builder
	code = run(x.t.Context(), slices.Concat([]string{"-sites", table, "-checkouts", checkouts, "-bin", self}, args), &out, &errs)
	return code, out.String(), errs.String()
}

// outcome runs the command with -json and insists that it scored.
func (x *fixture) outcome(args ...string) result {
	x.t.Helper()
	code, stdout, stderr := x.run(slices.Insert(args, 0, "-json")...)
	if code != exitScored {
		x.t.Fatalf("exit %d: %s", code, stderr)
	}
	var res result
	if err := json.Unmarshal([]byte(stdout), &res); err != nil {
		x.t.Fatalf("%v in %s", err, stdout)
	}
	return res
}

// seen is for sites whose files were all analysed.
func seen(string) string { return "" }

func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

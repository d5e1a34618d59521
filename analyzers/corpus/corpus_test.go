package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/analyzers/finding"
)

func wantCounts(t *testing.T, c tally, want string) {
	t.Helper()
	got := fmt.Sprintf("main %v, E %v, silent %v; reports %d positive, %d silent, %d neutral, %d unlabelled, %d other",
		c.Main, c.Errors, c.Silent, c.OnPositive, c.OnSilent, c.OnNeutral, c.Unlabelled, c.Other)
	if got != want {
		t.Errorf("counted\n%s\nwant\n%s", got, want)
	}
}

func TestHitWithinThreeLinesOnly(t *testing.T) {
	for off, want := range map[int]string{
		0:  "main 1/1, E -, silent -; reports 1 positive, 0 silent, 0 neutral, 0 unlabelled, 0 other",
		-3: "main 1/1, E -, silent -; reports 1 positive, 0 silent, 0 neutral, 0 unlabelled, 0 other",
		3:  "main 1/1, E -, silent -; reports 1 positive, 0 silent, 0 neutral, 0 unlabelled, 0 other",
		-4: "main 0/1, E -, silent -; reports 0 positive, 0 silent, 0 neutral, 1 unlabelled, 0 other",
		4:  "main 0/1, E -, silent -; reports 0 positive, 0 silent, 0 neutral, 1 unlabelled, 0 other",
	} {
		sites := []site{{File: "a.go", Line: 20, Kind: "H", Verdict: "U", Scope: "dyn"}}
		sc := scoreRepo(sites, []finding.Finding{{Code: "BC1001", File: "a.go", Line: 20 + off}}, seen)
		wantCounts(t, sc.tally, want)
	}
}

func TestSameLineOfAnotherFileIsNoHit(t *testing.T) {
	sites := []site{{File: "x/a.go", Line: 20, Kind: "H", Verdict: "U", Scope: "dyn"}}
	sc := scoreRepo(sites, []finding.Finding{{Code: "BC1001", File: "y/a.go", Line: 20}}, seen)
	wantCounts(t, sc.tally, "main 0/1, E -, silent -; reports 0 positive, 0 silent, 0 neutral, 1 unlabelled, 0 other")
}

func TestAttribution(t *testing.T) {
	at := func(line int, label string) site {
		return site{File: "a.go", Line: line, Kind: label[:1], Verdict: label[1:], Scope: "intra"}
	}
	for _, tt := range []struct {
		name  string
		sites []site
		lines []int
		want  string
	}{
		{
			"positive nearer than silent", []site{at(10, "TU"), at(13, "TB")}, []int{11},
			"main 1/1, E -, silent 0/1; reports 1 positive, 0 silent, 0 neutral, 0 unlabelled, 0 other",
		},
		{
			"equal distance goes to the positive", []site{at(10, "TB"), at(12, "TU")}, []int{11},
			"main 1/1, E -, silent 0/1; reports 1 positive, 0 silent, 0 neutral, 0 unlabelled, 0 other",
		},
		{
			"error text is positive too", []site{at(10, "HN"), at(12, "EU")}, []int{11},
			"main -, E 1/1, silent 0/1; reports 1 positive, 0 silent, 0 neutral, 0 unlabelled, 0 other",
		},
		{
			"silent nearer: false alarm, and yet the positive is hit", []site{at(10, "TB"), at(13, "TU")}, []int{11},
			"main 1/1, E -, silent 1/1; reports 0 positive, 1 silent, 0 neutral, 0 unlabelled, 0 other",
		},
		{
			"one report hits two positives", []site{at(10, "TU"), at(14, "HC")}, []int{12},
			"main 2/2, E -, silent -; reports 1 positive, 0 silent, 0 neutral, 0 unlabelled, 0 other",
		},
		{
			"two reports at one silent site are one alarm", []site{at(10, "TN")}, []int{9, 11},
			"main -, E -, silent 1/1; reports 0 positive, 2 silent, 0 neutral, 0 unlabelled, 0 other",
		},
		{
			"loose and re-serialised count neither way", []site{at(10, "TL"), at(20, "RU"), at(30, "RB"), at(40, "RC")}, []int{10, 20, 30, 40},
			"main -, E -, silent -; reports 0 positive, 0 silent, 4 neutral, 0 unlabelled, 0 other",
		},
		{
			"neutral nearer than silent", []site{at(10, "TL"), at(13, "TB")}, []int{11},
			"main -, E -, silent 0/1; reports 0 positive, 0 silent, 1 neutral, 0 unlabelled, 0 other",
		},
		{
			"equal distance prefers silent to neutral", []site{at(10, "TL"), at(12, "TB")}, []int{11},
			"main -, E -, silent 1/1; reports 0 positive, 1 silent, 0 neutral, 0 unlabelled, 0 other",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var fs []finding.Finding
			for _, l := range tt.lines {
				fs = append(fs, finding.Finding{Code: "BC1002", File: "a.go", Line: l})
			}
			wantCounts(t, scoreRepo(tt.sites, fs, seen).tally, tt.want)
		})
	}
}

func TestHousekeepingAndRepeatedReports(t *testing.T) {
	sites := []site{{File: "a.go", Line: 20, Kind: "T", Verdict: "U", Scope: "dyn"}}
	one := finding.Finding{Code: "BC1002", File: "a.go", Line: 99}
	sc := scoreRepo(sites, []finding.Finding{one, {Code: "BC0003", File: "a.go", Line: 20}, one}, seen)
	wantCounts(t, sc.tally, "main 0/1, E -, silent -; reports 0 positive, 0 silent, 0 neutral, 1 unlabelled, 1 other")
}

func TestRates(t *testing.T) {
	x := newFixture(t)
	x.write("o+r/a.go", lines(100))
	x.label("o/r", "a.go:10", "H", "U", "dyn")
	x.label("o/r", "a.go:20", "T", "C", "xpkg")
	x.label("o/r", "a.go:30", "T", "U", "xpkg")
	x.label("o/r", "a.go:40", "E", "U", "intra")
	x.label("o/r", "a.go:50", "T", "B", "helper")
	x.label("o/r", "a.go:60", "T", "B", "helper")
	x.reports("o+r", "BC1001 a.go:10", "BC1002 a.go:21", "BC1004 a.go:40", "BC1002 a.go:50", "BC1002 a.go:80")
	c := x.outcome().Total
	wantCounts(t, c, "main 2/3, E 1/1, silent 1/2; reports 3 positive, 1 silent, 0 neutral, 1 unlabelled, 0 other")
	if *c.Precision != 0.75 {
		t.Errorf("precision %v, want 3 of 4", *c.Precision)
	}
	if *c.Recall != 2.0/3 {
		t.Errorf("recall %v, want 2 of 3", *c.Recall)
	}
	for group, want := range map[string]ratio{"H": {1, 1}, "T": {1, 2}, "E": {1, 1}} {
		if got := c.ByKind[group]; got != want {
			t.Errorf("kind %s: %v, want %v", group, got, want)
		}
	}
	for group, want := range map[string]ratio{"dyn": {1, 1}, "xpkg": {1, 2}, "intra": {}} {
		if got := c.ByScope[group]; got != want {
			t.Errorf("scope %s: %v, want %v", group, got, want)
		}
	}
}

func TestListsSayWhatToLookAt(t *testing.T) {
	x := newFixture(t)
	x.write("o+r/in/a.go", lines(30))
	x.label("o/r", "in/a.go:10", "H", "U", "stored")
	x.label("o/r", "in/a.go:20", "T", "N", "intra")
	x.reports("o+r", "BC1002 in/a.go:21")
	_, stdout, _ := x.run()
	for _, want := range []string{
		"\nmisses (1):\no/r in/a.go:10 H U stored some flow\n",
		"\nfalse alarms (1):\no/r in/a.go:20 T N intra some flow\n    in/a.go:21 BC1002 message of BC1002 in/a.go:21\n",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
}

func TestModulesAndNamesOfCheckouts(t *testing.T) {
	x := newFixture(t)
	for i, dir := range []string{"o+plus", "o/slash", "bare"} {
		repo := []string{"o/plus", "o/slash", "o/bare"}[i]
		x.write(dir+"/a.go", lines(30))
		x.write(dir+"/z.go", lines(30))
		x.write(dir+"/sub/deep/b.go", lines(30))
		x.label(repo, "a.go:10", "H", "U", "dyn")
		x.label(repo, "z.go:10", "H", "U", "dyn")
		x.label(repo, "sub/deep/b.go:10", "H", "U", "dyn")
		x.reports(dir, "BC1001 a.go:10", "BC1001 z.go:10")
		x.reports(dir+"/sub", "BC1001 deep/b.go:10")
	}
	res := x.outcome()
	wantCounts(t, res.Total, "main 9/9, E -, silent -; reports 9 positive, 0 silent, 0 neutral, 0 unlabelled, 0 other")
	for _, r := range res.Repos {
		if len(r.Modules) != 2 || r.Modules[0].Module != "." || r.Modules[1].Module != "sub" {
			t.Errorf("%s: modules %+v, want . and sub", r.Repo, r.Modules)
		}
	}
}

func TestAbsoluteNamesInReports(t *testing.T) {
	x := newFixture(t)
	x.write("o+r/a.go", lines(30))
	x.label("o/r", "a.go:10", "H", "U", "dyn")
	x.reports("o+r", "BC1001 "+filepath.ToSlash(filepath.Join(x.dir, "checkouts", "o+r", "a.go"))+":10")
	wantCounts(t, x.outcome().Total, "main 1/1, E -, silent -; reports 1 positive, 0 silent, 0 neutral, 0 unlabelled, 0 other")
}

func TestCheckoutBehindALink(t *testing.T) {
	x := newFixture(t)
	x.write("elsewhere/a.go", lines(30))
	x.label("o/r", "a.go:10", "H", "U", "dyn")
	real, err := filepath.EvalSymlinks(filepath.Join(x.dir, "checkouts", "elsewhere"))
	if err != nil {
		t.Fatal(err)
	}
	x.reports("elsewhere", "BC1001 "+filepath.ToSlash(real)+"/a.go:10")
	if err := os.Symlink(real, filepath.Join(x.dir, "checkouts", "o+r")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	wantCounts(t, x.outcome().Total, "main 1/1, E -, silent -; reports 1 positive, 0 silent, 0 neutral, 0 unlabelled, 0 other")
}

func TestMissingCheckoutIsSkipped(t *testing.T) {
	x := newFixture(t)
	x.write("o+r/a.go", lines(30))
	x.label("o/r", "a.go:10", "H", "U", "dyn")
	x.label("o/gone", "a.go:10", "H", "U", "dyn")
	x.reports("o+r", "BC1001 a.go:10")
	res := x.outcome()
	wantCounts(t, res.Total, "main 1/1, E -, silent -; reports 1 positive, 0 silent, 0 neutral, 0 unlabelled, 0 other")
	if res.Skipped != 1 || !res.Repos[0].Absent {
		t.Errorf("skipped %d sites, want the one of o/gone", res.Skipped)
	}
	_, stdout, _ := x.run()
	if want := "warning: o/gone: no checkout; its 1 sites are skipped\n"; !strings.Contains(stdout, want) {
		t.Errorf("no %q in\n%s", want, stdout)
	}
}

func TestNothingScored(t *testing.T) {
	x := newFixture(t)
	x.label("o/gone", "a.go:10", "H", "U", "dyn")
	if code, _, stderr := x.run(); code != exitNothing || !strings.Contains(stderr, "nothing could be scored") {
		t.Errorf("exit %d with %q, want %d", code, stderr, exitNothing)
	}
}

func TestFailedModuleIsAMissThatSaysWhy(t *testing.T) {
	x := newFixture(t)
	x.write("o+r/a.go", lines(30))
	x.write("o+r/sub/go.mod", "module sub\n")
	x.write("o+r/sub/b.go", lines(30))
	x.label("o/r", "a.go:10", "H", "U", "dyn")
	x.label("o/r", "sub/b.go:10", "H", "U", "dyn")
	x.label("o/r", "absent.go:10", "H", "U", "dyn")
	x.reports("o+r", "BC1001 a.go:10")
	code, stdout, _ := x.run()
	if code != exitScored {
		t.Errorf("exit %d, want %d: one module was scored", code, exitScored)
	}
	for _, want := range []string{
		"not analysed: o/r module sub: no findings document of version 1 on its standard output (exit status 3): no module here\n",
		"o/r sub/b.go:10 H U dyn some flow (not analysed: module sub failed)\n",
		"o/r absent.go:10 H U dyn some flow (not analysed: in no module of the checkout)\n",
		"warning: o/r: absent.go is labelled but not in the checkout\n",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
}

func TestHangingRunIsStopped(t *testing.T) {
	x := newFixture(t)
	for _, r := range []string{"good", "hung"} {
		x.write("o+"+r+"/a.go", lines(30))
		x.label("o/"+r, "a.go:10", "H", "U", "dyn")
		x.reports("o+"+r, "BC1001 a.go:10")
	}
	x.write("o+hung/fake.hang", "")
	res := x.outcome("-timeout", "1s")
	wantCounts(t, res.Total, "main 1/2, E -, silent -; reports 1 positive, 0 silent, 0 neutral, 0 unlabelled, 0 other")
	if got, want := res.Repos[1].Modules[0].Failed, "stopped after 1s, see -timeout"; got != want {
		t.Errorf("failed because of %q, want %q", got, want)
	}
}

func TestLoadErrorsAreListed(t *testing.T) {
	x := newFixture(t)
	x.write("o+r/a.go", lines(30))
	x.label("o/r", "a.go:10", "H", "U", "dyn")
	for _, dir := range []string{"x", "y", "z"} {
		x.write("o+r/"+dir+"/f.go", lines(30))
		x.label("o/r", dir+"/f.go:10", "H", "U", "dyn")
		x.label("o/r", dir+"/f.go:20", "T", "N", "dyn")
	}
	x.reports("o+r")
	x.write("o+r/fake.json", `{"version":1,"findings":[{"code":"BC1001","file":"a.go","line":10}],"errors":[
		{"package":"m/y","message":"gone"}, {"package":"other","file":"x/f.go","line":3,"message":"no such module\nmore"},
		{"package":"far/z","file":"far.go","message":"lost"}, {"message":"plain"}]}`)
	x.write("o+r/fake.exit", "3")
	got := x.outcome().Repos[0]
	want := []string{"far/z: far.go: lost", "m/y: gone", "other: x/f.go:3: no such module", "plain"}
	if !slices.Equal(got.Modules[0].Errors, want) {
		t.Errorf("errors %q, want %q", got.Modules[0].Errors, want)
	}
	wantCounts(t, got.tally, "main 1/4, E -, silent 0/1; reports 1 positive, 0 silent, 0 neutral, 0 unlabelled, 0 other")
	var notes []string
	for _, m := range got.Misses {
		notes = append(notes, m.Note)
	}
	if want := []string{"not analysed: package m/x did not load", "not analysed: package m/y did not load", ""}; !slices.Equal(notes, want) {
		t.Errorf("misses with the notes %q, want %q", notes, want)
	}
	if got.Unseen != 2 {
		t.Errorf("%d silent sites left out, want those in x and y", got.Unseen)
	}
}

func TestIncompleteGoSumIsCompletedInACopy(t *testing.T) {
	x := newFixture(t)
	x.write("o+r/a.go", lines(30))
	x.label("o/r", "a.go:10", "H", "U", "dyn")
	x.reports("o+r", "BC1001 a.go:10")
	x.write("o+r/go.sum", "a line\n")
	x.write("o+r/fake.incomplete", `{"version":1,"errors":[{"package":"m","message":"missing go.sum entry for x"}]}`)
	got := x.outcome().Repos[0]
	wantCounts(t, got.tally, "main 1/1, E -, silent -; reports 1 positive, 0 silent, 0 neutral, 0 unlabelled, 0 other")
	if m := got.Modules[0]; !m.Completed || len(m.Errors) > 0 {
		t.Errorf("module %+v, want it completed and without errors", m)
	}
	text, err := os.ReadFile(filepath.Join(x.dir, "checkouts", "o+r", "go.sum"))
	if err != nil || string(text) != "a line\n" {
		t.Errorf("the go.sum of the checkout is %q now (%v)", text, err)
	}
}

func TestCompletionThatDoesNotHelpIsDropped(t *testing.T) {
	x := newFixture(t)
	x.write("o+r/a.go", lines(30))
	x.label("o/r", "a.go:10", "H", "U", "dyn")
	x.reports("o+r")
	x.write("o+r/fake.incomplete", `{"version":1,"errors":[{"package":"m","message":"missing go.sum entry for x"}]}`)
	x.write("o+r/fake.json", `{"version":1,"errors":[{"package":"m","message":"no network"}]}`)
	m := x.outcome().Repos[0].Modules[0]
	if want := []string{"m: missing go.sum entry for x"}; m.Completed || !slices.Equal(m.Errors, want) {
		t.Errorf("module %+v, want the errors of the first run", m)
	}
}

func TestUnexpectedExitIsSaid(t *testing.T) {
	x := newFixture(t)
	x.write("o+r/a.go", lines(30))
	x.label("o/r", "a.go:10", "H", "U", "dyn")
	x.reports("o+r", "BC1001 a.go:10")
	x.write("o+r/fake.exit", "7")
	got := x.outcome().Repos[0].Modules[0].Errors
	if len(got) != 1 || !strings.Contains(got[0], "exit status 7") {
		t.Errorf("errors %q, want one that names the exit status", got)
	}
}

func TestArgumentsReachBoundcheck(t *testing.T) {
	x := newFixture(t)
	t.Setenv(fakeEnv, "-json -confidence=low -model m ./...")
	x.write("o+r/a.go", lines(30))
	x.label("o/r", "a.go:10", "H", "U", "dyn")
	x.reports("o+r", "BC1001 a.go:10")
	if got := x.outcome("--", "-confidence=low", "-model", "m").Total.Main; got != (ratio{1, 1}) {
		t.Errorf("%v sites hit, want 1/1", got)
	}
}

func TestOnly(t *testing.T) {
	x := newFixture(t)
	for _, r := range []string{"a", "b", "c"} {
		x.write("o+"+r+"/a.go", lines(30))
		x.label("o/"+r, "a.go:10", "H", "U", "dyn")
		x.reports("o+" + r)
	}
	var got []string
	for _, r := range x.outcome("-only", "o/a,c").Repos {
		got = append(got, r.Repo)
	}
	if !slices.Equal(got, []string{"o/a", "o/c"}) {
		t.Errorf("scored %v, want o/a and o/c", got)
	}
	if code, _, stderr := x.run("-only", "o/nowhere"); code != exitUsage || !strings.Contains(stderr, "o/nowhere") {
		t.Errorf("exit %d with %q for an unknown repository, want %d", code, stderr, exitUsage)
	}
}

var seconds = regexp.MustCompile(`\d+\.\d\n|"seconds": [\d.e-]+`)

func TestOutputIsDeterministic(t *testing.T) {
	x := newFixture(t)
	for _, r := range []string{"a", "b"} {
		x.write("o+"+r+"/a.go", lines(100))
		x.write("o+"+r+"/sub/b.go", lines(100))
		for n := 10; n < 100; n += 10 {
			x.label("o/"+r, fmt.Sprintf("a.go:%d", n), kinds[n/10%len(kinds)], "UCLBN"[n/10%5:][:1], scopes[n/10%len(scopes)])
		}
		x.reports("o+"+r, "BC1002 a.go:55", "BC1001 a.go:20", "BC1001 a.go:95", "BC1001 a.go:5", "BC1003 sub/b.go:5", "BC0001 a.go:5")
	}
	for _, args := range [][]string{{"-unlabelled", "3"}, {"-unlabelled", "3", "-json"}} {
		_, first, _ := x.run(args...)
		first = seconds.ReplaceAllString(first, "")
		slices.Reverse(x.rows[1:])
		for range 5 {
			_, again, _ := x.run(args...)
			if again = seconds.ReplaceAllString(again, ""); again != first {
				t.Fatalf("%v: two runs differ:\n%s\n---\n%s", args, first, again)
			}
		}
	}
}

func TestSample(t *testing.T) {
	x := newFixture(t)
	x.write("o+r/a.go", lines(60))
	x.label("o/r", "a.go:10", "H", "U", "dyn")
	var reports []string
	for n := 20; n <= 59; n++ {
		reports = append(reports, fmt.Sprintf("BC1001 a.go:%d", n))
	}
	x.reports("o+r", append(reports, "BC1001 a.go:10")...)

	chosen := func(args ...string) (lines []int) {
		for _, s := range x.outcome(args...).Sample {
			lines = append(lines, s.Finding.Line)
		}
		return lines
	}
	one, same, other := chosen("-unlabelled", "5", "-seed", "7"), chosen("-unlabelled", "5", "-seed", "7"), chosen("-unlabelled", "5", "-seed", "8")
	if len(one) != 5 || !slices.IsSorted(one) || !slices.Equal(one, same) {
		t.Errorf("seed 7 picked %v, then %v; want the same five in order", one, same)
	}
	if slices.Equal(one, other) {
		t.Errorf("seeds 7 and 8 both picked %v", one)
	}
	if all := chosen("-unlabelled", "1000"); len(all) != 40 || slices.Contains(all, 10) {
		t.Errorf("picked %v, want each of the 40 unlabelled reports once", all)
	}

	_, stdout, _ := x.run("-unlabelled", "1000")
	want := "\n--- unlabelled 40 of 40: o/r a.go:59 BC1001 message of BC1001 a.go:59\n    47  line 47\n"
	if !strings.Contains(stdout, want) || !strings.Contains(stdout, "\n>   59  line 59\n    60  line 60\n") {
		t.Errorf("no source of the last report in\n%s", stdout)
	}
}

func TestSourceAround(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(lines(60)), 0o644); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[int][2]int{30: {18, 42}, 1: {1, 13}, 60: {48, 60}} {
		got := sourceAround(dir, finding.Finding{File: "a.go", Line: line})
		if n := want[1] - want[0] + 1; len(got) != n {
			t.Fatalf("line %d: %d lines, want %d", line, len(got), n)
		}
		for i, text := range got {
			n := want[0] + i
			if !strings.HasSuffix(text, fmt.Sprintf("%5d  line %d", n, n)) || strings.HasPrefix(text, ">") != (n == line) {
				t.Errorf("line %d: shown as %q, %d lines from the top", line, text, i)
			}
		}
	}
}

func TestSourceAroundMissingFile(t *testing.T) {
	got := sourceAround(t.TempDir(), finding.Finding{File: "gone.go", Line: 3})
	if len(got) != 1 || !strings.Contains(got[0], "cannot be read") {
		t.Errorf("got %q, want a sentence", got)
	}
}

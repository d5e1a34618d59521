package reference_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boundcheck/boundcheck/bounding/reference"
)

func normalizer(t testing.TB, roots ...string) *reference.Normalizer {
	t.Helper()
	n, err := reference.NewNormalizer(roots...)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// inJSON puts s into JSON strings, one inside the other.
func inJSON(t testing.TB, s string, layers int) string {
	t.Helper()
	for range layers {
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		s = string(b)
	}
	return s
}

const artifactPath = "|session-0123456789ab|ba9876543210-session-reference-1.txt"

// A path in a notice in a message in a record: all layers, all ways to write a path. spec: REF-8
func TestNormalizeLayers(t *testing.T) {
	for _, test := range []struct{ root, path, separator string }{
		{"/tmp/dsh-acp-snap-0123456789", "/tmp/dsh-acp-snap-0123456789", "/"},
		{"/tmp/dsh-acp-snap-0123456789", `\tmp\dsh-acp-snap-0123456789`, `\`},
		{"/t/dsh-acp-snap-012345678", `C:\t\dsh-acp-snap-012345678`, `\`},
		{"C:/t/dsh-acp-snap-012345678", `C:/t/dsh-acp-snap-012345678`, `\`},
		{`D:\Users\Eve Ex\spill\`, `D:\Users\Eve Ex\spill`, `\`},
		{"{{cwd}}/.spill", "{{cwd}}/.spill", "/"},
		{"{{cwd}}/.spill", `{{cwd}}\.spill`, `\`},
		{`\\server\share\spill`, `\\server\share\spill`, `\`},
		{"/home/會話 <😀>/spill", "/home/會話 <😀>/spill", "/"},
	} {
		locator := test.path + strings.ReplaceAll(artifactPath, "|", test.separator)
		for layers := range 3 {
			around := `{"omittedBytes":42,"fullSnapshot":{"status":"saved","locator":%s,"bytes":1234,"retrievalHint":"x"}}` +
				` C:\work\literal\file.txt \d+\w /tmp/unrelated/session-0123456789ab/ba9876543210-x.txt`
			s := inJSON(t, fmt.Sprintf(around, inJSON(t, locator, 1)), layers)
			want := inJSON(t, fmt.Sprintf(around, `"{{spillLocator:session-reference-1.txt}}"`), layers)
			n := normalizer(t, "/elsewhere", test.root)
			got := n.Normalize(s)
			if got != want {
				t.Errorf("%s, %d layers:\n%s\n%s", test.path, layers, got, want)
			}
			if again := n.Normalize(got); again != got {
				t.Errorf("%s, %d layers: normalizing twice gives %s", test.path, layers, again)
			}
			spelled := inJSON(t, locator, layers+1)
			spelled = strings.Trim(spelled, `\"`)
			if test.path[0] == '\\' { // the beginning was trimmed, too
				spelled = rep(1<<(layers+1), test.path[:len(test.path)-len(strings.TrimLeft(test.path, `\`))]) + spelled
			}
			if diff := cmp.Diff(map[string]string{"session-reference-1.txt": spelled}, n.Locators(s)); diff != "" {
				t.Errorf("%s, %d layers: %s", test.path, layers, diff)
			}
		}
	}
}

// spec: REF-8
func TestNormalize(t *testing.T) {
	const (
		dir  = "/r/session-0123456789ab/"
		file = "ba9876543210-"
		x    = "{{spillLocator:x.txt}}"
	)
	for _, test := range []struct{ name, in, want string }{
		{"nothing", "nothing here", "nothing here"},
		{"alone", dir + file + "x.txt", x},
		{"before a hint", "at: " + dir + file + "x.txt. Use read with offset/limit", "at: " + x + ". Use read with offset/limit"},
		{"end of a sentence", dir + file + "x.txt.", x + "."},
		{"end of a sentence in JSON", `"` + dir + file + `x.txt.\nNext"`, `"` + x + `.\nNext"`},
		{"ellipsis", dir + file + "x.txt... and", x + "... and"},
		{"dot in a value", `"` + dir + file + `x."`, `"{{spillLocator:x.}}"`},
		{"name of dots", dir + file + "...", "{{spillLocator:...}}"},
		{"colon after", dir + file + "x.txt: 5 bytes", x + ": 5 bytes"},
		{"brackets", "(" + dir + file + "x.txt)", "(" + x + ")"},
		{"escaped name", dir + file + "~5831~544A.txt", "{{spillLocator:~5831~544A.txt}}"},
		{"two", dir + file + "x.txt " + dir + file + "y.txt", x + " {{spillLocator:y.txt}}"},
		{"slashes escaped", `"\/r\/session-0123456789ab\/` + file + `x.txt"`, `"` + x + `"`},
		{"after a line end in JSON", `"at:\n` + dir + file + `x.txt"`, `"at:\n` + x + `"`},
		{"after two layers", `"\"at:\\n` + dir + file + `x.txt\""`, `"\"at:\\n` + x + `\""`},
		{"after a word and a colon", "see:" + dir + file + "x.txt", "see:" + x},
		{"drive", "see D:" + dir + file + "x.txt", "see " + x},
		{"URI", "file://" + dir + file + "x.txt", "file://" + x},
		{"wide characters around", "報" + dir + file + "x.txt告", "報" + x + "告"},

		{"inside a longer path", "/var" + dir + file + "x.txt", "/var" + dir + file + "x.txt"},
		{"below another directory", "/var/" + dir + file + "x.txt", "/var/" + dir + file + "x.txt"},
		{"upper case", "/r/session-0123456789AB/" + file + "x.txt", "/r/session-0123456789AB/" + file + "x.txt"},
		{"11 digits", "/r/session-0123456789a/" + file + "x.txt", "/r/session-0123456789a/" + file + "x.txt"},
		{"13 digits", "/r/session-0123456789abc/" + file + "x.txt", "/r/session-0123456789abc/" + file + "x.txt"},
		{"short file", dir + "ba987654321-x.txt", dir + "ba987654321-x.txt"},
		{"no name", dir + file, dir + file},
		{"backup", "/r/session-backup/" + file + "x.txt", "/r/session-backup/" + file + "x.txt"},
		{"other root", "/rr/session-0123456789ab/" + file + "x.txt", "/rr/session-0123456789ab/" + file + "x.txt"},
		{"something below", dir + file + "x.txt/y", dir + file + "x.txt/y"},
		{"counts", `{"omittedBytes":42,"bytes":1234}`, `{"omittedBytes":42,"bytes":1234}`},
		{"normalized", x, x},
	} {
		n := normalizer(t, "/r")
		got := n.Normalize(test.in)
		if got != test.want {
			t.Errorf("%s: %s\n%s\n%s", test.name, test.in, got, test.want)
		}
		if again := n.Normalize(got); again != got {
			t.Errorf("%s: twice gives %s", test.name, again)
		}
	}
}

// What stands before a root that does not begin with a separator.
func TestNormalizeBefore(t *testing.T) {
	n := normalizer(t, `C:\r`, "{{cwd}}/.spill", `\\server\share`, "/t")
	for in, want := range map[string]string{
		"file:///C:/r|": "file:///*", "/var/C:/r|": "", `\var\C:\r|`: "", `"C:\\r|`: `"*`, "a {{cwd}}/.spill|": "a *", "/var/{{cwd}}/.spill|": "",
		"file://server/share|": "file://*", `"\\\\server\\share|`: `"*`, "file:///t|": "file://*", "/t/t|": "", `C:\t\t|`: "",
		`"\t\\t|`: `"\t*`, `"\\n\\\\t|`: `"\\n*`, `C:\\t\\t|`: "", "x /t|": "x *",
	} {
		path := "/session-0123456789ab/ba9876543210-x"
		if want == "" {
			want = in
		}
		want = strings.Replace(strings.Replace(want, "*", "{{spillLocator:x}}", 1), "|", path, 1)
		if got := n.Normalize(strings.Replace(in, "|", path, 1)); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// A root inside the artifact of another root: locators do not overlap, the first one counts.
func TestNestedRoots(t *testing.T) {
	outer := "/r/session-0123456789ab/ba9876543210-x y"
	n := normalizer(t, "/r", outer)
	want := "{{spillLocator:x}} y/session-0123456789ab/ba9876543210-z"
	if got := n.Normalize(outer + "/session-0123456789ab/ba9876543210-z"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A root with a drive letter is that drive's only; its case does not matter, and others' letters stay.
func TestNormalizeDrives(t *testing.T) {
	n := normalizer(t, `C:\r`)
	for in, want := range map[string]string{
		`C:\r`: "{{spillLocator:x}}", `c:\r`: "{{spillLocator:x}}", `D:\r`: "", `\r`: "", `xC:\r`: "", `C:\R`: "",
	} {
		in += `\session-0123456789ab\ba9876543210-x`
		if want == "" {
			want = in
		}
		if got := n.Normalize(in); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
}

// The last locator of a name counts, spelled as it is.
func TestLocators(t *testing.T) {
	a := "/r/session-0123456789ab/000000000000-x.txt"
	b := `\\r\\session-0123456789ab\\111111111111-x.txt`
	if diff := cmp.Diff(map[string]string{"x.txt": b}, normalizer(t, "/r").Locators(a+` "`+b+`"`)); diff != "" {
		t.Error(diff)
	}
}

func TestBadRoots(t *testing.T) {
	for _, roots := range [][]string{nil, {""}, {"/"}, {`\\`}, {"/good", "//"}, {"/{{spillLocator:x}}"}} {
		if _, err := reference.NewNormalizer(roots...); err == nil {
			t.Errorf("%q: no error", roots)
		}
	}
	if _, err := reference.NewNormalizer(`C:\a(b[c*?`); err != nil {
		t.Error(err)
	}
}

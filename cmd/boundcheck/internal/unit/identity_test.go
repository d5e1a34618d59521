package unit

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestModelDirs(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"ws/one/sub", "ws/two", "other", "alone/sub"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	write(t, root, map[string]string{
		"ws/go.work":    "go 1.26\n\nuse (\n\t./one\n\t./two\n\t../other\n)\n",
		"ws/one/go.mod": "module one\n",
		"ws/two/go.mod": "module two\n",
		"other/go.mod":  "module other\n",
		"alone/go.mod":  "module alone\n",
	})
	for _, test := range []struct {
		dir, work string
		want      []string
	}{
		{"alone", "", []string{"alone"}},
		{"alone/sub", "", []string{"alone"}},
		{"ws", "", []string{"ws", "ws/one", "ws/two", "other"}},
		{"ws/one/sub", "", []string{"ws", "ws/one", "ws/two", "other"}},
		{"ws/one/sub", "off", []string{"ws/one"}},
		{"other", filepath.Join(root, "ws/go.work"), []string{"ws", "ws/one", "ws/two", "other"}},
	} {
		t.Setenv("GOWORK", test.work)
		var want []string
		for _, dir := range test.want {
			want = append(want, filepath.Join(root, dir))
		}
		if got := modelDirs(filepath.Join(root, test.dir)); !slices.Equal(got, want) {
			t.Errorf("in %s with GOWORK=%s: %v, want %v", test.dir, test.work, got, want)
		}
	}
}

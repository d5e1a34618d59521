package flow_test

import (
	"testing"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/boundcheck/boundcheck/analyzers/internal/flow"
	"github.com/boundcheck/boundcheck/analyzers/internal/model"
)

// TestStandardLibrary runs the engine over code that was not written for it, with every construct of the language and
// some of the largest functions there are. It must come to an end in each package, and fail in no function. Packages
// that nobody had time for are left out, which the log says: a slow machine is no fault of the engine.
func TestStandardLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax}, "std")
	if err != nil {
		t.Fatal(err)
	}
	if len(pkgs) < 100 {
		t.Fatalf("%d packages, want the standard library", len(pkgs))
	}
	start, done := time.Now(), 0
	var slowest time.Duration
	var slow string
	for _, pkg := range pkgs {
		if time.Since(start) > 20*time.Second {
			break
		}
		if len(pkg.Errors) > 0 || len(pkg.Syntax) == 0 {
			continue
		}
		began := time.Now()
		result := flow.Analyze(flow.Input{
			Fset: pkg.Fset, Files: pkg.Syntax, Pkg: pkg.Types, Info: pkg.TypesInfo, Sizes: pkg.TypesSizes,
		}, flow.Config{Models: model.Builtin()})
		if d := time.Since(began); d > slowest {
			slowest, slow = d, pkg.PkgPath
		}
		done++
		for _, r := range result.Reports {
			if r.Code == "BC0003" {
				t.Errorf("%s: %s", pkg.Fset.Position(r.Pos), r.Message)
			}
		}
	}
	t.Logf("%d of %d packages in %v; the slowest was %s, %v", done, len(pkgs), time.Since(start), slow, slowest)
	if done < 50 {
		t.Errorf("%d packages in 20 seconds: the engine is much slower than it was", done)
	}
}

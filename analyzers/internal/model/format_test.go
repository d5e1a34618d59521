package model

import (
	"math/rand"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
)

func TestFormatGroupsByPackage(t *testing.T) {
	rules := []Rule{
		{Op: History, Pkg: "a", Recv: "T"},
		{Op: Sink, Kind: "BC1001", Pkg: "a", Name: "F", In: places(param("x"))},
		{Op: Clean, Pkg: ".../b", Recv: "*", Name: "F", Out: places(result(-1))},
	}
	want := "package a\nhistory T\nsink BC1001 F x\n\npackage .../b\nclean *.F -> result*\n"
	if got := string(Format(rules)); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// TestParseFormatRoundTrip draws rules that the grammar allows and expects them back.
func TestParseFormatRoundTrip(t *testing.T) {
	properties := gopter.NewProperties(gopter.DefaultTestParametersWithSeed(1))
	properties.Property("Parse(Format(rules)) == rules", prop.ForAll(func(rules []Rule) string {
		got, err := Parse("x", Format(rules))
		if err != nil {
			return err.Error()
		}
		return cmp.Diff(rules, got, ignorePos)
	}, gen.SliceOfN(5, genRule())))
	properties.TestingRun(t)
}

func genRule() gopter.Gen {
	return func(p *gopter.GenParameters) *gopter.GenResult {
		r := drawRule(p.Rng)
		return gopter.NewGenResult(r, gopter.NoShrinker)
	}
}

func drawRule(rng *rand.Rand) Rule {
	op := pick(rng, ops)
	g := grammars[op]
	r := Rule{Op: op, Pkg: pick(rng, []string{"os", "a.b/c", ".../d", "x/*/y"})}
	if g.kinds != nil {
		r.Kind = pick(rng, g.kinds)
	}
	r.Field = g.field && rng.Intn(3) == 0
	switch {
	case r.Field, g.method, g.call && rng.Intn(2) == 0:
		r.Recv, r.Name = pick(rng, []string{"T", "*"}), "M"
	case g.typ:
		r.Recv = "T"
	default:
		r.Name = "F"
	}
	if r.Field {
		if g.by && rng.Intn(2) == 0 {
			r.By = places(param("N"))
		}
	} else {
		r.In = drawPlaces(rng, g.in, op == Flow)
		r.Out = drawPlaces(rng, g.out, true)
		if g.out == maybe && r.Out == nil {
			r.Out = places(result(-1)) // what Parse fills in
		}
		if g.by {
			r.By = drawPlaces(rng, maybe, false)
		}
	}
	if g.by && rng.Intn(2) == 0 {
		r.Limit = 1 + rng.Int63()
	}
	return r
}

func drawPlaces(rng *rand.Rand, n need, results bool) []Place {
	if n == never || n == maybe && rng.Intn(2) == 0 {
		return nil
	}
	var ps []Place
	for range 1 + rng.Intn(3) {
		p := Place{Index: -1}
		switch rng.Intn(4) {
		case 0:
			p = Place{Recv: true}
		case 1:
			p.Index = rng.Intn(12)
		case 2:
			p.Name = pick(rng, []string{"x", "by", "limit", "recv", "arg1", "args", "result", "result0", "résumé", "Field"})
		}
		p.Result = !p.Recv && results && rng.Intn(2) == 0
		if rng.Intn(4) == 0 {
			p.Field = "Body"
		}
		ps = append(ps, p)
	}
	return ps
}

func pick[T any](rng *rand.Rand, from []T) T { return from[rng.Intn(len(from))] }

// TestDrawnRulesCoverTheFormat keeps the property honest: the draw must reach every op and every form of place.
func TestDrawnRulesCoverTheFormat(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	seenOps := map[Op]bool{}
	var all []Place
	for range 500 {
		r := drawRule(rng)
		seenOps[r.Op] = true
		all = slices.Concat(all, r.In, r.Out, r.By)
	}
	if len(seenOps) != len(ops) || len(ops) != len(grammars) {
		t.Errorf("drawn %d of %d ops", len(seenOps), len(grammars))
	}
	for form, is := range map[string]func(Place) bool{
		"recv":     func(p Place) bool { return p.Recv },
		"arg*":     func(p Place) bool { return !p.Recv && !p.Result && p.Index < 0 && p.Name == "" },
		"argN":     func(p Place) bool { return !p.Recv && !p.Result && p.Index >= 0 },
		"reserved": func(p Place) bool { return !p.Result && p.Name == "by" },
		"result*":  func(p Place) bool { return p.Result && p.Index < 0 && p.Name == "" },
		"resultN":  func(p Place) bool { return p.Result && p.Index > 0 },
		"named":    func(p Place) bool { return p.Result && p.Name != "" },
		"field":    func(p Place) bool { return p.Field != "" },
	} {
		if !slices.ContainsFunc(all, is) {
			t.Errorf("no place of the form %s was drawn", form)
		}
	}
	if reflect.TypeFor[Rule]().NumField() != 11 || reflect.TypeFor[Place]().NumField() != 5 {
		t.Error("Rule or Place has another number of fields: draw the new ones too")
	}
}

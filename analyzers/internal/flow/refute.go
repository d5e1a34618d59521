package flow

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// A Claim is a function of which a directive says that what it returns is bounded.
type Claim struct {
	Decl     *ast.FuncDecl
	Limit    int64     // in bytes; 0 when the directive gives none
	Pos, End token.Pos // the directive
}

// refute holds the claims against the bodies. Callers believe a claim without looking, so one that is false hides
// everything behind it. Only what is certain refutes: what went through functions that are not known may have been cut
// there.
func (p *Package) refute() {
	for _, c := range p.Claims {
		obj, ok := p.Info.Defs[c.Decl.Name].(*types.Func)
		if !ok {
			continue
		}
		f := p.funcs[p.prog.FuncValue(obj)]
		if f == nil || f.broken {
			continue
		}
		e, ok := f.refutation(c)
		if !ok {
			continue
		}
		r := Report{Code: "BC0002", Pos: c.Pos, End: c.End, Loose: e.lvl == Loose, Limit: e.limit, Func: declName(f.fn)}
		what := "the parameter " + f.paramName(int(p.origin(e.id).param))
		if o := p.origin(e.id); o.kind == fromSource {
			what, r.Kind = o.src+" output", o.src
		}
		how := "unbounded"
		if r.Loose {
			how = "with a loose bound"
			if e.limit >= 0 {
				how += fmt.Sprintf(" of %d bytes", e.limit)
			}
		}
		r.Path = p.steps(e.tr)
		if len(r.Path) == 0 {
			r.Path = []Step{{p.where(place{pos: f.fn.Pos()}), what}}
		}
		r.Source = r.Path[0].Where
		r.Message = fmt.Sprintf("BC0002: %s is annotated as a bound, but returns %s %s; bound it on every path, or remove the annotation",
			declName(f.fn), what, how)
		p.reports = append(p.reports, r)
	}
}

// refutation finds what a function lets through against the claim that it bounds.
func (f *function) refutation(c Claim) (entry, bool) {
	least := Unbounded
	if c.Limit == 0 {
		least = Loose // a claim with a number has its reasons; one without means what everybody means
	}
	var worst entry
	look := func(v val) {
		for _, e := range v.all() {
			if e.weak || e.lvl < least {
				continue
			}
			switch o := f.p.origin(e.id); o.kind {
			case fromSource:
			case fromParam:
				if o.param == 0 && f.fn.Signature.Recv() != nil {
					continue // what it holds may have been bounded when it was stored
				}
			default:
				continue
			}
			if e.lvl > worst.lvl {
				worst = e
			}
		}
	}
	for i, v := range f.summary.results {
		if !isError(f.fn.Signature.Results().At(i).Type()) {
			look(v)
		}
	}
	return worst, worst.lvl >= least
}

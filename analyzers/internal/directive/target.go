package directive

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/analyzers/internal/model"
)

// A target is what a comment group belongs to. At most one of fn, typ and field is set, and none when directives other
// than ignore have no business there.
type target struct {
	decl  ast.Node      // the declaration that an ignore in this comment covers; nil for a field or a trailing comment
	fn    *ast.FuncDecl // a function or method
	typ   *ast.TypeSpec
	field *ast.Field // a field or method of the type owner
	owner *ast.TypeSpec
}

// A filePass reads one file.
type filePass struct {
	*Index
	file    *ast.File
	tokens  *token.File
	pkg     string
	targets map[*ast.CommentGroup]target
	lines   map[int]bool
}

func (p *filePass) run() {
	for _, group := range p.file.Comments {
		for _, c := range group.List {
			d, ok := parse(c)
			if !ok {
				if word, ok := spaced(c); ok {
					p.problem(directive{pos: c.Pos(), end: c.End()}, fmt.Sprintf(
						"a directive has no space after the slashes; write %s%s", prefix, word))
				}
				continue
			}
			p.prepare()
			switch t := p.targets[group]; d.word {
			case wordIgnore:
				p.ignore(d, t, group)
			case wordSource, wordSink, wordBound, wordHistory:
				p.describe(d, t)
			default:
				p.problem(d, fmt.Sprintf("there is no directive boundcheck:%s%s; the directives are %s",
					d.word, suggest(d.word, words), strings.Join(words, ", ")))
			}
		}
	}
}

// prepare looks at the declarations. Most files have no directive, so it waits for the first one.
func (p *filePass) prepare() {
	if p.targets != nil {
		return
	}
	p.tokens = p.fset.File(p.file.FileStart)
	p.lines = codeLines(p.tokens, p.file)
	p.targets = map[*ast.CommentGroup]target{}
	for _, decl := range p.file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			p.add(decl.Doc, target{decl: decl, fn: decl})
		case *ast.GenDecl:
			if decl.Lparen.IsValid() {
				p.add(decl.Doc, target{decl: decl})
			}
			for _, spec := range decl.Specs {
				p.spec(decl, spec)
			}
		}
	}
}

func (p *filePass) spec(decl *ast.GenDecl, spec ast.Spec) {
	t := target{decl: spec}
	var doc, trailing *ast.CommentGroup
	switch spec := spec.(type) {
	case *ast.ImportSpec:
		doc, trailing = spec.Doc, spec.Comment
	case *ast.ValueSpec:
		doc, trailing = spec.Doc, spec.Comment
	case *ast.TypeSpec:
		doc, trailing = spec.Doc, spec.Comment
		t.typ = spec
		for _, f := range members(spec) {
			member := target{field: f, owner: spec}
			p.add(f.Doc, member)
			p.add(f.Comment, member)
		}
	}
	if !decl.Lparen.IsValid() {
		doc = decl.Doc
	}
	p.add(doc, t)
	t.decl = nil
	p.add(trailing, t)
}

func (p *filePass) add(group *ast.CommentGroup, t target) {
	if group != nil {
		p.targets[group] = t
	}
}

// members returns the fields of a struct type or the methods of an interface type, and neither for any other type.
func members(spec *ast.TypeSpec) []*ast.Field {
	switch typ := spec.Type.(type) {
	case *ast.StructType:
		return typ.Fields.List
	case *ast.InterfaceType:
		return slices.DeleteFunc(slices.Clone(typ.Methods.List), func(f *ast.Field) bool { return len(f.Names) == 0 })
	}
	return nil
}

func (p *filePass) ignore(d directive, t target, group *ast.CommentGroup) {
	list, given := reason(d)
	unknown := slices.IndexFunc(list, func(c string) bool { return !slices.Contains(codes, c) })
	switch {
	case len(list) == 0:
		p.problem(d, "an ignore names what it accepts and why: "+prefix+"ignore BC1001 the reason")
		return
	case unknown >= 0:
		p.problem(d, fmt.Sprintf("%q is not a code of a finding%s; write %signore BC1001 the reason",
			list[unknown], suggest(list[unknown], codes), prefix))
		return
	case !given:
		p.problem(d, "an ignore without a reason is not honoured; say behind the code why the finding is accepted")
		return
	}
	g := &ignore{codes: list, used: make([]bool, len(list)), pos: d.pos, end: d.end}
	switch line := lineOf(p.tokens, d.pos); {
	case t.decl != nil:
		g.coverDecl(group, t.decl)
	case p.lines[line]:
		g.coverLine(p.tokens, p.file, line)
	default:
		g.coverLine(p.tokens, p.file, lineOf(p.tokens, group.End()-1)+1)
	}
	p.ignores[p.tokens] = append(p.ignores[p.tokens], g)
}

// describe turns a source, sink, bound or history into rules.
func (p *filePass) describe(d directive, t target) {
	rule := model.Rule{Pkg: p.pkg, Pos: p.position(d.pos)}
	wrong := ""
	switch d.word {
	case wordSource:
		rule.Op = model.Source
		rule.Kind, wrong = oneOf(d, "kind", defaultKind, model.Kinds)
	case wordSink:
		rule.Op = model.Sink
		rule.Kind, wrong = oneOf(d, "code", defaultCode, model.Codes)
	case wordBound:
		rule.Op = model.Bound
		rule.Limit, wrong = limit(d)
	case wordHistory:
		rule.Op = model.History
		if len(d.args) > 0 {
			wrong = "boundcheck:history takes no argument; put a remark behind //"
		}
	}
	if wrong != "" {
		p.problem(d, wrong)
		return
	}

	var rules []model.Rule
	switch {
	case t.fn != nil:
		rules, wrong = onFunc(rule, t.fn)
	case t.field != nil:
		rules, wrong = onMember(rule, t)
	case t.typ != nil:
		rules, wrong = onType(rule, t.typ)
	default:
		wrong = misplaced(d.word)
	}
	if wrong != "" {
		p.problem(d, wrong)
		return
	}
	p.rules = append(p.rules, rules...)
	if t.fn != nil && rule.Op == model.Bound && t.fn.Body != nil {
		p.bounds = append(p.bounds, Bound{Decl: t.fn, Limit: rule.Limit, Pos: d.pos, End: d.end})
	}
}

func (p *filePass) position(pos token.Pos) string {
	at := p.fset.Position(pos)
	return at.Filename + ":" + strconv.Itoa(at.Line)
}

func misplaced(word string) string {
	places := "a function, a method, a method of an interface or a struct field"
	if word == wordHistory {
		places = "a type or a struct field"
	}
	return fmt.Sprintf("boundcheck:%s has no effect here; it belongs into the comment of %s at package level", word, places)
}

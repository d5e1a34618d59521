package directive

import (
	"fmt"
	"go/ast"
	"go/token"
)

// An ignore is a valid ignore directive and the part of the file it covers.
type ignore struct {
	codes    []string
	used     []bool    // per code: it matched a finding
	whole    bool      // covers a declaration, not a line
	from, to token.Pos // what is covered, both included; NoPos when the line is empty
	pos, end token.Pos // the directive
}

func (g *ignore) covers(pos token.Pos) bool { return g.from <= pos && pos <= g.to }

// use marks a code as matched and reports whether the ignore lists it.
func (g *ignore) use(code string) bool {
	for i, c := range g.codes {
		if c == code {
			g.used[i] = true
			return true
		}
	}
	return false
}

func (g *ignore) unmatched() []string {
	var cs []string
	for i, c := range g.codes {
		if !g.used[i] {
			cs = append(cs, c)
		}
	}
	return cs
}

func (g *ignore) stale(code string) Problem {
	where := "on the line it covers"
	if g.whole {
		where = "in the declaration it covers"
	}
	return Problem{Pos: g.pos, End: g.end, Message: fmt.Sprintf(
		"this ignore matches nothing: no %s is found %s; remove the code, or move the directive to the line of the finding", code, where)}
}

// coverDecl makes the ignore cover a declaration with its comment.
func (g *ignore) coverDecl(doc *ast.CommentGroup, decl ast.Node) {
	g.whole, g.from, g.to = true, doc.Pos(), decl.End()
}

// coverLine makes the ignore cover a line, and what begins on it up to the first block it opens. Line numbers are
// those of the file itself: a //line comment does not move code to another place.
func (g *ignore) coverLine(tf *token.File, f *ast.File, line int) {
	if line > tf.LineCount() {
		return
	}
	first, last := tf.LineStart(line), token.Pos(tf.Base()+tf.Size())
	if line < tf.LineCount() {
		last = tf.LineStart(line+1) - 1
	}
	end, block := last, token.Pos(tf.Base()+tf.Size())
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil || n.End() < first || n.Pos() > end {
			return false
		}
		if opens := opening(n); opens >= first {
			block = min(block, opens)
		}
		if n.Pos() >= first && n.Pos() <= last {
			end = max(end, n.End())
		}
		return true
	})
	g.from, g.to = first, max(last, min(end, block))
}

// opening returns where a node opens a block of statements, or NoPos.
func opening(n ast.Node) token.Pos {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.Lbrace
	case *ast.CaseClause:
		return n.Colon
	case *ast.CommClause:
		return n.Colon
	}
	return token.NoPos
}

// codeLines returns the lines of a file on which code stands: no token of the language stands on a line where no
// node of the tree begins or ends, but for commas and operators that no comment of interest can follow alone.
func codeLines(tf *token.File, f *ast.File) map[int]bool {
	lines := map[int]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.Comment, *ast.CommentGroup:
			return false
		}
		lines[lineOf(tf, n.Pos())] = true
		lines[lineOf(tf, n.End()-1)] = true
		return true
	})
	return lines
}

func lineOf(tf *token.File, pos token.Pos) int { return tf.PositionFor(pos, false).Line }

package model

import (
	"embed"
	"io/fs"
	"strings"
	"sync"
)

//go:embed models/*.model
var files embed.FS

// Builtin returns the rules that come with the program. Every call returns the same set, to which nothing may be
// added; [Set.Clone] makes one that may grow.
func Builtin() *Set { return builtin() }

var builtin = sync.OnceValue(func() *Set { return &Set{base: indexBuiltin()} })

// A block is a package line of a built-in file with the rules below it. It is parsed when a package that it names is
// first asked for: a program that checks one package, as under go vet, needs few of them.
type block struct {
	pkgs  []string
	rules func() []Rule
}

// blocks are the built-in rules, by package.
type blocks struct {
	all      []*block
	exact    map[string][]*block
	patterns []patternBlocks // in the order in which the patterns first came
}

type patternBlocks struct {
	pkg    string
	blocks []*block
}

// indexBuiltin finds the blocks of the embedded files. The files are part of the program, and a test parses them: there
// is no error left to happen here.
func indexBuiltin() *blocks {
	x := &blocks{exact: map[string][]*block{}}
	names, _ := fs.Glob(files, "models/*.model")
	for _, name := range names {
		src, _ := files.ReadFile(name)
		text := string(src)
		start, first, offset, line := 0, 0, 0, 0
		for l := range strings.Lines(text) {
			line++
			if strings.HasPrefix(l, "package ") {
				x.add(name, first, text[start:offset])
				start, first = offset, line
			}
			offset += len(l)
		}
		x.add(name, first, text[start:])
	}
	return x
}

// add takes a block that begins with its package line; line is 0 for what stands before the first of a file.
func (x *blocks) add(name string, line int, text string) {
	if line == 0 {
		return
	}
	head, _, _ := strings.Cut(text, "\n")
	pkgs, _ := parsePackage(strings.Fields(stripComment(head))[1:])
	b := &block{pkgs: pkgs, rules: sync.OnceValue(func() []Rule {
		rules, _ := parseFrom(name, line, text)
		return rules
	})}
	x.all = append(x.all, b)
	for _, pkg := range pkgs {
		if isPattern(pkg) {
			x.addPattern(pkg, b)
		} else {
			x.exact[pkg] = append(x.exact[pkg], b)
		}
	}
}

func (x *blocks) addPattern(pkg string, b *block) {
	for i := range x.patterns {
		if x.patterns[i].pkg == pkg {
			x.patterns[i].blocks = append(x.patterns[i].blocks, b)
			return
		}
	}
	x.patterns = append(x.patterns, patternBlocks{pkg, []*block{b}})
}

// of appends the rules that blocks have for one package, or one pattern.
func of(rules []Rule, blocks []*block, pkg string) []Rule {
	for _, b := range blocks {
		for _, r := range b.rules() {
			if r.Pkg == pkg {
				rules = append(rules, r)
			}
		}
	}
	return rules
}

func (x *blocks) len() int {
	n := 0
	for _, b := range x.all {
		n += len(b.rules())
	}
	return n
}

package model

import "strings"

// Normalize drops from an import path what must not matter for matching: vendor directories, the suffix of a test
// variant, and major versions ("/v2" elements and gopkg.in's ".v3").
func Normalize(importPath string) string {
	importPath, _, _ = strings.Cut(importPath, " [")
	if i := strings.LastIndex(importPath, "/vendor/"); i >= 0 {
		importPath = importPath[i+len("/vendor/"):]
	}
	importPath = strings.TrimPrefix(importPath, "vendor/")
	if !strings.Contains(importPath, "/v") && !strings.Contains(importPath, ".v") {
		return importPath
	}
	var b strings.Builder
	for elem := range strings.SplitSeq(importPath, "/") {
		if b.Len() > 0 {
			if isMajor(elem) {
				continue
			}
			b.WriteByte('/')
		}
		if i := strings.LastIndexByte(elem, '.'); i > 0 && isMajor(elem[i+1:]) {
			elem = elem[:i]
		}
		b.WriteString(elem)
	}
	return b.String()
}

// isMajor reports whether s is "v" and digits.
func isMajor(s string) bool {
	return len(s) > 1 && s[0] == 'v' && strings.Trim(s[1:], "0123456789") == ""
}

const dots = "..."

// isPattern reports whether a package path holds a wildcard.
func isPattern(path string) bool {
	return strings.Contains(path, dots) || strings.Contains(path, "*")
}

// MatchPath reports whether a normalised import path matches a pattern: "..." stands for anything, also nothing,
// and "*" for one path element or a part of one.
func MatchPath(pattern, importPath string) bool {
	for pattern != "" {
		switch {
		case strings.HasPrefix(pattern, dots):
			pattern = pattern[len(dots):]
			for k := range len(importPath) + 1 {
				if MatchPath(pattern, importPath[k:]) {
					return true
				}
			}
			return false
		case pattern[0] == '*':
			pattern = pattern[1:]
			for k := 0; ; k++ {
				if MatchPath(pattern, importPath[k:]) {
					return true
				}
				if k == len(importPath) || importPath[k] == '/' {
					return false
				}
			}
		case importPath == "" || importPath[0] != pattern[0]:
			return false
		}
		pattern, importPath = pattern[1:], importPath[1:]
	}
	return importPath == ""
}

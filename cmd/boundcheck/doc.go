// Boundcheck finds the places in a Go program where the output of a tool (a process, a file, an HTTP or MCP server,
// and so on) enters the conversation history of a language model without passing a bound.
//
// Usage:
//
//	boundcheck [flags] [packages]
//	go vet -vettool=$(which boundcheck) [flags] [packages]
//	boundcheck explain [CODE]
//	boundcheck version
//	boundcheck completion SHELL
//
// The first two run the same analyzers and find the same. The first is faster and prints the path from the source of
// the output to the history; the second keeps what it has found in the go command's cache. Without packages the
// first checks ./... and the second the package in the current directory.
//
// Packages are named as for the go command. What they import from the main module (or, in a workspace, from any of its
// modules) is analysed too, since output may come through it, but nothing is reported there. Packages outside the
// main module are not analysed: what they do is known from models.
//
// # Flags
//
// Long flags may be written with one dash or two. These mean the same in both ways of running:
//
//	-model FILE        more models, in addition to the built-in ones; may be given several times
//	-loose BYTES       report bounds that allow more than this
//	-confidence LEVEL  report findings of at least this confidence: low, medium or high
//	-tests             report in test files too
//	-generated         report in generated files too
//	-fix               make the first suggested fix of each finding instead of printing it; generated files stay as they are
//	-fix -diff         print those changes instead of making them
//	-json              print JSON: see below for the first way, and "go help vet" for the second
//	-NAME              run the analyzer of that name only; -NAME=false: all but that
//	-NAME.FLAG         set a flag of one analyzer
//
// These are for the standalone command:
//
//	-C DIR             go to this directory first
//	-tags TAGS         build tags, separated by commas
//
// The environment variable BOUNDCHECK_MODEL names more model files, separated like the entries of PATH.
//
// # Exit codes
//
//	0  nothing was found
//	1  there are findings; with -fix -diff, there are changes
//	2  wrong usage: an unknown flag, a model file that cannot be read, packages that do not exist
//	3  something could not be loaded or analysed; the rest was, and its findings are printed
//
// Under go vet the exit code is that of the go command, which is 1 for anything but success.
//
// # JSON
//
// With -json the standalone command prints one document and nothing else on the standard output. Its form is stable:
// fields may be added, but none is removed or changes its meaning without a new version number. Two runs over the same
// code print the same bytes.
//
//	{
//		"version": 1,
//		"findings": [
//			{
//				"code": "BC1001",
//				"analyzer": "historybypass",
//				"severity": "high",        // high, medium, low: how much it matters
//				"confidence": "high",      // high, medium, low: how sure the analysis is
//				"file": "agent/loop.go",   // relative to the working directory, with slashes
//				"line": 42,                // from 1
//				"column": 7,               // from 1, in bytes
//				"endLine": 42,
//				"message": "...",
//				"source": {                // absent when a finding has none
//					"kind": "process",     // process, file, http, mcp, database, kubernetes, ssh, browser, remote, tool, error
//					"file": "tools/bash.go",
//					"line": 17             // 0 when the place is not known
//				},
//				"path": [                  // from source to sink; absent when empty
//					{"file": "tools/bash.go", "line": 17, "what": "..."}
//				],
//				"fingerprint": "0f1e2d3c4b5a6978"
//			}
//		],
//		"errors": [
//			{
//				"package": "example.com/m/p", // empty when no single package is to blame
//				"file": "p/p.go",             // empty when there is no place
//				"line": 3,                    // 0 when there is no place
//				"message": "undefined: x (and 2 more)"
//			}
//		]
//	}
//
// Findings are sorted by file, line, column, code and message, errors by package, file, line and message. Both lists
// are always there. Files outside both the main module and the working directory have absolute names. The fingerprint
// of a finding stays the same when lines move, and does not depend on the working directory; it is meant for lists of
// known findings.
//
// # Under go vet
//
// The go command stores what a vet tool prints and replays it when nothing has changed. It knows nothing of model
// files, so boundcheck accepts -model there only for files beside go.mod or go.work whose names end in .model; these it
// can point out to the go command. Their names are understood relative to that directory. Model files in
// BOUNDCHECK_MODEL, which need absolute names, can be anywhere.
//
// Up to Go 1.26 the cache does not distinguish packages that were named from those that were only imported. Therefore
// findings in packages of the main module that the named ones import are printed as well, unless such a package has
// tests of its own. A package that is imported by the external tests of a package it imports itself may have its
// findings printed twice.
//
// A package outside the main module that is named is checked, but the findings may be missing if it was imported in an
// earlier run.
package main

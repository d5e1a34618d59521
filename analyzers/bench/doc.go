//go:build unix

// Command bench measures what boundcheck costs on a module, next to "go vet" on the same module.
//
//	CGO_ENABLED=0 go build -o /tmp/boundcheck ./cmd/boundcheck
//	go run ./analyzers/bench -bin /tmp/boundcheck -module DIR
//
//	-bin PATH          the boundcheck to measure
//	-module DIR        the module it is measured on
//	-pkgs PATTERNS     packages of the module, separated by spaces (default ./...)
//	-runs N            measured pairs of runs a row (default 5)
//	-timeout TIME      the longest that one run may take (default 10m); a row with a longer one is not reported
//	-rows NAMES        only these rows, separated by commas
//	-edit FILE         the file that the "edit" rows change, relative to DIR (default: one of the package that most others import)
//	-staticcheck PATH  also measure this staticcheck
//	-nilaway PATH      also measure this nilaway
//	-json              print one JSON document, with every single run
//
// # Rows
//
// Each row is a tool in a state, against "go vet" in the matching state:
//
//	vettool-cold      go vet -vettool=boundcheck, against a cold go vet
//	vettool-warm      the same command again, against a warm go vet
//	vettool-edit      after one comment line was added at the end of a file, against go vet after such an edit
//	standalone        boundcheck PATTERNS, against a cold go vet
//	standalone-tests  boundcheck -tests PATTERNS, against a cold go vet
//	staticcheck       with an empty cache of its own, against a cold go vet
//	nilaway           restricted to the packages of the module, against a cold go vet
//
// Cold means that the build cache is full and the results of the tool are not: what the first run, or the first one after an
// upgrade, costs. For go vet this is done with a value of -printf.funcs that no earlier run had, for the vettool with a copy
// of the binary that has random bytes at its end, which gives it another identity. An edit is made with -overlay, so that no
// file of the module is touched; every run gets a comment of its own, since otherwise the second run of a pair would find the
// package compiled by the first.
//
// # Method
//
// A row is one pair of runs that is not counted (it fills the build cache), then N pairs: go vet, tool, go vet, tool and so on. A ratio
// is taken within each pair, so that a machine that slows down slows both, and the table shows the median of the ratios and
// the smallest and the largest. CPU is user and system time of the command and all processes it waited for. Peak is the
// resident memory of the largest single process among them, the largest of the N runs; cmd/go itself is one of them, and a row of
// the vettool is therefore an upper bound for a unit. Wall time depends on what else the machine does; CPU much less.
//
// # Reproducing the figures
//
// Take a module that builds ("go vet ./..." must not stop at compile errors: the column "exit" shows the exit code of the
// last run, and a tool that stops early looks cheap). If the go.mod of a checkout pins a dependency that this toolchain cannot
// compile, leave the checkout alone and point GOFLAGS=-modfile=FILE at a corrected copy. Then:
//
//	go run ./analyzers/bench -bin /tmp/boundcheck -module eino -staticcheck $(which staticcheck) -nilaway $(which nilaway)
//
// Exit status: 0 measured, 2 wrong usage, 3 some row could not be measured (the others are printed).
package main

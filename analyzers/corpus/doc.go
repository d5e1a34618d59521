// Command corpus scores boundcheck against labelled sites in real repositories.
//
//	go run ./analyzers/corpus -sites sites.tsv -checkouts DIR [flags] [-- boundcheck flags]
//
//	-sites FILE      the labels: a table separated by tabs, with a header line
//	-checkouts DIR   where the repositories lie, as DIR/owner+repo, DIR/owner/repo or DIR/repo
//	-only REPO,...   score only these repositories (owner/repo, or repo alone)
//	-json            print one JSON document instead of tables
//	-unlabelled N    also print N reports that lie at no labelled site, picked at random, with their source
//	-seed S          the seed of that choice; equal seeds over equal reports pick equal reports
//	-timeout TIME    the longest that one module may take (default 10m); after that its run counts as failed
//	-bin PATH        a boundcheck that is already built; without it ./cmd/boundcheck is built once
//
// What follows the flags is handed to boundcheck, so that a setting can be tried on the whole corpus:
//
//	go run ./analyzers/corpus -sites sites.tsv -checkouts DIR -- -confidence=low
//
// # What is run
//
// For each labelled file the module it belongs to is the directory of the nearest go.mod above it. In each such
// directory, one after the other, "boundcheck -json ./..." is run with the environment of this command. No go.mod and
// go.sum of a checkout is changed (in a workspace the go command itself may add lines to go.work.sum). The Go module proxy
// or a filled module cache has to supply the dependencies; what cannot be loaded is listed. Its positive sites still count, as misses; its silent sites do not, since silence about code that was not
// read proves nothing. A module whose go.sum lacks lines is run again with completed copies of go.mod and go.sum.
//
// # The labels
//
// The table has the columns repo, commit, file, line, kind, verdict, bounded_how, flow and scope. Kinds are H (history
// entry), T (a tool function's return), S (MCP server output), P (prompt), E (error text) and R (stored history written out
// again for a provider). Verdicts are U (no bound), C (a path without bound), L (a loose bound), B (bounded) and N
// (nothing to bound). A site is
//
//   - positive when it is U or C and of kind H, T, S, P or E; E is counted apart from the other four,
//   - silent when it is B or N and not of kind R,
//   - neutral otherwise (L or R), which counts neither way.
//
// # How it is scored
//
// Only codes BC1xxx say something about output; BC0xxx (directives, a function that could not be analysed) are counted
// as "other" and take no part.
//
// A positive site is hit when a report lies in its file at most 3 lines away, whatever else is near. In the other
// direction each report belongs to the labelled site nearest to it within 3 lines; at equal distance a positive site wins over a
// silent one and a silent one over a neutral one. A report that belongs to a silent site is a false alarm; one that is near no
// site is unlabelled, which is neither right nor wrong until somebody reads the code (that is what -unlabelled is for).
//
//	recall       positive sites hit / positive sites
//	false alarms silent sites with a false alarm / silent sites
//	precision    positive sites hit (E as well) / (those + silent sites with a false alarm)
//
// Seconds are wall time inside boundcheck. They are the only part of the output that differs between two runs over
// the same checkouts with the same tool.
//
// # Exit status
//
// 0 scored, 2 wrong usage or an unreadable table, 3 nothing could be scored.
package main

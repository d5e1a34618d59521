// Package retention says what the tool results of a history hold on to, and whether a result is in it that no bound can have
// let through.
//
//	report := retention.Diagnose(pipeline.Limits(), retention.Sources{History: retention.Of(history)})
//	fmt.Print(report)
//
//	Tool results in history: 42
//	Total retained: 481234 utf16 (media 2 parts, 12800)
//	Counted towards clearing: 450012 of 500000
//	...
//
// It measures as the policy measures: text by its length in the unit of the limits, whatever an encoder makes of it, and
// media by an estimate per part. So Counted is the very number that the next checkpoint compares with the high watermark.
//
// A result is oversized when its body is beyond twice its budget and 500. A bounded result never is, so the count is an
// alarm: something went round a bound. It is raised by size alone; no text, notice or marker in a result hides it.
//
// A report holds sizes, names of tools and ids of calls, and no payload. Names and ids are quoted and shortened when they
// are printed, because they come from outside, too.
//
// For a history of your own message types, yield an [Entry] for each result instead of using [Of].
//
// spec: DIA-1, DIA-2, DIA-3, DIA-4
package retention

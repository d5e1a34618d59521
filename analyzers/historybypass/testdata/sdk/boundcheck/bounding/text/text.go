// Package text is a stub of the part that measures and cuts.
package text

type Unit uint8

const UTF16 Unit = 0

type Options struct{ Head, Tail int }

type Selection struct{ Head, Tail string }

func (u Unit) Count(s string) int { return 0 }

func (u Unit) Prefix(s string, n int) string { return "" }

func Clean(s string) string { return "" }

func Select(s string, o Options) Selection { return Selection{} }

// Package ansi is a stub: only names and signatures matter to the analysis.
package ansi

func StringWidth(s string) int { return len(s) }

func Truncate(s string, length int, tail string) string { return s }

func TruncateLeft(s string, n int, prefix string) string { return s }

func Strip(s string) string { return s }

package report

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/boundcheck/boundcheck/analyzers/finding"
)

// A Style says how text is decorated. The zero Style is plain.
type Style struct{ Color bool }

// StyleFor returns the style for a file: colour for a terminal, unless the environment says otherwise.
func StyleFor(f *os.File) Style {
	return Style{Color: IsTerminal(f) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

// IsTerminal reports whether somebody is likely to look at what is written to the file.
func IsTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	yellow = "33"
	cyan   = "36"
)

func (s Style) paint(color, text string) string {
	if !s.Color {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

func (s Style) severity(f finding.Finding) string {
	switch f.Severity {
	case finding.High:
		return red
	case finding.Medium:
		return yellow
	}
	return cyan
}

// Text writes the findings, each with its path below it.
func (d *Document) Text(w io.Writer, s Style) error {
	var b strings.Builder
	for _, f := range d.Findings {
		fmt.Fprintf(&b, "%s %s\n", s.paint(bold, fmt.Sprintf("%s:%d:%d:", f.File, f.Line, f.Column)), s.message(f))
		for _, step := range f.Path {
			fmt.Fprintf(&b, "\t%s\n", s.paint(dim, fmt.Sprintf("%s:%d: %s", step.File, step.Line, step.What)))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// message adds the code, where the analyzer has not put it into the text itself.
func (s Style) message(f finding.Finding) string {
	if f.Code == "" || strings.Contains(f.Message, f.Code) {
		return f.Message
	}
	return f.Message + " (" + s.paint(s.severity(f), f.Code) + ")"
}

// Problems writes what could not be analysed, one line each.
func (d *Document) Problems(w io.Writer) error {
	var b strings.Builder
	for _, p := range d.Errors {
		b.WriteString("boundcheck: ")
		if p.Package != "" {
			fmt.Fprintf(&b, "package %s: ", p.Package)
		}
		if p.File != "" {
			fmt.Fprintf(&b, "%s:%d: ", p.File, p.Line)
		}
		b.WriteString(p.Message + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

package invariants

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// WriteText writes the report for people: what does not hold, each with the scenario that shows it, what is not known, and
// a count.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, f := range r.Findings {
		switch {
		case f.Status == Pass, f.Status == Skip:
			continue
		case f.Known:
			fmt.Fprintf(&b, "known    %s  %s\n", f.ID, firstLine(f.Message))
			continue
		}
		fmt.Fprintf(&b, "%-8s %s", f.Status, f.ID)
		if f.Level == Should {
			b.WriteString(" (should)")
		}
		fmt.Fprintf(&b, "  %s\n", statement(f.ID))
		indent(&b, f.Message)
		for _, m := range f.Missing {
			fmt.Fprintf(&b, "         never seen: %s\n", m)
		}
		if f.Scenario != "" {
			b.WriteString("         the smallest scenario that shows it:\n")
			indent(&b, f.Scenario)
		}
		b.WriteByte('\n')
	}
	for _, s := range r.Stale {
		fmt.Fprintf(&b, "the baseline is stale: %s\n", s)
	}
	if r.Count(Skip) > 0 {
		fmt.Fprintf(&b, "skipped, for the capabilities are %s:", strings.Join(r.Caps, ", "))
		for _, f := range r.Findings {
			if f.Status == Skip {
				fmt.Fprintf(&b, " %s", f.ID)
			}
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%d of %d invariants hold; %d fail, %d are vacuous, %d are not known, %d skipped (profile %s, seed %d)\n",
		r.Count(Pass), len(r.Findings), r.Count(Fail), r.Count(Vacuous), r.Count(Error), r.Count(Skip), r.Profile, r.Seed)
	_, err := io.WriteString(w, b.String())
	return err
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

func indent(b *strings.Builder, text string) {
	for line := range strings.Lines(text) {
		b.WriteString("         ")
		b.WriteString(strings.TrimRight(line, "\n"))
		b.WriteByte('\n')
	}
}

// statement is what an invariant says.
func statement(id string) string {
	for i := range All() {
		if i.ID == id {
			return i.Statement
		}
	}
	return ""
}

// WriteJUnit writes the report as the XML that build servers read: a suite for each family, a case for each invariant.
func (r *Report) WriteJUnit(w io.Writer) error {
	type problem struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	type testcase struct {
		Name      string   `xml:"name,attr"`
		Classname string   `xml:"classname,attr"`
		Failure   *problem `xml:"failure"`
		Error     *problem `xml:"error"`
		Skipped   *problem `xml:"skipped"`
	}
	type suite struct {
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Errors   int        `xml:"errors,attr"`
		Skipped  int        `xml:"skipped,attr"`
		Cases    []testcase `xml:"testcase"`
	}
	document := struct {
		XMLName xml.Name `xml:"testsuites"`
		Suites  []suite  `xml:"testsuite"`
	}{}
	for family, findings := range r.families() {
		s := suite{Name: family, Tests: len(findings)}
		for _, f := range findings {
			c := testcase{Name: f.ID, Classname: "boundcheck." + family}
			switch {
			case f.Status == Skip || f.Status == Fail && !f.Bad():
				s.Skipped++
				c.Skipped = &problem{Message: f.Message}
			case f.Status == Fail:
				s.Failures++
				c.Failure = &problem{f.Message, f.Scenario}
			case f.Status != Pass:
				s.Errors++
				c.Error = &problem{f.Message, strings.Join(f.Missing, "\n")}
			}
			s.Cases = append(s.Cases, c)
		}
		document.Suites = append(document.Suites, s)
	}
	if len(r.Stale) > 0 {
		document.Suites = append(document.Suites, suite{Name: "baseline", Tests: 1, Failures: 1, Cases: []testcase{
			{Name: "stale", Classname: "boundcheck.baseline", Failure: &problem{"the baseline is stale", strings.Join(r.Stale, "\n")}}}})
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "\t")
	if err := e.Encode(document); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

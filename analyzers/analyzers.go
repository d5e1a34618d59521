// Package analyzers lists the analyzers of this module.
package analyzers

import (
	"golang.org/x/tools/go/analysis"

	"github.com/boundcheck/boundcheck/analyzers/historybypass"
)

// All returns every analyzer, in the order in which the drivers run them.
func All() []*analysis.Analyzer { return []*analysis.Analyzer{historybypass.Analyzer} }

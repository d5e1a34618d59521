package historybypass

import (
	"reflect"

	"golang.org/x/tools/go/analysis"

	"github.com/boundcheck/boundcheck/analyzers/finding"
)

// Analyzer reports nothing yet.
var Analyzer = &analysis.Analyzer{
	Name:       "historybypass",
	Doc:        "report tool output that enters a conversation history without passing a bound",
	ResultType: reflect.TypeFor[*finding.List](),
	Run:        func(*analysis.Pass) (any, error) { return &finding.List{}, nil },
}

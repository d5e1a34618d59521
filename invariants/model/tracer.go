package model

import (
	"context"
	"fmt"
	"io"

	"github.com/boundcheck/boundcheck/bounding"
)

// tracer writes down what a pipeline tells, so that checks can look for payload in it.
type tracer struct{ w io.Writer }

func (t tracer) Transition(_ context.Context, tr bounding.Transition) { fmt.Fprintf(t.w, "%+v\n", tr) }

func (t tracer) StoreFailed(_ context.Context, f bounding.StoreFailure) {
	fmt.Fprintf(t.w, "%+v\n", f)
}

func (t tracer) Cleared(_ context.Context, r *bounding.Report) { fmt.Fprintf(t.w, "%+v\n", *r) }

// Package rest is a stub: only names and signatures matter to the analysis.
package rest

import (
	"context"
	"io"
)

type Request struct{}

func (r *Request) Do(ctx context.Context) Result { return Result{} }

func (r *Request) DoRaw(ctx context.Context) ([]byte, error) { return nil, nil }

func (r *Request) Stream(ctx context.Context) (io.ReadCloser, error) { return nil, nil }

type Result struct{}

func (r Result) Raw() ([]byte, error) { return nil, nil }

// Package chromedp is a stub: only names and signatures matter to the analysis.
package chromedp

import "context"

type Action interface {
	Do(ctx context.Context) error
}

type EvaluateAction Action

type QueryAction Action

type EvaluateOption func()

type QueryOption func()

func Run(ctx context.Context, actions ...Action) error { return nil }

func Navigate(urlstr string) Action { return nil }

func Evaluate(expression string, res any, opts ...EvaluateOption) EvaluateAction { return nil }

func OuterHTML(sel any, html *string, opts ...QueryOption) QueryAction { return nil }

func Title(title *string) Action { return nil }

package toolreturn

import (
	"context"
	"encoding/json"

	"github.com/chromedp/chromedp"
)

var browserTools = []ToolDefinition{
	{Name: "evaluate", Function: evaluate},
	{Name: "html", Function: outerHTML},
	{Name: "navigate", Function: okNavigate},
}

// The result arrives in a variable whose address went into an action that runs later.
func evaluate(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[struct{ Expression string }](input)
	if err != nil {
		return "", err
	}
	var result any
	action := chromedp.Evaluate(args.Expression, &result)
	if err := chromedp.Run(ctx, action); err != nil {
		return "", err
	}
	response, err := json.Marshal(result)
	if err != nil {
		return "", err
	}
	return "<result>" + string(response) + "</result>", nil // want "BC1002.*browser"
}

func outerHTML(ctx context.Context, input json.RawMessage) (string, error) {
	var html string
	if err := chromedp.Run(ctx, chromedp.OuterHTML("html", &html)); err != nil {
		return "", err
	}
	return html, nil // want "BC1002.*browser"
}

func okNavigate(ctx context.Context, input json.RawMessage) (string, error) {
	args, err := decode[urlArgs](input)
	if err != nil {
		return "", err
	}
	if err := chromedp.Run(ctx, chromedp.Navigate(args.URL)); err != nil {
		return "", err
	}
	return "the page is open", nil
}

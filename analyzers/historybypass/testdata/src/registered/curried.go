package registered

import (
	"context"
	"encoding/json"
)

// newHandler returns the code of a tool for one root.
func newHandler(root string) func(context.Context, json.RawMessage) RunOut {
	return func(ctx context.Context, input json.RawMessage) RunOut {
		text, err := slurp(root + string(input))
		if err != nil {
			return RunOut{Error: err}
		}
		return RunOut{Text: text} // want "BC1002.*file"
	}
}

// logged wraps a handler and changes nothing about its output.
func logged(log func(string), next func(context.Context, json.RawMessage) RunOut) func(context.Context, json.RawMessage) RunOut {
	return func(ctx context.Context, input json.RawMessage) RunOut {
		log("called")
		return next(ctx, input)
	}
}

func okNothing(ctx context.Context, input json.RawMessage) RunOut {
	return RunOut{Text: "nothing to do"}
}

func curriedTools(log func(string)) []RunTool {
	return []RunTool{
		{Name: "curried", Run: newHandler("/srv/")},
		{Name: "logged", Run: logged(log, newHandler("/tmp/"))},
		{Name: "nothing", Run: logged(log, okNothing)},
	}
}

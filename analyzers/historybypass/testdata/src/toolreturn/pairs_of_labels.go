package toolreturn

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// lines writes pairs of a key and a value, one a line.
func lines(pairs ...any) string {
	var b strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		fmt.Fprintf(&b, "%v: %v\n", pairs[i], pairs[i+1])
	}
	return b.String()
}

// One large text among the pairs is enough, and so is a list of pairs that nobody has written down.
func largePairTools() []ToolDefinition {
	return []ToolDefinition{
		{Name: "body", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			t, err := fetchTicket(ctx, "http://tickets.test/1")
			if err != nil {
				return "", err
			}
			return lines("subject", t.Subject, "body", t.Body), nil // want "BC1002.*http"
		}},
		{Name: "labels", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			t, err := fetchTicket(ctx, "http://tickets.test/1")
			if err != nil {
				return "", err
			}
			var pairs []any
			for _, l := range t.Labels {
				pairs = append(pairs, "label", l.Name)
			}
			return lines(pairs...), nil // want "BC1002.*http"
		}},
	}
}

// Labels that are written down at the call are as many as stand there.
func okLabelPairs(ctx context.Context, input json.RawMessage) (string, error) {
	t, err := fetchTicket(ctx, "http://tickets.test/1")
	if err != nil || t.State == nil {
		return "", err
	}
	return lines("subject", t.Subject, "state", *t.State), nil
}

var labelPairTools = []ToolDefinition{{Name: "pairs", Function: okLabelPairs}}

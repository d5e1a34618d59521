package toolreturn

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"example.org/languageserver"
)

func formatLocations(locations []languageserver.Location) string {
	var b strings.Builder
	for _, l := range locations {
		fmt.Fprintf(&b, "%s:%d: %s\n", l.URI, l.Line, l.Text)
	}
	return b.String()
}

func languageTools(client *languageserver.Client) []ToolDefinition {
	return []ToolDefinition{
		{Name: "references", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			args, err := decode[pathArgs](input)
			if err != nil {
				return "", err
			}
			locations, err := client.References(ctx, args.Path, 1)
			if err != nil {
				return "", err
			}
			if len(locations) == 0 {
				return "no references", nil
			}
			return formatLocations(locations), nil // want "BC1002"
		}},
		{Name: "references_count", Function: okReferencesCount(client)},
	}
}

func okReferencesCount(client *languageserver.Client) func(context.Context, json.RawMessage) (string, error) {
	return func(ctx context.Context, input json.RawMessage) (string, error) {
		locations, err := client.References(ctx, "main.go", 1)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%d references, server %s", len(locations), client.Version()), nil
	}
}

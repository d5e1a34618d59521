package toolreturn

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
)

// engine hides the driver; it returns whole tables.
type engine interface {
	Query(ctx context.Context, query string, args ...any) ([]string, [][]string, error)
}

func databaseTools(db *sql.DB, e engine) []ToolDefinition {
	return []ToolDefinition{
		{Name: "rows", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			args, err := decode[queryArgs](input)
			if err != nil {
				return "", err
			}
			rows, err := db.QueryContext(ctx, args.Query)
			if err != nil {
				return "", err
			}
			defer rows.Close()
			var lines []string
			for rows.Next() {
				var name, note string
				if err := rows.Scan(&name, &note); err != nil {
					return "", err
				}
				lines = append(lines, name+"\t"+note)
			}
			return strings.Join(lines, "\n"), rows.Err() // want "BC1002.*database"
		}},
		{Name: "table", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			args, err := decode[queryArgs](input)
			if err != nil {
				return "", err
			}
			cols, results, err := e.Query(ctx, args.Query)
			if err != nil {
				return "", err
			}
			text := strings.Join(cols, "\t") + "\n"
			for _, row := range results {
				text += strings.Join(row, "\t") + "\n"
			}
			return text, nil // want "BC1002.*(database|tool)"
		}},
		{Name: "count", Function: okCount(db)},
	}
}

func okCount(db *sql.DB) func(context.Context, json.RawMessage) (string, error) {
	return func(ctx context.Context, input json.RawMessage) (string, error) {
		var n int
		if err := db.QueryRowContext(ctx, "SELECT count(*) FROM notes").Scan(&n); err != nil {
			return "", err
		}
		return fmt.Sprintf("%d notes", n), nil
	}
}

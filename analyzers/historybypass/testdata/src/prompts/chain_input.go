package prompts

import (
	"context"
	"database/sql"
	"strings"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/schema"
)

// database runs queries and prints what they return.
type database struct {
	db *sql.DB
}

func (d *database) query(ctx context.Context, query string) (string, error) {
	rows, err := d.db.QueryContext(ctx, query)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var b strings.Builder
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return "", err
		}
		b.WriteString(name + "\n")
	}
	return b.String(), rows.Err()
}

func answerFromRows(ctx context.Context, llm llms.Model, d *database, question string) (string, error) {
	sqlQuery, err := llm.Call(ctx, "Write a query for: "+question)
	if err != nil {
		return "", err
	}
	result, err := d.query(ctx, sqlQuery)
	if err != nil {
		return "", err
	}
	return llm.Call(ctx, question+"\nQuery: "+sqlQuery+"\nResult: "+result) // want "BC1005.*database"
}

func planFromSteps(ctx context.Context, llm llms.Model, steps []schema.AgentStep) (string, error) {
	var scratchpad string
	for _, step := range steps {
		scratchpad += step.Action.Log
		scratchpad += "\nObservation: " + step.Observation // want "BC1001.*tool"
	}
	return llms.GenerateFromSinglePrompt(ctx, llm, scratchpad+"\nThought:")
}

// What a model said goes to the next model.
func okSecondOpinion(ctx context.Context, llm llms.Model, question string) (string, error) {
	answer, err := llm.Call(ctx, question)
	if err != nil {
		return "", err
	}
	return llm.Call(ctx, "Is this right?\n"+answer)
}

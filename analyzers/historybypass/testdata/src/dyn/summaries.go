package dyn

import (
	"context"

	"github.com/tmc/langchaingo/llms"
)

// SummarizeHandler has a model write a shorter text.
type SummarizeHandler func(ctx context.Context, text string) (string, error)

// ToolHandler runs a tool.
type ToolHandler func(ctx context.Context, text string) (string, error)

// A summary takes the place of what it is of. It is the words of a model, whatever the function is called.
func okSummary(ctx context.Context, handler SummarizeHandler, history []llms.MessageContent, text, id string) ([]llms.MessageContent, error) {
	summary, err := handler(ctx, text)
	if err != nil {
		return nil, err
	}
	part := llms.ToolCallResponse{ToolCallID: id, Name: "history", Content: summary}
	return append(history, llms.MessageContent{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{part}}), nil
}

func handled(ctx context.Context, handler ToolHandler, history []llms.MessageContent, text, id string) ([]llms.MessageContent, error) {
	output, err := handler(ctx, text)
	if err != nil {
		return nil, err
	}
	part := llms.ToolCallResponse{ToolCallID: id, Name: "run", Content: output} // want "BC1001.*tool"
	return append(history, llms.MessageContent{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{part}}), nil
}

// Spawner starts another agent.
type Spawner interface {
	SpawnSubAgent(ctx context.Context, task string) (string, error)
}

// Fetcher reads something.
type Fetcher interface {
	FetchReport(ctx context.Context, task string) (string, error)
}

// DelegateTool hands a task to another agent, and gives its answer.
type DelegateTool struct{ spawner Spawner }

// Name names the tool.
func (d *DelegateTool) Name() string { return "delegate" }

// Description describes it.
func (d *DelegateTool) Description() string { return "asks another agent" }

// okExecute gives what a model said.
func (d *DelegateTool) Execute(ctx context.Context, task string) (string, error) {
	return d.spawner.SpawnSubAgent(ctx, task)
}

// ReportTool reads a report.
type ReportTool struct{ fetcher Fetcher }

// Name names the tool.
func (r *ReportTool) Name() string { return "report" }

// Description describes it.
func (r *ReportTool) Description() string { return "reads a report" }

// Execute gives what was read.
func (r *ReportTool) Execute(ctx context.Context, task string) (string, error) {
	return r.fetcher.FetchReport(ctx, task) // want "BC1002.*remote"
}

// ToolCompletion runs a tool to its end.
type ToolCompletion func(ctx context.Context, args string) (string, error)

func completed(ctx context.Context, tools map[string]ToolCompletion, history []llms.MessageContent, name, id string) ([]llms.MessageContent, error) {
	output, err := tools[name](ctx, "{}")
	if err != nil {
		return nil, err
	}
	part := llms.ToolCallResponse{ToolCallID: id, Name: name, Content: output} // want "BC1001.*tool"
	return append(history, llms.MessageContent{Role: llms.ChatMessageTypeTool, Parts: []llms.ContentPart{part}}), nil
}

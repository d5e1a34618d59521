package appends

import "context"

// document is what the tools of this agent return: already a message.
type document map[string]any

// DocumentTool returns the finished message.
type DocumentTool interface {
	Call(ctx context.Context, call Call) document
}

type documentAgent struct {
	tools map[string]DocumentTool
}

func (a *documentAgent) callTools(ctx context.Context, calls []Call) []document {
	var results []document
	for _, call := range calls {
		tool, ok := a.tools[call.Name]
		if !ok {
			continue
		}
		results = append(results, tool.Call(ctx, call))
	}
	return results
}

func (a *documentAgent) run(ctx context.Context, calls []Call) []document {
	conversation := []document{{"role": "system", "content": "You are an agent."}}
	results := a.callTools(ctx, calls)
	if len(results) > 0 {
		conversation = append(conversation, results...) // want "BC1001.*tool"
	}
	return conversation
}

// Spreading the questions of the user is something else.
func okSpreadQuestions(questions []string) []document {
	var asked []document
	for _, q := range questions {
		asked = append(asked, document{"role": "user", "content": q})
	}
	conversation := []document{{"role": "system", "content": "You are an agent."}}
	return append(conversation, asked...)
}

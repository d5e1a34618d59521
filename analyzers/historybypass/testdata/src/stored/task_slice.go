package stored

import (
	"context"
	"sync"

	"github.com/cloudwego/eino/schema"
)

// endpoint runs a tool, perhaps wrapped by middleware.
type endpoint func(ctx context.Context, input *toolInput) (*toolOutput, error)

type toolInput struct {
	name, arguments string
}

type toolOutput struct {
	result string
}

type task struct {
	endpoint endpoint
	name     string
	args     string
	callID   string
	output   string
	err      error
}

func runTask(ctx context.Context, t *task) {
	out, err := t.endpoint(ctx, &toolInput{name: t.name, arguments: t.args})
	if err != nil {
		t.err = err
		return
	}
	t.output = out.result
}

func runTasks(ctx context.Context, tasks []task) ([]*schema.Message, error) {
	var wg sync.WaitGroup
	for i := 1; i < len(tasks); i++ {
		wg.Add(1)
		go func(t *task) {
			defer wg.Done()
			runTask(ctx, t)
		}(&tasks[i])
	}
	runTask(ctx, &tasks[0])
	wg.Wait()
	output := make([]*schema.Message, len(tasks))
	for i := range tasks {
		if tasks[i].err != nil {
			return nil, tasks[i].err
		}
		output[i] = schema.ToolMessage(tasks[i].output, tasks[i].callID, schema.WithToolName(tasks[i].name)) // want "BC1001.*tool"
	}
	return output, nil
}

func okTaskNames(tasks []task) []*schema.Message {
	var output []*schema.Message
	for _, t := range tasks {
		output = append(output, schema.ToolMessage("started "+t.name, t.callID))
	}
	return output
}

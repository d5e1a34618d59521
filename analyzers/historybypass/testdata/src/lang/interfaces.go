package lang

import (
	"context"
	"fmt"

	"github.com/openai/openai-go/v3"
)

// report prints itself.
type report struct{ body string }

func (r report) String() string { return r.body }

type failure struct{ out string }

func (f *failure) Error() string { return "failed: " + f.out }

// producer has one implementation that runs a command and one that does not.
type producer interface{ produce(ctx context.Context) any }

type runs struct{ command string }

func (r runs) produce(ctx context.Context) any { return output(ctx, r.command) }

type knows struct{ answer string }

func (k knows) produce(ctx context.Context) any { return k.answer }

func stringer(ctx context.Context, command, id string) message {
	return openai.ToolMessage(fmt.Sprint(report{body: output(ctx, command)}), id) // want "BC1001.*process"
}

func errorValue(ctx context.Context, command, id string) message {
	var err error = &failure{out: output(ctx, command)}
	return openai.ToolMessage(err.Error(), id) // want "BC100[14].*process"
}

func typeSwitch(ctx context.Context, command, id string) message {
	var v any = output(ctx, command)
	switch v := v.(type) {
	case int:
		return openai.ToolMessage(fmt.Sprint(v), id)
	case string:
		return openai.ToolMessage(v, id) // want "BC1001.*process"
	}
	return openai.ToolMessage("nothing", id)
}

func implementation(ctx context.Context, p producer, id string) message {
	return openai.ToolMessage(fmt.Sprint(p.produce(ctx)), id) // want "BC1001.*process"
}

func okKnownImplementation(ctx context.Context, id string) message {
	k := knows{answer: "42"}
	return openai.ToolMessage(fmt.Sprint(k.produce(ctx)), id)
}

func okTypeSwitch(ctx context.Context, command, id string) message {
	var v any = len(output(ctx, command))
	if n, ok := v.(int); ok {
		return openai.ToolMessage(fmt.Sprint(n), id)
	}
	return openai.ToolMessage("nothing", id)
}

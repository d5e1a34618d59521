package bounding_test

import (
	"context"
	"fmt"
	"io"
	"log"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/retention"
	"github.com/boundcheck/boundcheck/bounding/spill"
)

// Bound one result: the drop-in for an agent that keeps its own message types.
func Example() {
	pipeline, err := bounding.New(bounding.Strict(), bounding.WithStore(&spill.Memory{}))
	if err != nil {
		log.Fatal(err)
	}
	output := strings.Repeat("compiling package\n", 4_000) + "error: could not link\n"

	text := pipeline.Text(context.Background(), bounding.Call{ID: "call_1", Tool: "build"}, output)

	lines := strings.Split(text, "\n")
	fmt.Println(len(output), "bytes became", len(text))
	fmt.Println(lines[0][:100])
	fmt.Println(lines[len(lines)-2])
	// Output:
	// 72022 bytes became 2205
	// [Shortened. The whole output is in memory:1/build-result.txt: 72022 UTF-16 units in 4001 lines, 7202
	// error: could not link
}

// Bound the parallel results of one message.
func ExamplePipeline_Batch() {
	limits := bounding.Strict()
	limits.Batch = 30_000
	pipeline, err := bounding.New(limits, bounding.WithStore(&spill.Memory{}))
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	var results []bounding.Result
	for i, n := range []int{9_000, 24_000, 12_000} {
		call := bounding.Call{ID: fmt.Sprint("call_", i), Tool: "fetch"}
		results = append(results, pipeline.Bound(ctx, bounding.Output{Call: call, Text: strings.Repeat("x", n)}))
	}

	for _, r := range pipeline.Batch(ctx, results...).Results() {
		fmt.Println(r.Call().ID, r.State(), r.Outcome())
	}
	// Output:
	// call_0 kept not-needed
	// call_1 stubbed saved
	// call_2 kept not-needed
}

// A whole agent loop: bound each result, each message, and the session.
func ExamplePipeline_Checkpoint() {
	ctx := context.Background()
	store := &spill.Memory{}
	pipeline, err := bounding.New(bounding.Strict(), bounding.WithStore(store), bounding.WithSession("session-1"))
	if err != nil {
		log.Fatal(err)
	}
	history := pipeline.NewHistory()
	if err := history.User("Why does the build fail?"); err != nil {
		log.Fatal(err)
	}
	pipeline.Checkpoint(ctx, history, bounding.Checkpoint{Trigger: bounding.BeforeQuery, Gap: bounding.NoGap})

	for step := range 167 {
		// The model asks for a tool call, ...
		call := bounding.Call{ID: fmt.Sprint("call_", step), Tool: "run_shell_command"}
		if err := history.Model("", call); err != nil {
			log.Fatal(err)
		}
		// ... the tool answers, ...
		result := pipeline.Bound(ctx, bounding.Output{Call: call, Text: strings.Repeat("x", 25_500)})
		if err := history.Append(pipeline.Batch(ctx, result)); err != nil {
			log.Fatal(err)
		}
		// ... and before the history is sent, old results may go.
		if report := pipeline.Checkpoint(ctx, history, bounding.Checkpoint{Trigger: bounding.BeforeToolTurn}); report != nil && step < 50 {
			fmt.Println("step", step, report)
		}
		history.Commit() // it was sent
	}
	report := pipeline.Checkpoint(ctx, history, bounding.Checkpoint{Trigger: bounding.BeforeQuery, Gap: 2 * time.Hour})
	fmt.Println("idle:", report)

	diagnosis := retention.Diagnose(pipeline.Limits(), retention.Sources{History: retention.Of(history)})
	fmt.Println(diagnosis.Results, "results,", diagnosis.Counted, "units count")
	// Output:
	// step 19 tool results 510000 > 500000: cleared 11, media dropped 0, now 204000 (+25500 pending), target 250000, kept 5 (127500), protected 0, too small 0
	// step 30 tool results 510000 > 500000: cleared 11, media dropped 0, now 204000 (+25500 pending), target 250000, kept 5 (127500), protected 0, too small 0
	// step 41 tool results 510000 > 500000: cleared 11, media dropped 0, now 204000 (+25500 pending), target 250000, kept 5 (127500), protected 0, too small 0
	// idle: tool results 331500, idle path: cleared 8, media dropped 0, now 127500, target 250000, kept 5 (127500), protected 0, too small 0
	// 167 results, 127500 units count
}

// Read an artifact back: all of it, or any part.
func ExampleResult_Artifact() {
	ctx := context.Background()
	store := &spill.Memory{}
	pipeline, err := bounding.New(bounding.Strict(), bounding.WithStore(store))
	if err != nil {
		log.Fatal(err)
	}
	output := strings.Repeat("-", 50_000) + "needle" + strings.Repeat("-", 50_000)
	result := pipeline.Bound(ctx, bounding.Output{Call: bounding.Call{ID: "call_1", Tool: "fetch"}, Text: output})

	ref, ok := result.Artifact()
	fmt.Println(ok, ref.Locator, ref.Bytes, strings.Contains(result.Text(), "needle"))

	artifact, err := store.Open(ctx, ref.Locator)
	if err != nil {
		log.Fatal(err)
	}
	defer artifact.Close()
	part, err := io.ReadAll(io.NewSectionReader(artifact, 49_998, 10))
	fmt.Println(string(part), err)
	// Output:
	// true memory:1/fetch-result.txt 100006 false
	// --needle-- <nil>
}

// message is a message type of an agent.
type message struct {
	ToolCall string
	Content  string
}

// view shows such messages to the planners.
type view struct{}

func (view) Slots(dst []bounding.Slot, m message) []bounding.Slot {
	return append(dst, bounding.Slot{
		Units: len(m.Content), Placeholder: len(bounding.ClearedText), Cleared: m.Content == bounding.ClearedText,
	})
}
func (view) File(message, int) bounding.File { return bounding.File{} }
func (view) Clear(m message, _ []int) message {
	m.Content = bounding.ClearedText
	return m
}

// Clear the results in a history of one's own message types.
func ExampleClear() {
	var history []message
	for i := range 6 {
		history = append(history, message{fmt.Sprint("call_", i), strings.Repeat("x", 200)})
	}
	limits := bounding.Watermark{High: 1_000, Keep: 2, IdleAfter: bounding.Never}

	cleared, report := bounding.Clear(history, nil, view{}, limits, bounding.Checkpoint{Trigger: bounding.BeforeQuery})
	for _, m := range cleared {
		fmt.Printf("%s %.12s\n", m.ToolCall, m.Content)
	}
	fmt.Println(report.Before, "to", report.After)
	// Output:
	// call_0 [Old tool re
	// call_1 [Old tool re
	// call_2 [Old tool re
	// call_3 [Old tool re
	// call_4 xxxxxxxxxxxx
	// call_5 xxxxxxxxxxxx
	// 1200 to 400
}

package trace

import (
	"slices"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/invariants/subject"
)

// A subject works on copies: what it does to them, during the step or after it was given up, changes no trace.

func cloneOutput(out bounding.Output) bounding.Output {
	out.Call.Files = slices.Clone(out.Call.Files)
	out.Metadata = slices.Clone(out.Metadata)
	out.Parts = cloneParts(out.Parts)
	return out
}

func cloneParts(parts []bounding.Part) []bounding.Part {
	parts = slices.Clone(parts)
	for i := range parts {
		if m := parts[i].Media; m != nil {
			media := *m
			parts[i].Media = &media
		}
		parts[i].Parts = cloneParts(parts[i].Parts)
	}
	return parts
}

func cloneResults(results []subject.Result) []subject.Result {
	results = slices.Clone(results)
	for i := range results {
		r := &results[i]
		r.Call.Files = slices.Clone(r.Call.Files)
		r.Media = slices.Clone(r.Media)
		r.Data = slices.Clone(r.Data)
	}
	return results
}

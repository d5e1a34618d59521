//go:build unix

package main

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// A row is one pairing, measured.
type row struct {
	Name    string `json:"name"`
	Against string `json:"goVet"` // its state
	Vet     series `json:"vet"`
	Tool    series `json:"tool"`
	Ratio   spread `json:"cpuRatio"` // tool ÷ go vet, pair by pair
}

// A series is the runs of one command.
type series struct {
	CPU  float64 `json:"cpuSeconds"`  // median
	Wall float64 `json:"wallSeconds"` // median
	Peak float64 `json:"peakMiB"`     // largest
	Exit int     `json:"exit"`        // of the last run
	Runs []usage `json:"runs"`
}

// A spread is the median of some values and how far they lie apart.
type spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

// measurer is [measure], or what a test puts in its place.
type measurer func(context.Context, invocation) (usage, error)

// take measures one pairing: a pair that is thrown away, then the counted ones. No run may take longer than limit.
func take(ctx context.Context, p pairing, runs int, limit time.Duration, m measurer, progress func(string, ...any)) (row, error) {
	r := row{Name: p.name, Against: p.against}
	var vet, tool []usage
	for i := range runs + 1 {
		for _, side := range []struct {
			step step
			into *[]usage
			what string
		}{{p.vet, &vet, "go vet"}, {p.tool, &tool, "tool"}} {
			progress("%s %d/%d: %s", p.name, i, runs, side.what)
			inv, err := side.step(ctx)
			if err != nil {
				return r, fmt.Errorf("row %s: %w", p.name, err)
			}
			limited, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("stopped after %v, see -timeout", limit))
			u, err := m(limited, inv)
			cancel()
			if err != nil {
				return r, fmt.Errorf("row %s: %w", p.name, err)
			}
			if i > 0 {
				*side.into = append(*side.into, u)
			}
		}
	}
	var ratios []float64
	for i := range vet {
		ratios = append(ratios, tool[i].CPU/vet[i].CPU)
	}
	r.Vet, r.Tool = summarise(vet), summarise(tool)
	r.Ratio = spread{Median: median(ratios), Min: slices.Min(ratios), Max: slices.Max(ratios)}
	return r, nil
}

func summarise(runs []usage) series {
	s := series{Runs: runs, Exit: runs[len(runs)-1].Exit}
	var cpu, wall []float64
	for _, u := range runs {
		cpu = append(cpu, u.CPU)
		wall = append(wall, u.Wall)
		s.Peak = max(s.Peak, u.Peak)
	}
	s.CPU, s.Wall = median(cpu), median(wall)
	return s
}

// median of at least one value; of an even number, the mean of the middle two.
func median(values []float64) float64 {
	v := slices.Sorted(slices.Values(values))
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}

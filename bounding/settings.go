package bounding

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// Settings are the limits that a user may set in a configuration file. It is meant to be decoded from one, JSON or other:
// what is not set, or null, is nil. The meaning of the numbers is the one users know from the agents in use, which is not
// that of [Limits]: 0 or less switches a limit on text off, and less than 0 an occasion to clear.
//
// spec: OFF-11, WMK-5
type Settings struct {
	Threshold *int `json:"toolOutputThreshold,omitempty"`   // 0 or less: off
	Lines     *int `json:"toolOutputLines,omitempty"`       // 0 or less: off
	Batch     *int `json:"toolOutputBatchBudget,omitempty"` // 0 or less: off

	// High below 0 switches the size path off; 0 is a limit like others.
	High *int `json:"toolResultsTotalThreshold,omitempty"`
	// IdleMinutes below 0 switches the idle path off, and the size path as well while High is not set.
	IdleMinutes *float64 `json:"toolResultsIdleMinutes,omitempty"`
	Keep        *int     `json:"toolResultsNumToKeep,omitempty"` // less than 1 counts as 1
}

// Limits returns base with the settings put in. Values that are no limits, such as a number of minutes that is none, and
// bad fields of base are one [*LimitsError] that lists all of them.
func (s Settings) Limits(base Limits) (Limits, error) {
	var bad LimitsError
	off := func(dst *int, src *int) {
		if src != nil {
			*dst = *src
			if *src <= 0 {
				*dst = Unlimited
			}
		}
	}
	off(&base.Threshold, s.Threshold)
	off(&base.Lines, s.Lines)
	off(&base.Batch, s.Batch)

	w := &base.Watermark
	if s.High != nil {
		w.High = max(*s.High, Unlimited)
	}
	if s.Keep != nil {
		w.Keep = max(*s.Keep, 1)
	}
	if s.IdleMinutes != nil {
		minutes := *s.IdleMinutes
		const most = float64(math.MaxInt64 / int64(time.Minute))
		switch {
		case minutes < 0:
			w.IdleAfter = Never
			if s.High == nil {
				w.High = Unlimited
			}
		case minutes <= most:
			w.IdleAfter = time.Duration(minutes * float64(time.Minute))
		default: // too large, or not a number
			bad.Fields = append(bad.Fields, FieldError{"toolResultsIdleMinutes",
				fmt.Sprintf("is %v: it must be a number of minutes up to %.0f, or below 0 for never", minutes, most)})
		}
	}
	var more *LimitsError
	if errors.As(base.Validate(), &more) {
		bad.Fields = append(bad.Fields, more.Fields...)
	}
	if len(bad.Fields) > 0 {
		return base, &bad
	}
	return base, nil
}

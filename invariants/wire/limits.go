package wire

import (
	"maps"
	"reflect"
	"time"

	"github.com/boundcheck/boundcheck/bounding"
	"github.com/boundcheck/boundcheck/bounding/text"
)

// Limits are [bounding.Limits] as the protocol writes them. -1 is no limit.
type Limits struct {
	Unit          text.Unit        `json:"unit"`
	Threshold     int              `json:"threshold"`
	Headroom      int              `json:"headroom"`
	Lines         int              `json:"lines"`
	Preview       int              `json:"preview"`
	StubKeep      text.Keep        `json:"stubKeep"`
	Batch         int              `json:"batch"`
	Sharing       bounding.Sharing `json:"sharing"`
	ArtifactBytes int64            `json:"artifactBytes"`
	SessionBytes  int64            `json:"sessionBytes"`
	Watermark     Watermark        `json:"watermark"`
	ImageTokens   int              `json:"imageTokens"`
	Tools         map[string]Tool  `json:"tools,omitempty"`

	Aliases map[string]string `json:"aliases,omitempty"`
}

// Watermark is [bounding.Watermark].
type Watermark struct {
	High            int   `json:"high"`
	Keep            int   `json:"keep"`
	IdleAfter       int64 `json:"idleAfter"` // milliseconds, or -1 for never
	ForgetLocator   bool  `json:"forgetLocator,omitempty"`
	ClearSmall      bool  `json:"clearSmall,omitempty"`
	IdleIsFinal     bool  `json:"idleIsFinal,omitempty"`
	FailedMediaKept bool  `json:"failedMediaKept,omitempty"`
}

// Tool is [bounding.Tool].
type Tool struct {
	Budget int              `json:"budget"` // 0 declares none
	Keep   text.Keep        `json:"keep"`
	Exempt bool             `json:"exempt,omitempty"`
	Fixed  bool             `json:"fixed,omitempty"`
	File   bounding.FileUse `json:"file,omitempty"`
}

// millis writes a duration; the values below 0 that mean something else, such as never, are -1.
func millis(d time.Duration) int64 {
	if d < 0 {
		return -1
	}
	return d.Milliseconds()
}

// duration reads what millis writes.
func duration(ms int64) time.Duration {
	if ms < 0 {
		return -1
	}
	return time.Duration(ms) * time.Millisecond
}

func limitsToWire(l bounding.Limits) *Limits {
	w := &Limits{
		Unit: l.Unit, Threshold: l.Threshold, Headroom: l.Headroom, Lines: l.Lines, Preview: l.Preview, StubKeep: l.StubKeep,
		Batch: l.Batch, Sharing: l.Sharing, ArtifactBytes: l.ArtifactBytes, SessionBytes: l.SessionBytes,
		ImageTokens: l.ImageTokens, Aliases: l.Aliases,
		Watermark: Watermark{
			High: l.Watermark.High, Keep: l.Watermark.Keep, IdleAfter: millis(l.Watermark.IdleAfter),
			ForgetLocator: l.Watermark.ForgetLocator, ClearSmall: l.Watermark.ClearSmall,
			IdleIsFinal: l.Watermark.IdleIsFinal, FailedMediaKept: l.Watermark.FailedMediaKept,
		},
	}
	if l.Tools != nil {
		w.Tools = make(map[string]Tool, len(l.Tools))
		for name, t := range l.Tools {
			w.Tools[name] = Tool(t)
		}
	}
	return w
}

func (w *Limits) limits() bounding.Limits {
	l := bounding.Limits{
		Unit: w.Unit, Threshold: w.Threshold, Headroom: w.Headroom, Lines: w.Lines, Preview: w.Preview, StubKeep: w.StubKeep,
		Batch: w.Batch, Sharing: w.Sharing, ArtifactBytes: w.ArtifactBytes, SessionBytes: w.SessionBytes,
		ImageTokens: w.ImageTokens, Aliases: w.Aliases,
		Watermark: bounding.Watermark{
			High: w.Watermark.High, Keep: w.Watermark.Keep, IdleAfter: duration(w.Watermark.IdleAfter),
			ForgetLocator: w.Watermark.ForgetLocator, ClearSmall: w.Watermark.ClearSmall,
			IdleIsFinal: w.Watermark.IdleIsFinal, FailedMediaKept: w.Watermark.FailedMediaKept,
		},
	}
	if w.Tools != nil {
		l.Tools = make(map[string]bounding.Tool, len(w.Tools))
		for name, t := range w.Tools {
			l.Tools[name] = bounding.Tool(t)
		}
	}
	return l
}

// sameLimits reports whether two limits are equal. Nil and empty maps are.
func sameLimits(a, b bounding.Limits) bool {
	if !maps.Equal(a.Tools, b.Tools) || !maps.Equal(a.Aliases, b.Aliases) {
		return false
	}
	a.Tools, b.Tools, a.Aliases, b.Aliases = nil, nil, nil, nil
	return reflect.DeepEqual(a, b)
}

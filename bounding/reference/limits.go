package reference

import (
	"fmt"
	"math"
	"strings"
)

const (
	// MaxReferences is the most distinct sessions that one message may cite.
	MaxReferences = 3

	// MinAutomaticBytes is the budget of a reference when the context window of the model is small or not known.
	MinAutomaticBytes = 65_536

	// bytesPerToken turns a context window into bytes. It is a size, not a count of tokens.
	bytesPerToken = 4
)

// Limits say how much a message may show of other sessions. The zero value is not valid; begin with [DefaultLimits].
//
// spec: REF-2
type Limits struct {
	// References is the most distinct sessions that a message may cite: 1 to [MaxReferences].
	References int

	// Bytes is the budget of each reference: the most bytes of its preview, which is one JSON object in UTF-8. 0 derives
	// it from the context window of the model, see [Limits.Budget].
	Bytes int

	// Fraction is the share of the context window, 0 to 1, that one reference may take. It is used when Bytes is 0.
	Fraction float64
}

// DefaultLimits allows 3 references, each of a fifth of the context window.
func DefaultLimits() Limits { return Limits{References: MaxReferences, Fraction: 0.2} }

// Budget returns the bytes that the preview of one reference may take, for a model with a context window of so many tokens:
// Bytes if that is set, else 4 bytes for each token of the fraction, and [MinAutomaticBytes] at least. A window of 0 or
// less is not known.
//
// spec: REF-2
func (l Limits) Budget(window int) int {
	if l.Bytes > 0 {
		return l.Bytes
	}
	share := math.Floor(float64(window) * bytesPerToken * l.Fraction)
	if share >= math.MaxInt32 {
		return math.MaxInt32
	}
	return max(MinAutomaticBytes, int(share))
}

// Validate returns one error that lists every bad field and wraps [InvalidConfig], or nil.
func (l Limits) Validate() error {
	var bad []string
	if l.References < 1 || l.References > MaxReferences {
		bad = append(bad, fmt.Sprintf("References is %d: it must be 1 to %d", l.References, MaxReferences))
	}
	if l.Bytes < 0 {
		bad = append(bad, fmt.Sprintf("Bytes is %d: it must be at least 1, or 0 to derive it from the context window", l.Bytes))
	}
	if !(l.Fraction >= 0 && l.Fraction <= 1) {
		bad = append(bad, fmt.Sprintf("Fraction is %v: it must be 0 to 1", l.Fraction))
	}
	if len(bad) == 0 {
		return nil
	}
	return fmt.Errorf("reference: bad limits: %s: %w", strings.Join(bad, "; "), InvalidConfig)
}

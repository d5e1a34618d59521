package bounding

import (
	"context"
	"log/slog"
)

// LogTo returns a tracer that writes to a structured log, [slog.Default] when l is nil: transitions at debug level,
// clearings at info level, and a warning for each text that a store could not save. Records hold sizes, names and ids and
// no payload. The one thing in them that is not from here is the error in a warning: it is in the store's own words, and
// only as free of payload as the store keeps it. The stores of package spill name no content.
//
// spec: OFF-10, OFF-12, WMK-6
func LogTo(l *slog.Logger) Tracer {
	if l == nil {
		l = slog.Default()
	}
	return logTracer{l}
}

type logTracer struct{ log *slog.Logger }

func (t logTracer) Transition(ctx context.Context, e Transition) {
	if !t.log.Enabled(ctx, slog.LevelDebug) {
		return
	}
	t.log.LogAttrs(ctx, slog.LevelDebug, "tool result bounded",
		slog.String("call", e.CallID), slog.String("tool", e.Tool),
		slog.String("before", e.Before.String()), slog.String("after", e.After.String()),
		slog.String("cause", e.Cause.String()), slog.Int("from", e.From), slog.Int("to", e.To),
		slog.String("unit", e.Unit.String()), slog.String("outcome", e.Outcome.String()),
		slog.String("artifact", e.Artifact), slog.String("metadata-outcome", e.MetadataOutcome.String()),
		slog.String("metadata-artifact", e.MetadataArtifact), slog.Int("media", e.Media))
}

func (t logTracer) StoreFailed(ctx context.Context, e StoreFailure) {
	t.log.LogAttrs(ctx, slog.LevelWarn, "tool output store failed",
		slog.String("call", e.CallID), slog.String("tool", e.Tool), slog.Int("bytes", e.Bytes),
		slog.String("outcome", e.Outcome.String()), slog.Any("error", e.Err))
}

func (t logTracer) Cleared(ctx context.Context, r *Report) {
	t.log.LogAttrs(ctx, slog.LevelInfo, r.String(),
		slog.String("reason", r.Reason.String()), slog.Int("before", r.Before), slog.Int("after", r.After),
		slog.Int("pending", r.Pending), slog.Int("target", r.Low), slog.Bool("soft-exceeded", r.SoftExceeded()),
		slog.Int("cleared", r.Results), slog.Int("media", r.Media))
}

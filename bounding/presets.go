package bounding

import (
	"time"

	"github.com/boundcheck/boundcheck/bounding/text"
)

// Strict returns the limits under which every requirement holds for every input. The numbers are those of the agents that
// the model was learned from; where one of these breaks a promise of its own, Strict keeps the promise.
//
// The tools are the usual ones by their usual names. Results of all tools are cleared when they are old, but for plans.
func Strict() Limits {
	return Limits{
		Unit:          text.UTF16,
		Threshold:     25_000,
		Headroom:      3_000,
		Lines:         1_000,
		Preview:       2_000,
		StubKeep:      text.Both,
		Batch:         200_000,
		Sharing:       LargestFirst,
		ArtifactBytes: 50 << 20,
		SessionBytes:  500 << 20,
		Watermark:     Watermark{High: 500_000, Keep: 5, IdleAfter: time.Hour},
		ImageTokens:   1_600,
		Tools: map[string]Tool{
			"run_shell_command": {Budget: 30_000},
			"grep_search":       {Budget: 20_000},
			"agent":             {Budget: 32_000, Keep: text.Tail},
			"web_search":        {Budget: 102_000},
			"mcp__*":            {Budget: 500_000},
			"read_file":         {Budget: Unlimited, Exempt: true, File: ReadsFile},
			"read_mcp_resource": {Budget: Unlimited, Exempt: true},
			"enter_plan_mode":   {Budget: Unlimited, Exempt: true, Fixed: true},
			"edit":              {File: EditsFile},
			"write_file":        {File: WritesFile},
		},
		Aliases: map[string]string{
			"search_file_content": "grep_search",
			"replace":             "edit",
			"task":                "agent",
		},
	}
}

// Qwen returns the limits that decide as qwen-code 0.24.4 does about batches and about clearing, for comparison with it.
// The texts that stand in for what was removed stay ours, and results are bounded as under Strict.
//
// It gives up, each by a field of its own: offloading the largest results of a batch first and the last place of pointers
// (OFF-8, Sharing); the tail in a stub (OFF-4, StubKeep); the locator of a cleared stub (OFF-9, Watermark.ForgetLocator);
// that clearing never makes an entry longer (WMK-3, Watermark.ClearSmall); the size path after an idle path that found
// nothing (WMK-4, Watermark.IdleIsFinal); that errors take no keep slot (WMK-2, Watermark.FailedMediaKept). Results of
// most tools are never cleared.
func Qwen() Limits {
	l := Strict()
	l.StubKeep = text.Head
	l.Sharing = WaterFill
	l.Watermark.ForgetLocator = true
	l.Watermark.ClearSmall = true
	l.Watermark.IdleIsFinal = true
	l.Watermark.FailedMediaKept = true

	for _, name := range []string{"agent", "mcp__*"} {
		tool := l.Tools[name]
		tool.Fixed = true
		l.Tools[name] = tool
	}
	for _, name := range []string{"glob", "web_fetch", "skill"} {
		l.Tools[name] = Tool{}
	}
	l.Tools["*"] = Tool{Fixed: true}
	return l
}

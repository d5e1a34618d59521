package spilltest_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/boundcheck/boundcheck/bounding/spill"
	"github.com/boundcheck/boundcheck/bounding/spill/spilltest"
)

func run(t testing.TB, bug string) map[string][]string {
	t.Helper()
	return spilltest.Failures(t, func(_ testing.TB, limits spill.Limits) spill.Store { return newModel(bug, limits) })
}

// A store that can do everything passes every check, and none is skipped.
func TestARightStoreHasNoFailures(t *testing.T) {
	spilltest.Run(t, func(_ testing.TB, limits spill.Limits) spill.Store { return newModel("", limits) })
	if failures := run(t, ""); len(failures) != 0 {
		t.Errorf("%.1000q", failures)
	}
}

// Each wrong store is found out by the check that is there for it.
func TestWrongStoresAreFoundOut(t *testing.T) {
	for bug, check := range map[string]string{
		"last byte lost":                     "saves_exact_bytes",
		"more than 1 MiB cut":                "saves_exact_bytes",
		"invalid UTF-8 replaced":             "saves_exact_bytes",
		"line ends changed":                  "saves_exact_bytes",
		"byte order mark stripped":           "saves_exact_bytes",
		"empty text refused":                 "saves_exact_bytes",
		"digest of something else":           "saves_exact_bytes",
		"runes counted":                      "saves_exact_bytes",
		"size of something else":             "saves_exact_bytes",
		"locator cleaned":                    "knows_only_its_locators",
		"unknown is the first":               "knows_only_its_locators",
		"unknown is another error":           "knows_only_its_locators",
		"name in the locator":                "takes_hostile_names",
		"content in the locator":             "takes_hostile_names",
		"content in the hint":                "takes_hostile_names",
		"panics at a strange name":           "takes_hostile_names",
		"locators used again":                "never_shares_an_artifact",
		"equal names overwritten":            "never_shares_an_artifact",
		"cancelled save saves":               "stops_when_cancelled",
		"cancelled open opens":               "stops_when_cancelled",
		"cancellation quotes content":        "stops_when_cancelled",
		"no EOF at the end":                  "reads_from_any_offset",
		"last byte read never":               "reads_from_any_offset",
		"offset ignored":                     "reads_from_any_offset",
		"caller's buffer kept":               "streams",
		"caller's buffer changed":            "streams",
		"bytes after the first chunk lost":   "streams",
		"committed twice":                    "streams",
		"written after the end":              "streams",
		"listed before it is complete":       "drops_what_is_not_committed",
		"given up and published":             "drops_what_is_not_committed",
		"committed when cancelled":           "drops_what_is_not_committed",
		"sessions mixed":                     "lists_sessions_apart",
		"case of sessions ignored":           "lists_sessions_apart",
		"listed by name":                     "lists_sessions_apart",
		"newest first":                       "lists_sessions_apart",
		"limit one too low":                  "keeps_its_limits",
		"limit one too high":                 "keeps_its_limits",
		"limit of the store forgotten":       "keeps_its_limits",
		"limits of sessions shared":          "keeps_its_limits",
		"refused bytes counted":              "keeps_its_limits",
		"room of a refused save lost":        "keeps_its_limits",
		"error quotes content":               "keeps_its_limits",
		"refusal without a reason":           "keeps_its_limits",
		"room of what was given up lost":     "gives_room_back",
		"room kept after commit":             "gives_room_back",
		"committed after a failed write":     "gives_room_back",
		"quota checked before it is counted": "limits_concurrent_writers",
		"sweep does nothing":                 "expires_strictly_older",
		"swept when as old":                  "expires_strictly_older",
		"expired is any artifact":            "expires_strictly_older",
		"expired is unknown":                 "expires_strictly_older",
		"expired is listed":                  "expires_strictly_older",
		"room of the expired lost":           "expires_strictly_older",
		"held is swept":                      "keeps_held_sessions",
		"hold does nothing":                  "keeps_held_sessions",
		"release does nothing":               "keeps_held_sessions",
	} {
		t.Run(strings.ReplaceAll(bug, " ", "_"), func(t *testing.T) {
			t.Parallel()
			failures := run(t, bug)
			if len(failures[check]) == 0 {
				t.Errorf("%s lets it pass; found by %q", check, slices.Sorted(maps.Keys(failures)))
			}
		})
	}
}

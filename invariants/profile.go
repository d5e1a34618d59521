package invariants

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// profiles says which invariants a profile exempts, and why. The scenarios are the same in every profile.
var profiles = map[string]map[string]string{
	"strict": {},
	// What qwen-code decides otherwise, each by a field of bounding.Qwen.
	"qwen": {
		"BND-6": "a stub shows the beginning of its text only",
		"REC-5": "the placeholder of a cleared stub has no locator",
		"CLR-7": "what its placeholder makes longer is cleared, too",
		"AGG-3": "a message is shared out by equal shares, without offloading the largest first",
		"AGG-4": "a message is shared out by equal shares, without offloading the largest first",
		"REC-6": "equal shares may cut a pointer",
		"CLR-9": "an error that carries media takes a keep slot, and a checkpoint ends with an idle path that found nothing",
		"PRO-1": "an error that carries media takes a keep slot",
	},
}

// exemptions returns what a profile exempts.
func exemptions(profile string) (map[string]string, error) {
	exempt, ok := profiles[profile]
	if !ok {
		return nil, fmt.Errorf("invariants: no profile %q; there are %s", profile, strings.Join(slices.Sorted(maps.Keys(profiles)), ", "))
	}
	return exempt, nil
}

//go:build race

package killsweep_test

const raceEnabled = true

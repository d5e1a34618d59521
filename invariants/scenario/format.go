package scenario

import "fmt"

// Format returns the scenario as a script.
func Format(s Scenario) string { return fmt.Sprintf("%+v", s) }

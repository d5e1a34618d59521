// Package badimpl holds bounding layers that are wrong in one thing each.
//
// They prove that the checks can fail. Each bug has a name, says what it does wrong and where somebody did it, and declares
// which invariants must find it in a quick run: one that does not is a defect of the check. Another one that does as well is
// none.
package badimpl

package text

// A Notice stands beside a preview and says what is missing and where the whole of it is. Its parts are shown in the
// order Lead, Pointer, Rest; Pointer is the part that a reader cannot do without.
type Notice struct {
	Lead    string // such as "The full output is in "
	Pointer string // such as a locator
	Rest    string // such as ". 4,711 of 29,711 characters are shown."
}

// String returns the whole notice.
func (n Notice) String() string { return n.Lead + n.Pointer + n.Rest }

// Fit returns as much of the notice as fits into budget units, as [Clean] shows it: the pointer first, then the lead
// up to the pointer, then the rest. A budget that is too small for the pointer gives the beginning of the pointer, and
// 0 or less gives "". spec: UNI-5
func (n Notice) Fit(u Unit, budget int) string {
	pointer := u.Prefix(n.Pointer, budget)
	if pointer != Clean(n.Pointer) {
		return pointer
	}
	budget -= u.Count(pointer)
	lead := u.Suffix(n.Lead, budget)
	budget -= u.Count(lead)
	return lead + pointer + u.Prefix(n.Rest, budget)
}

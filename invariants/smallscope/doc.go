// Package smallscope looks at everything small: every history of a few results, every sequence of a few steps, every way in
// which a save can end. Most faults show in something small, and what was searched completely needs no luck.
//
// [Plans] holds the decisions of a planner against the naive ones of package oracle, on numbers. [Histories] and [Dialogues]
// yield the same as scenarios, for subjects of any kind. [Sequences] walks every history that a few commands lead to.
// [Publish] walks the protocol by which an artifact becomes visible.
package smallscope

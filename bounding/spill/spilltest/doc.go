// Package spilltest checks that a store of artifacts keeps its promises, whatever it stores in.
//
//	func TestStore(t *testing.T) {
//		spilltest.Run(t, func(t testing.TB, limits spill.Limits) spill.Store {
//			store, err := mystore.New(t.TempDir(), limits)
//			...
//			return store
//		})
//	}
//
// Only [spill.Store] is required. What else a store can do is found by type assertion, as its callers find it:
// [spill.Creator], [spill.Keeper], [spill.Limited], [spill.Sweeper], [spill.Holder]. A check of what a store cannot do is
// skipped, and says so.
//
// [Failures] makes the same checks and returns what they find, for tests that a wrong store is found out.
//
// The names of the subtests are those of the promises, and their requirements stand beside them in the code.
package spilltest

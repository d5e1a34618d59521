// Package relations is what must be true of two sessions of which one is made from the other. It needs no oracle: nothing
// here says what a result must look like, only that, say, keeping more never clears more.
package relations

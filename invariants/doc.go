// Package invariants will hold the catalogue of what must be true of any bounding layer, and the engines that check it
// against this module's own and against others.
package invariants

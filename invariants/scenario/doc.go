// Package scenario is the one form in which every engine says what it did: limits, and steps in order.
package scenario

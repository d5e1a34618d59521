// Package model is the reference model, package bounding and what belongs to it, as a subject of the invariants.
//
// It adds nothing to the model: each method hands its arguments on and its results back in the plain types of package
// subject. What the checks find wrong here is wrong there.
package model

// Package spec will hold the numbered requirements that code and tests refer to.
package spec

// Package testscripts will hold the scenarios, as scripts that a person can read and that the tests run.
package testscripts

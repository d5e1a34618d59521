// Package reference shows other sessions.
package reference

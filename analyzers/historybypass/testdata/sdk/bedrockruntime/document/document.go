// Package document is a stub of the SDK's documents.
package document

type Interface interface{ isDocument() }

func NewLazyDocument(v any) Interface { return nil }

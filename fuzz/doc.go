// Package fuzz will hold the fuzz targets and their corpora.
package fuzz

// Package bounding will hold the layer that tool output passes on its way into a conversation history: limits,
// the pipeline that applies them, the history that grows through it only, and the store for what did not fit.
package bounding

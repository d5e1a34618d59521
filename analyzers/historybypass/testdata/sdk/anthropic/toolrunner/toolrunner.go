// Package toolrunner is a stub of the SDK's own tool loop.
package toolrunner

import (
	"context"

	"github.com/anthropics/anthropic-sdk-go"
)

func NewBetaToolFromJSONSchema[T any](name, description string, handler func(context.Context, T) (anthropic.BetaToolResultBlockParamContentUnion, error)) (anthropic.BetaTool, error) {
	return nil, nil
}

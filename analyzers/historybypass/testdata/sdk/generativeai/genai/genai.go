// Package genai is a stub: only names and signatures of the older SDK matter to the analysis.
package genai

import "context"

type Part interface{ toPart() }

type Text string

func (Text) toPart() {}

type FunctionResponse struct {
	Name     string
	Response map[string]any
}

func (FunctionResponse) toPart() {}

type Content struct {
	Parts []Part
	Role  string
}

type GenerateContentResponse struct{}

type ChatSession struct {
	History []*Content
}

func (cs *ChatSession) SendMessage(ctx context.Context, parts ...Part) (*GenerateContentResponse, error) {
	return nil, nil
}

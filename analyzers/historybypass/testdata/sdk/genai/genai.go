// Package genai is a stub: only names and signatures of the SDK matter to the analysis.
package genai

import "context"

type Role string

const (
	RoleUser  = "user"
	RoleModel = "model"
)

type FunctionCall struct {
	ID   string
	Name string
	Args map[string]any
}

type FunctionResponse struct {
	ID       string
	Name     string
	Response map[string]any
}

type Part struct {
	Text             string
	FunctionCall     *FunctionCall
	FunctionResponse *FunctionResponse
}

type Content struct {
	Parts []*Part
	Role  string
}

type GenerateContentConfig struct{}

type Candidate struct {
	Content *Content
}

type GenerateContentResponse struct {
	Candidates []*Candidate
}

func (r *GenerateContentResponse) Text() string { return "" }

type Models struct{}

func (m Models) GenerateContent(ctx context.Context, model string, contents []*Content, config *GenerateContentConfig) (*GenerateContentResponse, error) {
	return nil, nil
}

type Chat struct{}

func (c *Chat) SendMessage(ctx context.Context, parts ...Part) (*GenerateContentResponse, error) {
	return nil, nil
}

func (c *Chat) Send(ctx context.Context, parts ...*Part) (*GenerateContentResponse, error) {
	return nil, nil
}

type Client struct {
	Models *Models
}

func NewPartFromText(text string) *Part { return &Part{Text: text} }

func NewPartFromFunctionResponse(name string, response map[string]any) *Part {
	return &Part{}
}

func NewContentFromText(text string, role Role) *Content { return &Content{} }

func NewContentFromFunctionResponse(name string, response map[string]any, role Role) *Content {
	return &Content{}
}

package registered

import "errors"

// PlainTool is a contract without a context and with data beside the text.
type PlainTool interface {
	Tool() string
	Run(args map[string]any) (string, any, error)
}

type plainReader struct{}

func (plainReader) Tool() string { return "read" }

func (plainReader) Run(args map[string]any) (string, any, error) {
	path, _ := args["path"].(string)
	text, err := slurp(path)
	if err != nil {
		return "", nil, errors.New("the file cannot be read")
	}
	return text, len(text), nil // want "BC1002.*file"
}

type okPlainClock struct{}

func (okPlainClock) Tool() string { return "clock" }

func (okPlainClock) Run(args map[string]any) (string, any, error) { return "noon", 12, nil }

func plainTools() []PlainTool { return []PlainTool{plainReader{}, okPlainClock{}} }

package registered

import (
	"google.golang.org/adk/tool"
	"google.golang.org/adk/tool/functiontool"
)

// ReadResult is what the model sees.
type ReadResult struct {
	Status  string `json:"status"`
	Content string `json:"content"`
}

func adkTools() ([]tool.Tool, error) {
	read, err := functiontool.New(functiontool.Config{Name: "read"}, func(ctx tool.Context, args PathArgs) (ReadResult, error) {
		text, err := slurp(args.Path)
		if err != nil {
			return ReadResult{Status: "error"}, nil
		}
		return ReadResult{Status: "ok", Content: text}, nil // want "BC1002.*file"
	})
	if err != nil {
		return nil, err
	}
	readMap, err := functiontool.New(functiontool.Config{Name: "read_map"}, adkReadMap)
	if err != nil {
		return nil, err
	}
	exists, err := functiontool.New(functiontool.Config{Name: "exists"}, okAdkExists)
	if err != nil {
		return nil, err
	}
	return []tool.Tool{read, readMap, exists}, nil
}

func adkReadMap(ctx tool.Context, args PathArgs) (map[string]any, error) {
	text, err := slurp(args.Path)
	if err != nil {
		return nil, err
	}
	return map[string]any{"text": text}, nil // want "BC1002.*file"
}

func okAdkExists(ctx tool.Context, args PathArgs) (map[string]any, error) {
	_, err := slurp(args.Path)
	return map[string]any{"exists": err == nil}, nil
}

package registered

import (
	"context"

	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/schema"
)

func einoRead(ctx context.Context, args *PathArgs) (string, error) {
	text, err := slurp(args.Path)
	if err != nil {
		return "", err
	}
	return text, nil // want "BC1002.*file"
}

// einoPage is the result of a tool that returns a struct.
type einoPage struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

func einoReadPage(ctx context.Context, args *PathArgs) (*einoPage, error) {
	text, err := slurp(args.Path)
	if err != nil {
		return nil, err
	}
	return &einoPage{Path: args.Path, Text: text}, nil // want "BC1002.*file"
}

func okEinoStat(ctx context.Context, args *PathArgs) (int, error) {
	text, err := slurp(args.Path)
	return len(text), err
}

func einoTools() ([]tool.BaseTool, error) {
	read, err := utils.InferTool("read", "", einoRead)
	if err != nil {
		return nil, err
	}
	stat, err := utils.InferTool("stat", "", okEinoStat)
	if err != nil {
		return nil, err
	}
	stream, err := utils.InferStreamTool("stream", "", func(ctx context.Context, args *PathArgs) (*schema.StreamReader[string], error) {
		text, err := slurp(args.Path)
		if err != nil {
			return nil, err
		}
		return schema.StreamReaderFromArray([]string{text}), nil // want "BC1002.*file"
	})
	if err != nil {
		return nil, err
	}
	return []tool.BaseTool{read, stat, stream, utils.NewTool(&schema.ToolInfo{Name: "page"}, einoReadPage)}, nil
}

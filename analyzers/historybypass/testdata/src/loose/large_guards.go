package loose

import (
	"os"

	"github.com/openai/openai-go/v3"
)

const megabyte = 1 << 20

// large is a bound of ten megabytes.
func large(s string) string {
	if len(s) > 10*megabyte {
		return s[:10*megabyte]
	}
	return s
}

func looseHelper(path, id string) (message, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return message{}, err
	}
	return openai.ToolMessage(large(string(data)), id), nil // want "BC1001.*loose"
}

func looseGate(path, id string) (message, error) {
	info, err := os.Stat(path)
	if err != nil || info.Size() > 2*megabyte {
		return openai.ToolMessage("the file is too large", id), err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return message{}, err
	}
	return openai.ToolMessage(string(data), id), nil // want "BC1001.*loose"
}

func looseSlice(path, id string) (message, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return message{}, err
	}
	return openai.ToolMessage(string(data[:min(len(data), megabyte)]), id), nil // want "BC1001.*loose"
}

// The helper's limit is a parameter: the caller decides how loose it is.
func upTo(s string, limit int) string {
	if len(s) > limit {
		return s[:limit]
	}
	return s
}

func looseByCaller(path, id string) (message, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return message{}, err
	}
	return openai.ToolMessage(upTo(string(data), 4*megabyte), id), nil // want "BC1001.*loose"
}

func okTightByCaller(path, id string) (message, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return message{}, err
	}
	return openai.ToolMessage(upTo(string(data), 20_000), id), nil
}

package bounds

import (
	"fmt"
	"io"
	"os"

	"github.com/openai/openai-go/v3"
)

const maxFile = 64 << 10

func okStatGate(path, id string) (message, error) {
	info, err := os.Stat(path)
	if err != nil {
		return message{}, err
	}
	if info.Size() > maxFile {
		return openai.ToolMessage(fmt.Sprintf("the file has %d bytes, that is too much", info.Size()), id), nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return message{}, err
	}
	return openai.ToolMessage(string(data), id), nil
}

func okOpenStatGate(path, id string) (message, error) {
	f, err := os.Open(path)
	if err != nil {
		return message{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return message{}, err
	}
	if info.Size() > maxFile {
		return message{}, fmt.Errorf("%s is larger than %d bytes", path, maxFile)
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return message{}, err
	}
	return openai.ToolMessage(string(data), id), nil
}

// The gate looks at one file, and another is read.
func gateOfAnother(path, id string) (message, error) {
	info, err := os.Stat(path)
	if err != nil {
		return message{}, err
	}
	if info.Size() > maxFile {
		return message{}, fmt.Errorf("%s is too large", path)
	}
	data, err := os.ReadFile(path + ".log")
	if err != nil {
		return message{}, err
	}
	return openai.ToolMessage(string(data), id), nil // want "BC1001.*file"
}

package appends

import (
	"context"
	"os"
)

type loop struct {
	messages []Message
}

func (l *loop) push(m Message) { l.messages = append(l.messages, m) }

func (l *loop) pushResult(id, content string) {
	l.push(Message{Role: "tool", ToolCallID: id, Content: content}) // want "BC1001.*file"
}

func (l *loop) read(ctx context.Context, id, path string) {
	data, err := os.ReadFile(path)
	if err != nil {
		l.pushResult(id, "the file cannot be read")
		return
	}
	l.pushResult(id, string(data)) // want "BC1001.*file"
}

func (l *loop) okReadSize(id, path string) {
	info, err := os.Stat(path)
	if err != nil || info.Size() == 0 {
		l.pushResult(id, "the file is empty")
		return
	}
	l.pushResult(id, info.Mode().String()+" "+info.ModTime().String())
}

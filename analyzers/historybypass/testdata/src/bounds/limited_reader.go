package bounds

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"

	"github.com/openai/openai-go/v3"
)

const maxBody = 64 << 10

func okLimitReader(resp *http.Response, id string) (message, error) {
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	if err != nil {
		return message{}, err
	}
	return openai.ToolMessage(string(body), id), nil
}

func okLimitedReader(resp *http.Response, id string) (message, error) {
	r := &io.LimitedReader{R: resp.Body, N: maxBody}
	body, err := io.ReadAll(r)
	if err != nil {
		return message{}, err
	}
	return openai.ToolMessage(string(body), id), nil
}

func okMaxBytesReader(w http.ResponseWriter, r *http.Request, id string) (message, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return message{}, err
	}
	return openai.ToolMessage(string(body), id), nil
}

func okCopyN(path, id string) (message, error) {
	f, err := os.Open(path)
	if err != nil {
		return message{}, err
	}
	defer f.Close()
	var b bytes.Buffer
	if _, err := io.CopyN(&b, f, maxBody); err != nil && err != io.EOF {
		return message{}, err
	}
	return openai.ToolMessage(b.String(), id), nil
}

func okFixedBuffer(path, id string) (message, error) {
	f, err := os.Open(path)
	if err != nil {
		return message{}, err
	}
	defer f.Close()
	buf := make([]byte, 8192)
	n, err := f.Read(buf)
	if err != nil {
		return message{}, err
	}
	return openai.ToolMessage(string(buf[:n]), id), nil
}

func okReadFull(r io.Reader, id string) (message, error) {
	var buf [4096]byte
	n, err := io.ReadFull(r, buf[:])
	if err != nil && err != io.ErrUnexpectedEOF {
		return message{}, err
	}
	return openai.ToolMessage(string(buf[:n]), id), nil
}

// A large reader and a small cut.
func okReaderAndCut(ctx context.Context, resp *http.Response, id string) (message, error) {
	body, err := io.ReadAll(io.LimitReader(resp.Body, 5<<20))
	if err != nil {
		return message{}, err
	}
	content := string(body)
	if len(content) >= maxBody {
		content = content[:maxBody]
	}
	return openai.ToolMessage(content, id), nil
}

// The limited reader is made and another one is read.
func otherReader(resp *http.Response, id string) (message, error) {
	peek, err := io.ReadAll(io.LimitReader(resp.Body, 512))
	if err != nil {
		return message{}, err
	}
	if http.DetectContentType(peek) != "text/plain; charset=utf-8" {
		return openai.ToolMessage("the page is not text", id), nil
	}
	rest, err := io.ReadAll(resp.Body)
	if err != nil {
		return message{}, err
	}
	return openai.ToolMessage(string(rest), id), nil // want "BC1001.*http"
}

// Reading into a small buffer over and over adds up.
func bufferLoop(ctx context.Context, command, id string) (message, error) {
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return message{}, err
	}
	if err := cmd.Start(); err != nil {
		return message{}, err
	}
	var all []byte
	buf := make([]byte, 1024)
	for {
		n, err := pipe.Read(buf)
		all = append(all, buf[:n]...)
		if err != nil {
			break
		}
	}
	if err := cmd.Wait(); err != nil {
		return message{}, err
	}
	return openai.ToolMessage(string(all), id), nil // want "BC1001.*process"
}

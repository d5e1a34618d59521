package toolreturn

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
)

// What looks like something short, and is not.

// printed is what a command has said; what went wrong is as long as the rest.
type printed struct{ Output, Error string }

func runPrinted(ctx context.Context, command string) printed {
	var stdout, stderr bytes.Buffer
	c := exec.CommandContext(ctx, "sh", "-c", command)
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil && stderr.Len() == 0 {
		stderr.WriteString("failed")
	}
	return printed{Output: stdout.String(), Error: stderr.String()}
}

// feedItem is an article with its whole text.
type feedItem struct {
	Title       string `xml:"title"`
	Link        string `xml:"link"`
	Description string `xml:"description"`
}

type feed struct {
	Items []feedItem `xml:"channel>item"`
}

// report is one that a person wrote.
type report struct {
	Title, URL, Description string
}

// Reports finds reports.
type Reports interface {
	FetchReport(ctx context.Context, id string) (*report, error)
}

// renderModelReply runs the command that the model replied with.
func renderModelReply(ctx context.Context, command string) string {
	out, err := exec.CommandContext(ctx, "sh", "-c", command).CombinedOutput()
	if err != nil {
		return "failed"
	}
	return string(out)
}

func nearMisses(reports Reports) []ToolDefinition {
	return []ToolDefinition{
		{Name: "stderr", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			r := runPrinted(ctx, string(input))
			if r.Error != "" {
				return "", fmt.Errorf("failed: %s", r.Error) // want "BC1004.*process"
			}
			return "done", nil
		}},
		{Name: "feed", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			resp, err := http.Get(string(input))
			if err != nil {
				return "", err
			}
			defer resp.Body.Close()
			var f feed
			if err := xml.NewDecoder(resp.Body).Decode(&f); err != nil {
				return "", err
			}
			var sb strings.Builder
			for _, item := range f.Items {
				fmt.Fprintf(&sb, "%s %s\n%s\n", item.Title, item.Link, item.Description)
			}
			return sb.String(), nil // want "BC1002.*http"
		}},
		{Name: "report", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			r, err := reports.FetchReport(ctx, string(input))
			if err != nil {
				return "", err
			}
			return r.Title + "\n" + r.Description, nil // want "BC1002.*remote"
		}},
		{Name: "modules", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			out, err := exec.CommandContext(ctx, "go", "version", "-m", string(input)).Output()
			return string(out), err // want "BC1002.*process"
		}},
		{Name: "stdin", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			data, err := os.ReadFile("/dev/stdin")
			return string(data), err // want "BC1002.*file"
		}},
		{Name: "reply", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			return renderModelReply(ctx, string(input)), nil // want "BC1002.*process"
		}},
		{Name: "title", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			return okReportTitle(ctx, reports, string(input))
		}},
	}
}

func okReportTitle(ctx context.Context, reports Reports, id string) (string, error) {
	r, err := reports.FetchReport(ctx, id)
	if err != nil {
		return "", err
	}
	return r.Title, nil
}

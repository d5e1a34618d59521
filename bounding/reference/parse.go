package reference

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ParseTranscript reads what [Capture.Transcript] wrote. Which messages are checkpoints is not in a transcript. An error
// names the line that is not as it was written. That whole lines are missing at the end shows in the size and in the digest
// only, which the notice and the record have.
//
// spec: REF-6
func ParseTranscript(transcript string) (Capture, error) {
	r := lineReader{rest: transcript}
	c, err := r.capture()
	if err != nil {
		return Capture{}, fmt.Errorf("reference: transcript, line %d: %w", r.line, err)
	}
	return c, nil
}

// lineReader takes a transcript apart.
type lineReader struct {
	rest string
	line int // of what was read last, from 1
}

// next returns the next line without its end. A line without an end is none: a transcript that was cut off is not whole.
func (r *lineReader) next() (string, error) {
	r.line++
	line, rest, ok := strings.Cut(r.rest, "\n")
	if !ok {
		return "", errors.New("the transcript ends too early")
	}
	r.rest = rest
	return line, nil
}

// expect reads lines that always are the same.
func (r *lineReader) expect(lines string) error {
	for want := range strings.Lines(lines) {
		got, err := r.next()
		if err != nil {
			return err
		}
		if want = strings.TrimSuffix(want, "\n"); got != want {
			return fmt.Errorf("it is not %q", want)
		}
	}
	return nil
}

func (r *lineReader) capture() (Capture, error) {
	var c Capture
	if err := r.expect(transcriptTitle); err != nil {
		return c, err
	}
	if err := r.metadata(&c); err != nil {
		return c, err
	}
	if err := r.expect(strings.TrimPrefix(transcriptRules, "\n")); err != nil {
		return c, err
	}
	if strings.HasPrefix(r.rest, base64Rule) {
		if err := r.expect(base64Rule); err != nil {
			return c, err
		}
	}
	for r.rest != "" {
		m, err := r.message(len(c.Messages) + 1)
		if err != nil {
			return c, err
		}
		c.Messages = append(c.Messages, m)
	}
	return c, nil
}

// metadata reads the object about the capture.
func (r *lineReader) metadata(c *Capture) error {
	var object strings.Builder
	for {
		line, err := r.next()
		if err != nil {
			return err
		}
		object.WriteString(line + "\n")
		if line == "}" {
			break
		}
	}
	var meta struct {
		SessionID             string
		Label                 string
		CWD                   *string
		CapturedThroughSeq    *int64
		CapturedFormatVersion uint
	}
	if err := json.Unmarshal([]byte(object.String()), &meta); err != nil {
		return fmt.Errorf("what is said about the capture is no object of its form: %w", err)
	}
	c.SessionID, c.Label = meta.SessionID, meta.Label
	if meta.CWD != nil {
		c.CWD = *meta.CWD
	}
	c.ThroughSeq, c.FormatVersion = meta.CapturedThroughSeq, meta.CapturedFormatVersion
	return nil
}

// message reads the n-th message.
func (r *lineReader) message(n int) (Message, error) {
	var m Message
	if err := r.expect("\n"); err != nil {
		return m, err
	}
	title, err := r.next()
	if err != nil {
		return m, err
	}
	role, ok := strings.CutPrefix(title, strings.TrimPrefix(messageTitle, "\n")+strconv.Itoa(n)+": ")
	role, inBase64 := strings.CutSuffix(role, base64Mark)
	if m.Role = Role(role); !ok || m.Role != RoleUser && m.Role != RoleAssistant {
		return m, fmt.Errorf("it is not the heading of message %d", n)
	}
	if err := r.expect("\n"); err != nil {
		return m, err
	}
	var b strings.Builder
	for strings.HasPrefix(r.rest, `"`) {
		line, err := r.next()
		if err != nil {
			return m, err
		}
		var piece string
		if err := json.Unmarshal([]byte(line), &piece); err != nil {
			return m, fmt.Errorf("it is no JSON string: %w", err)
		}
		if inBase64 {
			raw, err := base64.StdEncoding.DecodeString(piece)
			if err != nil {
				return m, fmt.Errorf("it is not base64: %w", err)
			}
			piece = string(raw)
		}
		b.WriteString(piece)
	}
	if m.Text = b.String(); m.Text == "" {
		return m, fmt.Errorf("message %d has no text", n)
	}
	return m, nil
}

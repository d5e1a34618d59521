package prompts

import (
	"context"
	"os/exec"
)

// Convo is a conversation with a model.
type Convo interface {
	SendMessage(ctx context.Context, message Message) (Message, error)
}

func grep(ctx context.Context, terms []string) (string, error) {
	args := []string{"-n"}
	for _, t := range terms {
		args = append(args, "-e", t)
	}
	out, err := exec.CommandContext(ctx, "rg", args...).CombinedOutput()
	return string(out), err
}

func askSubAgent(ctx context.Context, convo Convo, query string, terms []string) (Message, error) {
	out, err := grep(ctx, terms)
	if err != nil {
		return Message{}, err
	}
	return convo.SendMessage(ctx, Message{
		Role:    RoleUser,
		Content: []Content{StringContent("<results>\n" + out + "\n</results>"), StringContent(query)}, // want "BC1005.*process"
	})
}

// Terms are dropped until the output is short enough.
func okAskSubAgent(ctx context.Context, convo Convo, query string, terms []string) (Message, error) {
	var out string
	for keep := terms; len(keep) > 0; keep = keep[:len(keep)-1] {
		var err error
		out, err = grep(ctx, keep)
		if err != nil {
			return Message{}, err
		}
		if len(out) < 64<<10 {
			break
		}
		out = ""
	}
	return convo.SendMessage(ctx, Message{
		Role: RoleUser,
		Content: []Content{
			StringContent("<results>\n" + out + "\n</results>"),
			StringContent("<query>\n" + query + "\n</query>"),
		},
	})
}

func okAskPlainly(ctx context.Context, convo Convo, query string) (Message, error) {
	return convo.SendMessage(ctx, Message{Role: RoleUser, Content: []Content{StringContent(query)}})
}

// A planner keeps what it saw last until it asks again.
type planner struct {
	convo Convo
	last  string
}

func (p *planner) act(ctx context.Context, terms []string) error {
	out, err := grep(ctx, terms)
	p.last = out
	return err
}

func (p *planner) plan(ctx context.Context) (Message, error) {
	return p.convo.SendMessage(ctx, Message{
		Role:    RoleUser,
		Content: []Content{StringContent("The output was:\n" + p.last + "\nWhat next?")}, // want "BC1005.*process"
	})
}

package toolreturn

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

type ticket struct {
	State   *string
	Subject string
	Body    string
	Labels  []ticketLabel
}

type ticketLabel struct {
	Name string
}

func fetchTicket(ctx context.Context, url string) (ticket, error) {
	var t ticket
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return t, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return t, err
	}
	defer resp.Body.Close()
	err = json.NewDecoder(resp.Body).Decode(&t)
	return t, err
}

// The body of a ticket is as long as its author likes, and so is a list of its labels.
func ticketTools() []ToolDefinition {
	return []ToolDefinition{
		{Name: "body", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			t, err := fetchTicket(ctx, "http://tickets.test/1")
			if err != nil {
				return "", err
			}
			return t.Body, nil // want "BC1002.*http"
		}},
		{Name: "labels", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			t, err := fetchTicket(ctx, "http://tickets.test/1")
			if err != nil {
				return "", err
			}
			text := ""
			for _, l := range t.Labels {
				text += l.Name + "\n"
			}
			return text, nil // want "BC1002.*http"
		}},
	}
}

// One state, or one subject, is short whatever else the ticket holds.
func okTicketTools() []ToolDefinition {
	return []ToolDefinition{
		{Name: "state", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			t, err := fetchTicket(ctx, "http://tickets.test/1")
			if err != nil || t.State == nil {
				return "the ticket cannot be read", err
			}
			return fmt.Sprintf("the ticket is %s", *t.State), nil
		}},
		{Name: "subject", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			t, err := fetchTicket(ctx, "http://tickets.test/1")
			if err != nil {
				return "", err
			}
			return t.Subject, nil
		}},
	}
}

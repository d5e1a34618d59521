package chat

import (
	"context"
	"errors"
)

// Scripted is a Provider that needs no network: it gives its replies one after the other.
type Scripted struct {
	Replies []Message
	next    int
}

// Complete returns the next reply.
func (s *Scripted) Complete(ctx context.Context, _ []Message) (Message, error) {
	if err := ctx.Err(); err != nil {
		return Message{}, err
	}
	if s.next == len(s.Replies) {
		return Message{}, errors.New("the script has no more replies")
	}
	reply := s.Replies[s.next]
	s.next++
	reply.Role = Assistant
	return reply, nil
}

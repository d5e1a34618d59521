package dyn

import "errors"

// shownMessage is a message of a history, or on a screen.
type shownMessage struct {
	Role    string
	Content string
}

// Who makes messages of texts for others makes them for a history.
func withMessages(use func(func(content string) (shownMessage, error))) {
	use(func(content string) (shownMessage, error) {
		if content == "" {
			return shownMessage{}, errors.New("there is no content")
		}
		return shownMessage{Role: "tool", Content: content}, nil // want "BC1001.*tool"
	})
}

// listener enters what it hears.
type listener struct {
	history []shownMessage
}

// A literal that gives nothing back may enter what it is given itself.
func (l *listener) listen(subscribe func(func(content string))) {
	subscribe(func(content string) {
		l.history = append(l.history, shownMessage{Role: "tool", Content: content}) // want "BC1001.*tool"
	})
}

// A literal that only shows a message to an observer gives nothing back that could be entered.
func okObserve(subscribe func(func(content string)), observe func(shownMessage)) {
	subscribe(func(content string) {
		observe(shownMessage{Role: "tool", Content: content})
	})
}

// So does not a function that makes a message and leaves it to others what they do with it.
func OkShownMessage(content string) (shownMessage, error) {
	if content == "" {
		return shownMessage{}, errors.New("there is no content")
	}
	return shownMessage{Role: "tool", Content: content}, nil
}

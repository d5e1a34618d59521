package prompts

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// A client of a model's API that is written by hand: what is decoded is what the model said.

type chatReply struct {
	Choices []struct {
		Message struct {
			Content string `json:"content"`
		} `json:"message"`
	} `json:"choices"`
}

type weatherReply struct {
	Stations []struct {
		Report struct {
			Content string `json:"content"`
		} `json:"report"`
	} `json:"stations"`
}

func post(ctx context.Context, url string, request any, reply any) error {
	body, err := json.Marshal(request)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, reply)
}

func okJudge(ctx context.Context, url, question string) (Message, error) {
	var reply chatReply
	if err := post(ctx, url, question, &reply); err != nil {
		return Message{}, err
	}
	answer := reply.Choices[0].Message.Content
	return Message{
		Role:    RoleUser,
		Content: []Content{StringContent(fmt.Sprintf("Question: %s\nAnswer: %s\nIs it right?", question, answer))},
	}, nil
}

func judgeWeather(ctx context.Context, url, question string) (Message, error) {
	var reply weatherReply
	if err := post(ctx, url, question, &reply); err != nil {
		return Message{}, err
	}
	report := reply.Stations[0].Report.Content
	return Message{
		Role:    RoleUser,
		Content: []Content{StringContent(fmt.Sprintf("Question: %s\nAnswer: %s\nIs it right?", question, report))}, // want "BC1005.*http"
	}, nil
}

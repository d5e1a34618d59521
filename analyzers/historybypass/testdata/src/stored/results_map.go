package stored

import "context"

// CallResult is what came back for one call.
type CallResult struct {
	Result string
	Failed bool
}

// State survives between two turns.
type State struct {
	Pending map[string]Call
	Results map[string]CallResult
	History []Message
}

func (s *State) execute(ctx context.Context, tools map[string]Tool) {
	for id, call := range s.Pending {
		out, err := tools[call.Name].Execute(ctx, call.Args)
		s.Results[id] = CallResult{Result: out, Failed: err != nil}
	}
}

func (s *State) resume() bool {
	for id := range s.Pending {
		res, ok := s.Results[id]
		if !ok {
			return false
		}
		s.History = append(s.History, Message{
			Role:       "tool",
			Content:    res.Result, // want "BC1001.*tool"
			ToolCallID: id,
		})
	}
	return true
}

func (s *State) okResumeFailed() {
	for id := range s.Pending {
		if s.Results[id].Failed {
			s.History = append(s.History, Message{Role: "tool", Content: "the tool failed", ToolCallID: id})
		}
	}
}

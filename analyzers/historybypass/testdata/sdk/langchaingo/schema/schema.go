// Package schema is a stub of the agent types.
package schema

type AgentAction struct {
	Tool      string
	ToolInput string
	Log       string
	ToolID    string
}

type AgentStep struct {
	Action      AgentAction
	Observation string
}

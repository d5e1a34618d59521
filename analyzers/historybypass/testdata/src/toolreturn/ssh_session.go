package toolreturn

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"golang.org/x/crypto/ssh"
)

func sshTools(client *ssh.Client) []ToolDefinition {
	return []ToolDefinition{
		{Name: "remote_shell", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			args, err := decode[commandArgs](input)
			if err != nil {
				return "", err
			}
			return remoteShell(client, args.Command) // want "BC1002.*ssh"
		}},
		{Name: "remote_buffer", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			session, err := client.NewSession()
			if err != nil {
				return "", err
			}
			defer session.Close()
			var out bytes.Buffer
			session.Stdout = &out
			if err := session.Run("uptime"); err != nil {
				return "", err
			}
			return out.String(), nil // want "BC1002.*ssh"
		}},
		{Name: "remote_check", Function: okRemoteCheck(client)},
	}
}

func remoteShell(client *ssh.Client, command string) (string, error) {
	session, err := client.NewSession()
	if err != nil {
		return "", err
	}
	defer session.Close()
	out, err := session.CombinedOutput(command)
	result := string(out)
	if strings.TrimSpace(result) == "" {
		result += "\nthere was no output"
	}
	if err != nil {
		result += "\nerror: " + err.Error()
	}
	return result, nil
}

func okRemoteCheck(client *ssh.Client) func(context.Context, json.RawMessage) (string, error) {
	return func(ctx context.Context, input json.RawMessage) (string, error) {
		session, err := client.NewSession()
		if err != nil {
			return "", err
		}
		defer session.Close()
		if err := session.Run("true"); err != nil {
			return "unreachable", nil
		}
		return "reachable", nil
	}
}

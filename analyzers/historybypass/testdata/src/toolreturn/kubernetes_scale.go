package toolreturn

import (
	"context"
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
)

// An object is as large as who made it likes.
func objectTools(client dynamic.ResourceInterface) []ToolDefinition {
	return []ToolDefinition{
		{Name: "object", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			object, err := client.Get(ctx, "web", metav1.GetOptions{})
			if err != nil {
				return "", err
			}
			data, err := object.MarshalJSON()
			if err != nil {
				return "", err
			}
			return string(data), nil // want "BC1002.*kubernetes"
		}},
		{Name: "status", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			object, err := client.Get(ctx, "web", metav1.GetOptions{}, "status")
			if err != nil {
				return "", err
			}
			data, err := object.MarshalJSON()
			if err != nil {
				return "", err
			}
			return string(data), nil // want "BC1002.*kubernetes"
		}},
		{Name: "named", Function: func(ctx context.Context, input json.RawMessage) (string, error) {
			object, err := client.Get(ctx, "scale", metav1.GetOptions{})
			if err != nil {
				return "", err
			}
			data, err := object.MarshalJSON()
			if err != nil {
				return "", err
			}
			return string(data), nil // want "BC1002.*kubernetes"
		}},
		{Name: "scale", Function: okScale(client)},
	}
}

// Its scale is two numbers.
func okScale(client dynamic.ResourceInterface) func(context.Context, json.RawMessage) (string, error) {
	return func(ctx context.Context, input json.RawMessage) (string, error) {
		scale, err := client.Get(ctx, "web", metav1.GetOptions{}, "scale")
		if err != nil {
			return "", err
		}
		data, err := scale.MarshalJSON()
		if err != nil {
			return "", err
		}
		return string(data), nil
	}
}

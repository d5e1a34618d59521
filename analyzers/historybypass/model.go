package historybypass

import (
	"fmt"
	"os"

	"github.com/boundcheck/boundcheck/analyzers/internal/model"
)

// readModel reads the rules of a model file.
func readModel(name string) ([]model.Rule, error) {
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read the model file: %w", err)
	}
	return model.Parse(name, src)
}

package prompts

import (
	"context"
	"encoding/base64"
	"os/exec"
)

// Picture is shown to the model.
type Picture struct {
	Data string
}

// Piece is a text, a piece of code or a picture.
type Piece struct {
	Text    string
	Code    string
	Picture *Picture
}

// Sheet is a message of pieces.
type Sheet struct {
	Role  Role
	Parts []Piece
}

// Drawer sends sheets.
type Drawer interface {
	Send(ctx context.Context, sheet Sheet) error
}

// The text of a part is the text of the prompt.
func describeLog(ctx context.Context, d Drawer) error {
	out, err := exec.CommandContext(ctx, "journalctl").Output()
	if err != nil {
		return err
	}
	return d.Send(ctx, Sheet{
		Role:  RoleUser,
		Parts: []Piece{{Text: "What is wrong?"}, {Text: string(out)}}, // want "BC1005.*process"
	})
}

// So is what stands in another field with text.
func describeCode(ctx context.Context, d Drawer) error {
	out, err := exec.CommandContext(ctx, "git", "show").Output()
	if err != nil {
		return err
	}
	return d.Send(ctx, Sheet{
		Role:  RoleUser,
		Parts: []Piece{{Text: "What is wrong?"}, {Code: string(out)}}, // want "BC1005.*process"
	})
}

// A picture is none.
func okDescribeScreen(ctx context.Context, d Drawer) error {
	out, err := exec.CommandContext(ctx, "screenshot", "-").Output()
	if err != nil {
		return err
	}
	return d.Send(ctx, Sheet{
		Role:  RoleUser,
		Parts: []Piece{{Text: "What is this?"}, {Picture: &Picture{Data: base64.StdEncoding.EncodeToString(out)}}},
	})
}

package model

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestBuiltinFilesParse(t *testing.T) {
	rules, err := parseBuiltin()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Parse("formatted", Format(rules))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(rules, again, cmpopts.IgnoreFields(Rule{}, "Pos")); diff != "" {
		t.Errorf("Parse(Format(rules)) differs (-want +got):\n%s", diff)
	}
}

package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/tools/generator/formula"
)

// TestArchitecture compares the tables in ARCHITECTURE.md with those in code.
func TestArchitecture(t *testing.T) {
	text, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "\n\n"+markdown()+"\n") {
		t.Errorf("ARCHITECTURE.md lacks the output of go run ./tools/generator -table:\n%s", markdown())
	}
	for line := range strings.Lines(markdown()) {
		if len([]rune(line)) > 121 {
			t.Errorf("longer than 120 characters: %s", line)
		}
	}
}

// TestTable asks for what the table does not list, or lists otherwise.
func TestTable(t *testing.T) {
	points, err := formula.Read(os.DirFS("../../internal/group"))
	if err != nil {
		t.Fatal(err)
	}
	find := func(table []platform.Routine, pkg, name string) int {
		return slices.IndexFunc(table, func(r platform.Routine) bool { return r.Package == pkg && r.Name == name })
	}
	for _, c := range []struct {
		says   string
		change func(table []platform.Routine) []platform.Routine
	}{
		{"amd64: square is emitted and not in the table", func(table []platform.Routine) []platform.Routine {
			i := find(table, "field", "square")
			return slices.Delete(table, i, i+1)
		}},
		{"arm64: square is \"assembly\" in the table, and emitted: false", func(table []platform.Routine) []platform.Routine {
			table[find(table, "field", "square")].ARM64 = platform.Assembly
			return table
		}},
		{"arm64: rescale is \"Go\" in the table, and emitted: true", func(table []platform.Routine) []platform.Routine {
			table[find(table, "group", "rescale")].ARM64 = platform.InGo
			return table
		}},
		{"386: batch is \"assembly\" in the table, and emitted: false", func(table []platform.Routine) []platform.Routine {
			table[find(table, "modinv", "batch")].I386 = platform.Assembly
			return table
		}},
		{"amd64: lookup is \"assembly (Broadwell)\" in the table, and emitted in ways [\"AVX512\" \"Broadwell\"]", func(table []platform.Routine) []platform.Routine {
			table[find(table, "ecmult", "lookup")].AMD64 = platform.WithBroadwell
			return table
		}},
		{"mul is in the table twice", func(table []platform.Routine) []platform.Routine {
			return append(table, table[find(table, "scalar", "mul")])
		}},
		{"package recode is in the table and nothing emits it", func(table []platform.Routine) []platform.Routine {
			return append(table, platform.Routine{Package: "recode", Name: "odd", AMD64: platform.WithBroadwell})
		}},
	} {
		_, err := generate(points, c.change(slices.Clone(platform.Routines)))
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want %s", err, c.says)
		}
	}
}

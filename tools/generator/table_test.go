package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	// A change of the formulas must invalidate cached results, because the test cache does not see what TestGenerated
	// reads.
	_ "p256k1.mleku.dev/v2/internal/group"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/tools/generator/formula"
)

const groupDirectory = "../../internal/group"

// TestGenerated compares the files of the repository with the output of the generator.
func TestGenerated(t *testing.T) {
	points := libtest.Must(formula.Read(os.DirFS(groupDirectory)))
	files := libtest.Must(generate(points, platform.Routines))
	for name, want := range files {
		if !bytes.Equal(libtest.Must(os.ReadFile(filepath.Join("../../internal", name))), want) {
			t.Errorf("%s differs from the generated file: run go run ./tools/generator", name)
		}
	}
	if len(files) < 10 {
		t.Errorf("only %d files", len(files))
	}
}

// TestPage compares the tables in docs/performance.md with the tables in the code.
func TestPage(t *testing.T) {
	text := libtest.Must(os.ReadFile("../../docs/performance.md"))
	if !strings.Contains(string(text), "\n\n"+markdown()+"\n") {
		t.Errorf("docs/performance.md lacks the output of go run ./tools/generator -table:\n%s", markdown())
	}
	for line := range strings.Lines(markdown()) {
		if len([]rune(line)) > 121 {
			t.Errorf("longer than 120 characters: %s", line)
		}
	}
}

// TestTable generates with tables that disagree with the emitted routines, and compares the errors.
func TestTable(t *testing.T) {
	points := libtest.Must(formula.Read(os.DirFS(groupDirectory)))
	// changed returns the table with one routine replaced by another.
	changed := func(pkg, name string, change func(r *platform.Routine)) []platform.Routine {
		table := slices.Clone(platform.Routines)
		change(&table[slices.IndexFunc(table, func(r platform.Routine) bool { return r.Package == pkg && r.Name == name })])
		return table
	}
	for _, c := range []struct {
		says  string
		table []platform.Routine
	}{
		{"amd64: square is emitted but not in the table",
			slices.DeleteFunc(slices.Clone(platform.Routines), func(r platform.Routine) bool { return r.Package == "field" && r.Name == "square" })},
		{"arm64: square is \"assembly\" in the table, and emitted: false",
			changed("field", "square", func(r *platform.Routine) { r.ARM64 = platform.Assembly })},
		{"arm64: rescale is \"Go\" in the table, and emitted: true",
			changed("group", "rescale", func(r *platform.Routine) { r.ARM64 = platform.InGo })},
		{"amd64: lookup is \"assembly (Broadwell)\" in the table, and emitted in ways [\"AVX512\" \"Broadwell\"]",
			changed("ecmult", "lookup", func(r *platform.Routine) { r.AMD64 = platform.WithBroadwell })},
		{"mul is in the table twice",
			append(slices.Clone(platform.Routines), platform.Routine{Package: "scalar", Name: "mul", AMD64: platform.WithBroadwell})},
		{"package recode is in the table, but nothing emits it",
			append(slices.Clone(platform.Routines), platform.Routine{Package: "recode", Name: "odd", AMD64: platform.WithBroadwell})},
	} {
		_, err := generate(points, c.table)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want %s", err, c.says)
		}
	}
}

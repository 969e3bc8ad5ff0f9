package main

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

const root = "../../.."

// TestQuotes checks that the proofs quote the functions that a build for amd64 compiles.
func TestQuotes(t *testing.T) {
	if _, _, err := sources(root, map[string][]byte{"Formulas": {}, "Constants": {}}); err != nil {
		t.Error(err)
	}
}

// TestComputed checks that coqchk leaves out four files, whose proofs need a virtual machine, and that order has all
// other files but the file that writes vectors.
func TestComputed(t *testing.T) {
	if !slices.Equal(computed, []string{"Certificates", "Tables", "Hulls", "Generator"}) {
		t.Errorf("coqchk leaves out %v", computed)
	}
	for _, entry := range libtest.Must(proofs.ReadDir(".")) {
		if name := strings.TrimSuffix(entry.Name(), ".v"); !slices.Contains(order, name) && name != "Vectors" {
			t.Errorf("nobody checks %s", name)
		}
	}
}

// TestAdmitted adds a theorem without a proof, and expects an error.
func TestAdmitted(t *testing.T) {
	libtest.Need(t, "coqc")
	dir := t.TempDir()
	old := order
	order = append([]string{"Planted"}, computed...)
	defer func() { order = old }()
	for _, name := range computed {
		libtest.Must(compile(dir, name, nil))
	}
	text := []byte("Theorem one : 1 = 1. Proof. reflexivity. Qed.\nTheorem two : 1 = 2. Admitted.\n")
	libtest.Must(compile(dir, "Planted", text))
	if err := axioms(dir, []string{"Planted.one"}); err != nil {
		t.Error(err)
	}
	if err := axioms(dir, []string{"Planted.two"}); err == nil || !strings.Contains(err.Error(), "two : 1 = 2") {
		t.Errorf("an admitted theorem: %v", err)
	}
	if err := recheck(dir); err == nil || !strings.Contains(err.Error(), "two") {
		t.Errorf("coqchk and an admitted theorem: %v", err)
	}
}

var update = flag.Bool("update", false, "write statements.txt, or the hashes of ties.txt")

// TestTies checks ties.txt, which says what ties each function to the theorems above it, and what discharges
// hypotheses.
func TestTies(t *testing.T) {
	libtest.Need(t, "python3")
	files, quoted, err := sources(root, map[string][]byte{"Formulas": formulas(root + "/internal/group"), "Constants": {}})
	libtest.Check(t, err)
	counts, err := ties(root, files, quoted)
	if *update && err != nil {
		for _, m := range regexp.MustCompile(`(?m)^ties.txt: (\S+): (\S+): changed.* (\S+)$`).FindAllStringSubmatch(err.Error(), -1) {
			row := regexp.MustCompile(`(?m)^(\t` + m[1] + `:(?: .*)? )` + m[2] + `(=\w*)?( .*)?$`)
			tiesText = row.ReplaceAllString(tiesText, "${1}"+m[3]+"${3}")
		}
		libtest.Check(t, os.WriteFile("ties.txt", []byte(tiesText), 0o600))
	} else if err != nil {
		t.Error(err)
	}
	t.Logf("result: %d functions, values and hypotheses, by what ties them: %v", len(readTies()), counts)
}

// TestStatements checks that the theorems, and the definitions in their statements, are those of statements.txt, and
// that there is no hash of nothing.
func TestStatements(t *testing.T) {
	if must.Catch(func() { must.Hash("") }) == nil {
		t.Error("nothing has a hash")
	}
	files, _, err := sources(root, map[string][]byte{"Formulas": {}, "Constants": {}})
	libtest.Check(t, err)
	if *update {
		libtest.Check(t, os.WriteFile("statements.txt", []byte(pinned(files)), 0o600))
	} else if err := unchanged(files); err != nil {
		t.Error(err)
	}
}

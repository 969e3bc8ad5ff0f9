package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

const root = "../../.."

// TestQuotes checks that the proofs quote the functions that a build for amd64 compiles.
func TestQuotes(t *testing.T) {
	if _, _, err := sources(root, map[string][]byte{"Formulas": {}, "Constants": {}}); err != nil {
		t.Error(err)
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

// TestBranches runs TestModel of internal/modinv with and without assembly, and expects that the stored inputs take
// every branch of inversion.
func TestBranches(t *testing.T) {
	taken := map[string]bool{} // by the block's place
	for _, tags := range []string{"", "purego"} {
		profile := filepath.Join(t.TempDir(), "profile")
		cmd := exec.Command("go", "test", "-tags", tags, "-run", "^TestModel$", "-coverprofile", profile, "./internal/modinv")
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", cmd, err, out)
		}
		for line := range strings.Lines(string(libtest.Must(os.ReadFile(profile)))) {
			if block, count, ok := strings.Cut(line, " "); ok && strings.Contains(block, "/safegcd") {
				taken[block] = taken[block] || !strings.HasSuffix(count, " 0\n")
			}
		}
	}
	for block, ok := range taken {
		if !ok {
			t.Errorf("no stored input takes the branch %s", block)
		}
	}
	if len(taken) < 50 {
		t.Errorf("%d branches", len(taken))
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

// TestStatements checks that the theorems, and the definitions in their statements, are those of statements.txt.
func TestStatements(t *testing.T) {
	files, _, err := sources(root, map[string][]byte{"Formulas": {}, "Constants": {}})
	libtest.Check(t, err)
	if *update {
		libtest.Check(t, os.WriteFile("statements.txt", []byte(pinned(files)), 0o600))
	} else if err := unchanged(files); err != nil {
		t.Error(err)
	}
}

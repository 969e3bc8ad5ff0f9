package main

import (
	"bytes"
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

const root = "../../.."

// chosen reports whether planted error i is tried. With -short, the process id chooses a third of the errors.
func chosen(i int) bool { return !testing.Short() || i%3 == os.Getpid()%3 }

// proofFiles returns all proof files, with the formulas generated from the package in the folder group.
func proofFiles(t *testing.T, group string) map[string][]byte {
	t.Helper()
	return libtest.Must(sources(root, map[string][]byte{"Formulas": formulas(group), "Constants": constants()}))
}

// replaced returns the text with new in place of the first occurrence of old, which must exist.
func replaced(t *testing.T, text []byte, old, new string) []byte {
	t.Helper()
	changed := bytes.Replace(text, []byte(old), []byte(new), 1)
	if bytes.Equal(changed, text) {
		t.Fatalf("no %s", old)
	}
	return changed
}

// compileAll compiles correct files in a directory.
func compileAll(dir string, files map[string][]byte, names ...string) {
	for _, name := range names {
		libtest.Must(compile(dir, name, files[name]))
	}
}

// wantFailure fails t unless err is an error in the named file.
func wantFailure(t *testing.T, err error, name, old, new string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), `File "./`+name+`.v"`) {
		t.Errorf("%s in place of %s: %v", new, old, err)
	}
}

// TestPlantedFormula plants an error in a formula, in a copy of package group, and expects a proof to fail.
func TestPlantedFormula(t *testing.T) {
	libtest.Need(t, "coqc")
	t.Parallel()
	for _, c := range []struct{ old, new string }{
		{"p.X.Sub(&u, &t)", "p.X.Add(&u, &t)"},
		{"p.Z.Mul(&a.Y, &a.Z)", "p.Z.Mul(&a.Y, &a.X)"},
		{"h.Sub(&a.X, &b.X)", "h.Sub(&b.X, &a.X)"},
		{"p.ZZZ.Mul(&z3, &h3)", "p.ZZZ.Mul(&z3, &h2)"},
		{"r.Mul(&b.Y, &u)", "r.Mul(&b.Y, &t)"},
	} {
		group := t.TempDir()
		libtest.Check(t, os.CopyFS(group, os.DirFS(root+"/internal/group")))
		path := filepath.Join(group, "formulas.go")
		changed := replaced(t, libtest.Must(os.ReadFile(path)), c.old, c.new)
		libtest.Check(t, os.WriteFile(path, changed, 0o600))
		files := proofFiles(t, group)
		dir := t.TempDir()
		compileAll(dir, files, "Base", "Formulas")
		_, err := compile(dir, "Law", files["Law"])
		wantFailure(t, err, "Law", c.old, c.new)
	}
}

// TestPlantedDigits changes a digit in a table, and constants, and expects the last of the named proofs to fail.
func TestPlantedDigits(t *testing.T) {
	libtest.Need(t, "coqc")
	t.Parallel()
	files := libtest.Must(sources(root, map[string][]byte{"Formulas": {}, "Constants": constants()}))
	for i, c := range []struct {
		old, new string
		proofs   []string
	}{
		{"(2,1); (0,0); (2,3)", "(2,1); (0,0); (2,-3)", []string{"Digits", "Tables"}},
		{"base_places := 43", "base_places := 42", []string{"Digits"}},
		{"lambda := 3", "lambda := 4", []string{"Digits"}},
		{"A1 := 6", "A1 := 7", []string{"Digits"}},
		{"Definition p := 11", "Definition p := 12", []string{"Pocklington", "Certificates"}},
		{"window_pairs_4 := [(1,0); (1,1)", "window_pairs_4 := [(1,0); (1,2)", []string{"Digits", "Tables"}},
		{"Definition ratio_2 := 79", "Definition ratio_2 := 78", []string{"Divsteps", "Hulls"}},
		{"Definition ratio_1 := 84", "Definition ratio_1 := 83", []string{"Divsteps", "Hulls"}},
	} {
		changed := replaced(t, files["Constants"], c.old, c.new)
		if !chosen(i) {
			continue
		}
		dir := t.TempDir()
		libtest.Must(compile(dir, "Constants", changed))
		last := len(c.proofs) - 1
		compileAll(dir, files, c.proofs[:last]...)
		_, err := compile(dir, c.proofs[last], files[c.proofs[last]])
		wantFailure(t, err, c.proofs[last], c.old, c.new)
	}
}

// TestPlantedModel changes models, and the named file of constants, and expects a proof to fail. Earlier files are
// compiled without their proofs.
func TestPlantedModel(t *testing.T) {
	libtest.Need(t, "coqc")
	t.Parallel()
	files := proofFiles(t, root+"/internal/group")
	dir := t.TempDir()
	rocqc := func(mode, name string, text []byte) error {
		libtest.Check(t, os.WriteFile(filepath.Join(dir, name+".v"), text, 0o600))
		_, err := rocq(dir, "coqc", "-q", mode, "-Q", ".", "", name+".v")
		return err
	}
	for _, name := range []string{"Base", "Formulas", "Law", "Operations", "Constants", "Pocklington", "Digits", "Certificates",
		"Tables", "Classes", "Sums", "Lanes", "PublicLanes", "LanePlaces", "ListSums"} {
		libtest.Check(t, rocqc("-vos", name, files[name]))
	}
	last := ""
	for i, c := range []struct{ proof, constants, old, new string }{
		{"Alike", "", "if is_zero d then (1, opposite) else (d, equal)", "if is_zero d then (d, equal) else (1, opposite)"},
		{"VariableLanes", "", "limbs 0xa7b054343fef338c", "limbs 0xa7b054343fef338d"},      // the wrong scalar is avoided
		{"VariableLanes", "", "Nat.odd (variable_places - 1)", "Nat.odd variable_places"},  // the sum has the wrong sign at the end
		{"LanePlaces", "", "((place + 7) / 8)", "(place / 8)"},                             // the last digit of G is left out
		{"LanePlaces", "", "_ => (fst s, double_negate 3", "_ => (fst s, double_negate 2"}, // a doubling is left out
		{"LanePlaces", "", "(b mod 5 =? 1)", "(b mod 5 =? 4)"},                             // y and -y are exchanged
		{"ListSums", "", "((p, q) :: pairs, 2 * next :: terms)", "((p, q) :: pairs, terms)"},
		{"ListSums", "", "different || forallb", "true || forallb"},                                 // infinity stays in a list
		{"Buckets", "", "(seq 0 (length a))) (seq 0 count).", "(seq 1 (length a))) (seq 0 count)."}, // a point is in no bucket
		{"Buckets", "", "put rows (most + (v - 1), term)", "put rows (most + v, term)"},             // a term is in another row
		{"Buckets", "", "| [] => plus p p end", "| [] => p end"},                                    // a doubling is left out
		{"Roots", "", "SquareN t 23 * x22", "SquareN t 22 * x22"},
		{"Roots", "", "let t := SquareN t 5 * a in", "let t := SquareN t 5 in"},
		{"Swift", "", "let s := if dec s 0 then 1 else s in", ""},
		{"Swift", "", "let s := s + s in let s := s + s in", "let s := s + s in"},
		{"Swift", "", "let n := (g * beta - s) * v in", "let n := (g * beta + s) * v in"},
		{"Swift", "", "(x, CondNegate (xorb (odd y) (odd t)) y)", "(x, CondNegate (odd y) y)"},
		{"Swift", "", "if IsSquareVartime v || is_zero r then None else", "if is_zero r then None else"},
		{"Swift", "", "First => t + u + x | _ => x - t end", "First => t + x | _ => x - t end"},
		{"Swu", "", "let d := if noInverse then z else d in", ""},
		{"Swu", "", "let x := if first then x else t in", ""},
		{"Swu", "", "if xorb (odd u) (odd y) then", "if odd y then"},
		{"Encodings", "", "Definition c := 2 ^ 32 + 977", "Definition c := 2 ^ 32 + 976"},
		{"Encodings", "", "(v, carry =? 0)", "(v, true)"},
		{"Encodings", "", "let r := if carry =? 1 then r else v in", ""},
		{"Encodings", "", "(x, CondNegate (odd y) y)", "(x, y)"},
		{"Encodings", "", "Z.lor 2 (Z.b2z (odd y))", "Z.lor 2 (Z.b2z (negb (odd y)))"},
		{"Encodings", "", "if negb (IsOnCurve (of_Z x, of_Z y)) then inr ErrNotOnCurve else", ""},
		{"Swift", "Constants", "Definition beta := 5", "Definition beta := 6"},
		{"Swu", "Constants", "Definition swu_root := 2", "Definition swu_root := 3"},
	} {
		changed := replaced(t, files[cmp.Or(c.constants, c.proof)], c.old, c.new)
		if !chosen(i) {
			continue
		}
		if c.proof != last {
			last = c.proof
			libtest.Check(t, rocqc("-vok", "Planted", files[c.proof]))
		}
		if c.constants != "" {
			libtest.Check(t, rocqc("-vos", c.constants, changed))
			changed = files[c.proof]
		}
		wantFailure(t, rocqc("-vok", "Planted", changed), "Planted", c.old, c.new)
		if c.constants != "" {
			libtest.Check(t, rocqc("-vos", c.constants, files[c.constants]))
		}
	}
}

// TestQuotes changes a function that a model quotes, and expects an error.
func TestQuotes(t *testing.T) {
	tree := t.TempDir()
	for _, dir := range []string{"curve", "internal/batch", "internal/ecmult", "internal/field", "internal/group", "internal/lanes", "internal/parts", "internal/recode", "internal/scalar"} {
		libtest.Check(t, os.CopyFS(filepath.Join(tree, dir), os.DirFS(filepath.Join(root, dir))))
	}
	libtest.Must(sources(tree, map[string][]byte{"Formulas": {}, "Constants": {}}))
	path := filepath.Join(tree, "internal/group/add.go")
	text := libtest.Must(os.ReadFile(path))
	changed := replaced(t, text, "sum.Select(b, &sum, a.IsInfinity())", "sum.Select(a, &sum, a.IsInfinity())")
	libtest.Check(t, os.WriteFile(path, changed, 0o600))
	if _, err := sources(tree, map[string][]byte{"Formulas": {}, "Constants": {}}); err == nil || !strings.Contains(err.Error(), "review its model") {
		t.Errorf("a changed Add: %v", err)
	}
}

// TestAdmitted adds a theorem without a proof, and expects an error.
func TestAdmitted(t *testing.T) {
	libtest.Need(t, "coqc")
	dir := t.TempDir()
	old := order
	order = append([]string{"Planted"}, computed...)
	defer func() { order = old }()
	compileAll(dir, nil, computed...)
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

// Command grouplaw checks with Rocq that the point formulas compute the group law, and checks the proofs that build on
// them. Run "go run ./tools/evidence/grouplaw" in the root of the repository. It needs Rocq 8.16 or later as coqc and
// coqchk (Debian: coq). README.md lists what is proved and what is assumed.
//
// The generator of the assembly makes the definitions of the formulas from internal/group/formulas.go. Other Go
// functions are quoted in the proofs as comments above their models, and each quotation must agree with the source.
package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed *.v
var proofs embed.FS

// order is the order of the files. Each file may use earlier files. Formulas and Constants are generated.
var order = []string{"Base", "Formulas", "Law", "Operations", "Alike", "Rootless", "Constants", "Divsteps",
	"Pocklington", "Digits", "Roots", "Swift", "Swu", "Encodings", "Certificates", "Tables", "Hulls", "Prime", "Maps",
	"Instances", "Classes", "Sums", "Lanes", "PublicLanes", "VariableLanes", "LanePlaces", "ListSums", "Buckets"}

// computed lists the files whose proofs run in the virtual machine of coqc: powers, all classes of digits, and
// polygons. coqchk has no virtual machine.
var computed = []string{"Certificates", "Tables", "Hulls"}

func main() {
	if err := run(); err != nil {
		fmt.Fprintf(os.Stderr, "grouplaw: %v\n", err)
		os.Exit(1)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "grouplaw")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	made, err := formulas("internal/group")
	if err != nil {
		return err
	}
	files, err := sources(".", map[string][]byte{"Formulas": made, "Constants": constants()})
	if err != nil {
		return err
	}
	for _, name := range order {
		if _, err := compile(dir, name, files[name]); err != nil {
			return err
		}
	}
	names := theorems(files)
	if err := axioms(dir, names); err != nil {
		return err
	}
	if err := recheck(dir); err != nil {
		return err
	}
	fmt.Printf("result: %d theorems proved from no axiom, none Admitted; coqchk agrees on all files but %s\n",
		len(names), strings.Join(computed, " and "))
	return nil
}

// formulas returns the definitions that the generator prints for a package of point formulas.
func formulas(group string) ([]byte, error) {
	var stderr bytes.Buffer
	cmd := exec.Command("go", "run", "p256k1.mleku.dev/v2/tools/generator", "-rocq", "-formulas", group)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%v: %w\n%s", cmd, err, &stderr)
	}
	return out, nil
}

// quote matches a comment of a proof with the name of a Go file and a function quoted from it. The quotation has "( *"
// in place of "(*", which would begin a comment inside the comment.
var quote = regexp.MustCompile(`(?s)\(\* (\S+\.go)\n(.*?)\*\)`)

// sources returns the text of all proof files by name, if their quotations agree with the repository at root.
func sources(root string, made map[string][]byte) (map[string][]byte, error) {
	files := maps.Clone(made)
	for _, name := range order {
		if files[name] != nil {
			continue
		}
		text, err := proofs.ReadFile(name + ".v")
		if err != nil {
			return nil, err
		}
		for _, q := range quote.FindAllSubmatch(text, -1) {
			source, err := os.ReadFile(filepath.Join(root, string(q[1])))
			if err != nil {
				return nil, err
			}
			quoted := bytes.ReplaceAll(q[2], []byte("( *"), []byte("(*"))
			if !bytes.Contains(source, append([]byte("\n"), quoted...)) {
				return nil, fmt.Errorf("%s.v quotes code that is not in %s: review its model\n%s", name, q[1], q[2])
			}
		}
		files[name] = text
	}
	return files, nil
}

// compile checks a file in a directory that has the earlier files, and returns the output.
func compile(dir, name string, text []byte) (string, error) {
	path := filepath.Join(dir, name+".v")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return "", err
	}
	return rocq(dir, "coqc", "-q", "-Q", ".", "", name+".v")
}

func rocq(dir string, args ...string) (string, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%v: %w\n%s", cmd, err, out)
	}
	return string(out), nil
}

var theorem = regexp.MustCompile(`(?m)^\s*Theorem (\w+)`)

// theorems returns the names of all theorems with the names of their files.
func theorems(files map[string][]byte) (names []string) {
	for _, name := range order {
		for _, m := range theorem.FindAllSubmatch(files[name], -1) {
			names = append(names, name+"."+string(m[1]))
		}
	}
	return names
}

// axioms returns an error if a theorem uses an axiom or an admitted statement.
func axioms(dir string, theorems []string) error {
	var text strings.Builder
	for _, name := range order {
		fmt.Fprintf(&text, "Require %s.\n", name)
	}
	// The question is about one tuple of all theorems, because Rocq visits everything on which a term depends again for
	// each question.
	fmt.Fprintf(&text, "Definition all := (@%s).\nPrint Assumptions all.\n", strings.Join(theorems, ", @"))
	out, err := compile(dir, "Assumptions", []byte(text.String()))
	if err != nil {
		return err
	}
	if strings.TrimSpace(out) != "Closed under the global context" {
		return fmt.Errorf("the theorems assume something:\n%s", out)
	}
	return nil
}

// recheck runs coqchk, a program with a separate kernel, on the files, two calls at a time. In the files before the
// first computed file, and in the part of the standard library that they use, coqchk must find no axiom. Later files
// are checked without the files on which they depend.
func recheck(dir string) error {
	i := slices.Index(order, computed[0])
	var errs [2]error
	var wait sync.WaitGroup
	wait.Go(func() {
		out, err := rocq(dir, append([]string{"coqchk", "-silent", "-o", "-Q", ".", ""}, order[:i]...)...)
		if err == nil && strings.Count(out, "<none>") != 4 { // axioms, and three kinds of unsafe definitions
			err = fmt.Errorf("coqchk finds an axiom, or something unsafe:\n%s", out)
		}
		errs[0] = err
	})
	wait.Go(func() {
		for _, name := range order[i:] {
			if !slices.Contains(computed, name) && errs[1] == nil {
				_, errs[1] = rocq(dir, "coqchk", "-silent", "-Q", ".", "", "-norec", name)
			}
		}
	})
	wait.Wait()
	return errors.Join(errs[:]...)
}

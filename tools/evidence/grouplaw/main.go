// Command grouplaw checks with Rocq that the point formulas compute the group law, and checks the proofs that build on
// them. Run "go run ./tools/evidence/grouplaw" in the root of the repository. It needs Rocq 8.16 or later as coqc and
// coqchk (Debian: coq). README.md lists what is proved and what is assumed.
//
// The generator of the assembly makes the definitions of the formulas from internal/group/formulas.go. Other Go
// functions are quoted in the proofs as comments above their models, and each quotation must agree with the source.
package main

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

//go:embed *.v
var proofs embed.FS

// order is the order of the files. Each file may use earlier files. Formulas and Constants are generated.
var order = []string{"Base", "Formulas", "Law", "Operations", "Group", "Alike", "Rootless", "Constants", "Divsteps",
	"Pocklington", "Digits", "Roots", "Swift", "Swu", "Encodings", "Certificates", "Tables", "Hulls", "Prime", "Maps",
	"Instances", "Classes", "Sums", "Lanes", "PublicLanes", "VariableLanes", "LanePlaces", "ListSums", "Buckets",
	"Generator", "Curve"}

// computed lists the files whose proofs run in the virtual machine of coqc: powers, all classes of digits, polygons,
// and a multiple of the generator. coqchk has no virtual machine.
var computed = []string{"Certificates", "Tables", "Hulls", "Generator"}

var (
	write = flag.Bool("vectors", false, "write what the models compute, for the tests of the code")
	only  = flag.String("only", "", "check only the proofs in the file with this `name`, such as Law")
)

func main() {
	flag.Parse()
	must.Main("grouplaw", run)
}

func run(context.Context) error {
	dir := must.Get(os.MkdirTemp("", "grouplaw"))
	defer os.RemoveAll(dir)
	files, quoted, err := sources(".", map[string][]byte{"Formulas": formulas("internal/group"), "Constants": constants()})
	must.Do(err)
	if *write {
		return writeVectors(dir, files)
	}
	if *only != "" {
		return checkOnly(dir, *only, files)
	}
	must.Do(unchanged(files))
	fmt.Printf("result: functions and values below the theorems, and hypotheses, by what ties them: %v\n", must.Get(ties(".", files, quoted)))
	for _, name := range order {
		must.Get(compile(dir, name, files[name]))
	}
	must.Do(checkVectors(dir))
	names := theorems(files)
	must.Do(axioms(dir, names))
	must.Do(recheck(dir))
	fmt.Printf("result: %d theorems proved from no axiom, none Admitted; coqchk agrees on all files but %s\n",
		len(names), strings.Join(computed, " and "))
	return nil
}

// checkOnly checks the proofs in one file, with only the statements of the files before it.
func checkOnly(dir, last string, files map[string][]byte) (err error) {
	defer must.Recover(&err)
	if !slices.Contains(order, last) {
		must.Fail("there is no %s.v", last)
	}
	for _, name := range order {
		mode := "-vos"
		if name == last {
			mode = "-vok"
		}
		must.Do(os.WriteFile(filepath.Join(dir, name+".v"), files[name], 0o600))
		must.Get(rocq(dir, "coqc", "-q", mode, "-Q", ".", "", name+".v"))
		if name == last {
			break
		}
	}
	fmt.Printf("result: the proofs of %s.v are right if the statements of the files before it are\n", last)
	return nil
}

// formulas returns the definitions that the generator prints for a package of point formulas.
func formulas(group string) []byte {
	cmd := exec.Command("go", "run", "p256k1.mleku.dev/v2/tools/generator", "-rocq", "-formulas", group)
	return []byte(must.Get(must.Output(cmd)))
}

// sources returns the text of all proof files by name, and the files that quote functions of the repository at root, if
// the quotations agree with it.
func sources(root string, made map[string][]byte) (files map[string][]byte, quoted map[declaration]string, err error) {
	defer must.Recover(&err)
	files, quoted = maps.Clone(made), map[declaration]string{}
	for _, name := range order {
		if files[name] == nil {
			files[name] = must.Get(proofs.ReadFile(name + ".v"))
			quotations(root, name, files[name], quoted)
		}
	}
	return files, quoted, nil
}

// compile checks a file in a directory that has the earlier files, and returns the output.
func compile(dir, name string, text []byte) (string, error) {
	must.Do(os.WriteFile(filepath.Join(dir, name+".v"), text, 0o600))
	return rocq(dir, "coqc", "-q", "-Q", ".", "", name+".v")
}

func rocq(dir string, args ...string) (string, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput() // coqchk prints its list of axioms as an error message
	if err != nil {
		err = fmt.Errorf("%v: %w\n%s", cmd, err, out)
	}
	return string(out), err
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
func axioms(dir string, theorems []string) (err error) {
	defer must.Recover(&err)
	var text strings.Builder
	for _, name := range order {
		fmt.Fprintf(&text, "Require %s.\n", name)
	}
	// The question is about one tuple of all theorems, because Rocq visits everything on which a term depends again for
	// each question.
	fmt.Fprintf(&text, "Definition all := (@%s).\nPrint Assumptions all.\n", strings.Join(theorems, ", @"))
	out := must.Get(compile(dir, "Assumptions", []byte(text.String())))
	if strings.TrimSpace(out) != "Closed under the global context" {
		must.Fail("the theorems assume something:\n%s", out)
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

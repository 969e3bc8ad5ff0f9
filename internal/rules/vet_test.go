package rules

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestVet checks what the comment of curve.Scalar.Format says about "go vet": which of the statements that print a
// scalar without a call of Format it reports.
func TestVet(t *testing.T) {
	compiler, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command")
	}
	const program = `package main

import (
	"fmt"

	"p256k1.mleku.dev/v2/curve"
)

type exported struct{ S curve.Scalar }

type unexported struct{ s curve.Scalar }

type pointer struct{ s *curve.Scalar }

func main() {
	s := new(curve.Scalar)
	fmt.Println(fmt.Errorf("%w", s)) // reported
	fmt.Println(fmt.Errorf("%w", *s)) // reported
	fmt.Println(fmt.Errorf("%w", exported{*s})) // reported
	fmt.Println(fmt.Errorf("%w", unexported{*s})) // reported
	fmt.Println(fmt.Errorf("%w", []curve.Scalar{*s})) // reported
	fmt.Println(fmt.Errorf("%w", map[int]curve.Scalar{1: *s})) // reported
	fmt.Printf("%w", s) // reported
	fmt.Printf("%p", *s)
	fmt.Printf("%p", exported{*s})
	fmt.Printf("%p", [1]curve.Scalar{*s})
	fmt.Printf("%v", unexported{*s})
	fmt.Printf("%x", unexported{*s})
	fmt.Println(unexported{*s})
	fmt.Printf("%s", pointer{s})
	fmt.Printf("%v", pointer{s})
	fmt.Printf("%v %s %d", s, *s, s)
}
`
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(compiler, "vet", file).CombinedOutput()
	if err == nil {
		t.Error("go vet reports nothing")
	}
	n := 0
	for line := range strings.Lines(program) {
		n++
		reported := strings.Contains(string(out), fmt.Sprintf("main.go:%d:", n))
		if want := strings.Contains(line, "// reported"); reported != want {
			t.Errorf("reported %v, want %v: %s", reported, want, line)
		}
	}
	if t.Failed() {
		t.Logf("go vet: %s", out)
	}
}

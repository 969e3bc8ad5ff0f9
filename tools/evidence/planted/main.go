// Command planted plants errors in a copy of the repository, one by one, and checks that a test notices each of them.
//
//	go run ./tools/evidence/planted                all errors
//	go run ./tools/evidence/planted -run ^fuzz:    errors for which the pattern matches "kind: what"
//	go run ./tools/evidence/planted -sample 8      errors drawn at random
//
// The errors are those that a test was written for, or did not notice at first. Package mutation changes the code
// without knowing it, and packages faults and twoparty make errors that appear only while the code runs.
package main

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"p256k1.mleku.dev/v2/tools/evidence/internal/patch"
	"p256k1.mleku.dev/v2/tools/evidence/internal/registers"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

// lists has a list of errors for each kind, in the form of package patch: the only occurrence of Old in a function is
// replaced by New, and the command must fail.
//
//go:embed *.txt
var embedded embed.FS
var lists fs.FS = embedded

// plants returns all errors by "kind: what".
func plants() map[string]patch.Change {
	all := make(map[string]patch.Change)
	for _, file := range must.Get(fs.ReadDir(lists, ".")) {
		kind := strings.TrimSuffix(file.Name(), ".txt")
		for _, p := range patch.Changes(string(must.Get(fs.ReadFile(lists, file.Name())))) {
			name := kind + ": " + p.Name
			if p.File == "" || p.Old == "" || p.Old == p.New || p.Command == "" || all[name].File != "" {
				must.Fail("%s.txt: an error without file, change or command, or twice: %s", kind, p.Name)
			}
			all[name] = p
		}
	}
	return all
}

func main() {
	must.Main("planted", func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stdout) })
}

func run(ctx context.Context, args []string, stdout io.Writer) (err error) {
	defer must.Recover(&err)
	f := flag.NewFlagSet("planted", flag.ContinueOnError)
	match := f.String("run", "", "only errors for which the `regexp` matches \"kind: what\"")
	sample := f.Int("sample", 0, "number of errors to draw at random, or 0 for all")
	seed := f.Uint64("seed", uint64(time.Now().UnixNano()), "seed of the sample")
	python := f.String("python", "python3", "the `program` that runs the prover of the assembly")
	must.Do(f.Parse(args))
	chosen := choose(must.Get(regexp.Compile(*match)), *sample, *seed)
	if len(chosen) == 0 {
		must.Fail("no planted error matches %q", *match)
	}
	root := must.Get(os.MkdirTemp("", "planted"))
	defer os.RemoveAll(root)
	clone(".", root)
	g := garden{root, *python, map[string]error{}}
	failures, tried := 0, 0
	for _, name := range slices.Sorted(maps.Keys(chosen)) {
		if lack := lacks(chosen[name], runtime.GOARCH, registers.Has); lack != "" {
			fmt.Fprintf(stdout, "NOT TESTED          %s: this machine lacks %s\n", name, lack)
			continue
		}
		tried++
		start := time.Now()
		verdict, err := g.try(ctx, chosen[name])
		must.Do(ctx.Err())
		if err != nil {
			failures++
			verdict = strings.ToUpper(verdict)
		}
		fmt.Fprintf(stdout, "%-11s %5.1fs  %s\n", verdict, time.Since(start).Seconds(), name)
		if err != nil {
			fmt.Fprintf(stdout, "  %s\n", strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "\n  "))
		}
	}
	fmt.Fprintf(stdout, "result: planted: %d of %d errors noticed, -seed %d\n", tried-failures, tried, *seed)
	if failures > 0 || tried == 0 {
		return fmt.Errorf("%d failures of %d", failures, tried)
	}
	return nil
}

// lacks returns what a machine lacks to run the code that p changes, or "".
func lacks(p patch.Change, arch string, avx512 bool) string {
	base, assembly := strings.CutSuffix(p.File, ".s")
	if _, needed, _ := strings.Cut(filepath.Base(base), "_"); assembly && needed != arch {
		return needed
	}
	if strings.HasSuffix(p.Name, "of AVX-512") && !avx512 {
		return "AVX-512"
	}
	return ""
}

// choose returns the errors that match, or a sample of them.
func choose(match *regexp.Regexp, sample int, seed uint64) map[string]patch.Change {
	chosen := plants()
	maps.DeleteFunc(chosen, func(name string, _ patch.Change) bool { return !match.MatchString(name) })
	if names := slices.Sorted(maps.Keys(chosen)); sample > 0 {
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		for _, name := range names[min(sample, len(names)):] {
			delete(chosen, name)
		}
	}
	return chosen
}

// clone copies the files that git knows or would add, so that tests that read files see what is planted.
func clone(from, to string) {
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = from
	for _, name := range strings.FieldsFunc(must.Get(must.Output(cmd)), func(r rune) bool { return r == 0 }) {
		path := filepath.Join(to, name)
		text, err := os.ReadFile(filepath.Join(from, name))
		if errors.Is(err, os.ErrNotExist) {
			continue // it was deleted, and the deletion is not committed
		}
		must.Do(err)
		must.Do(os.MkdirAll(filepath.Dir(path), 0o700))
		must.Do(os.WriteFile(path, text, 0o700))
	}
}

// A garden is a copy of the repository in which errors are planted.
type garden struct {
	root, python string
	before       map[string]error // by command, what it returned when nothing was planted
}

// try plants an error and returns "noticed" if the command of p fails, and passes when nothing is planted. It returns
// another verdict with an error.
func (g *garden) try(ctx context.Context, p patch.Change) (verdict string, err error) {
	changed := must.Get(patch.New(g.root))
	if err := changed.Edit(p.File, p.Function, p.Old, p.New); err != nil {
		return "not applied", err
	}
	if _, known := g.before[p.Command]; !known {
		_, g.before[p.Command] = g.command(ctx, p.Command)
	}
	if err := g.before[p.Command]; err != nil {
		return "not sound", fmt.Errorf("the command fails when nothing is planted: %w", err)
	}
	for path, text := range changed.Sources() {
		original := must.Get(os.ReadFile(path))
		must.Do(os.WriteFile(path, []byte(text), 0o600))
		defer func() { must.Do(os.WriteFile(path, original, 0o600)) }()
	}
	switch out, err := g.command(ctx, p.Command); {
	case err == nil:
		return "not noticed", fmt.Errorf("this passes: %s", p.Command)
	case bytes.Contains(out, []byte("[build failed]")) || bytes.Contains(out, []byte("[setup failed]")):
		return "not applied", err
	case strings.HasPrefix(p.Command, "go run ") && strings.HasSuffix(p.File, ".go"): // may fail because nothing compiles
		dir := filepath.ToSlash(filepath.Dir(p.File))
		_, err := g.command(ctx, "go build -o "+os.DevNull+" ./"+dir)
		if err != nil { // perhaps since the module is outside the workspace
			_, err = g.command(ctx, "go build -C "+dir+" -o "+os.DevNull+" .")
		}
		if err != nil {
			return "not applied", err
		}
	}
	return "noticed", nil
}

// command runs the command of a plant in the copy, where "python" is the Python of the prover. A go command that begins
// with -C runs in a module outside the workspace.
func (g *garden) command(ctx context.Context, line string) ([]byte, error) {
	words := strings.Fields(line)
	if words[0] == "python" {
		words[0] = g.python
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir = g.root
	cmd.Env = append(os.Environ(), "GOFLAGS=-count=1 -vet=off -timeout=5m") // cached results do not see all changes of files
	if slices.Contains(words, "-C") {
		cmd.Env = append(cmd.Env, "GOWORK=off")
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
		err = fmt.Errorf("%v: %w\n%s", cmd, err, bytes.Join(lines[:min(10, len(lines))], []byte("\n")))
	}
	return out, cmp.Or(ctx.Err(), err)
}

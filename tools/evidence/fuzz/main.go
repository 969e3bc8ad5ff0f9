// Command fuzz runs the fuzz targets of all modules, one after another; "go test -fuzz" runs only one target.
//
//	go run ./tools/evidence/fuzz -time 1m                      each for a minute
//	go run ./tools/evidence/fuzz -time 1000x -guided=false     in CI, where compiling has to be quick
//	go run ./tools/evidence/fuzz -run 'DER$' ./ecdsa           some of them
//	go run ./tools/evidence/fuzz -planted                      shows that they find errors
//
// The inputs that the fuzzer finds interesting are in the go command's cache, as with "go test -fuzz", so that each run
// continues the earlier ones. An input that fails is written to testdata/fuzz of its package. The targets after it
// still get their time.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(1)
	}
}

// A session is one run of the program.
type session struct {
	time    string // a value of -fuzztime
	guided  bool
	stdout  io.Writer
	scratch string // a folder

	done, failures int
	executions     int64
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s := session{stdout: stdout}
	f := flag.NewFlagSet("fuzz", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&s.time, "time", "5s", "how long each target runs, or how often: 1000x")
	f.BoolVar(&s.guided, "guided", true, "count what is executed, to find inputs that reach something new; false compiles sooner")
	planted := f.Bool("planted", false, "plant errors in the library, and see whether the seeds of the targets find them")
	match := f.String("run", "", "only targets of which the `regexp` matches a part of package.Name")
	if err := f.Parse(args); err != nil {
		return err
	}
	name, err := regexp.Compile(*match)
	if err != nil {
		return err
	}
	if s.scratch, err = os.MkdirTemp("", "fuzz"); err != nil {
		return err
	}
	defer os.RemoveAll(s.scratch)
	if *planted {
		err = s.findPlants(ctx)
	} else {
		err = s.fuzzAll(ctx, f.Args(), name)
	}
	if err == nil && s.failures > 0 {
		err = fmt.Errorf("%d failures", s.failures)
	}
	return err
}

var fuzzTarget = regexp.MustCompile(`(?m)^func (Fuzz(?:[^a-z(]\w*)?)\(`)

// fuzzAll runs the targets with matching names in the packages that build on this platform.
func (s *session) fuzzAll(ctx context.Context, packages []string, name *regexp.Regexp) error {
	if len(packages) == 0 {
		packages = []string{"p256k1.mleku.dev/v2/..."}
	}
	const format = "{{.ImportPath}}|{{.Dir}}{{range .TestGoFiles}}|{{.}}{{end}}{{range .XTestGoFiles}}|{{.}}{{end}}"
	list, err := goCommand(ctx, append([]string{"list", "-f", format, "--"}, packages...)...)
	if err != nil {
		return err
	}
	cache, err := goCommand(ctx, "env", "GOCACHE")
	if err != nil {
		return err
	}
	start, targets := time.Now(), 0
	for line := range strings.Lines(list) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		p := fuzzed{path: fields[0], dir: fields[1], corpora: filepath.Join(strings.TrimSpace(cache), "fuzz", fields[0])}
		for _, file := range fields[2:] {
			text, err := os.ReadFile(filepath.Join(p.dir, file))
			if err != nil {
				return err
			}
			for _, m := range fuzzTarget.FindAllSubmatch(text, -1) {
				if target := string(m[1]); name.MatchString(p.name(target)) {
					p.targets = append(p.targets, target)
				}
			}
		}
		targets += len(p.targets)
		if len(p.targets) > 0 && ctx.Err() == nil {
			s.fuzzPackage(ctx, &p)
		}
	}
	if targets == 0 {
		return fmt.Errorf("no fuzz targets in %q that match %q", packages, name)
	}
	s.print("result: fuzz: %d of %d targets, %s each, %v, %d executions, %d failures",
		s.done, targets, s.time, time.Since(start).Round(time.Second), s.executions, s.failures)
	return ctx.Err()
}

// fuzzed is a package with targets.
type fuzzed struct {
	path, dir string
	corpora   string // where the fuzzer keeps interesting inputs
	targets   []string
}

// name returns the name of a target in the output.
func (p *fuzzed) name(target string) string { return path.Base(p.path) + "." + target }

// fuzzPackage runs the targets of a package. If one does not compile, all of the package's targets fail.
func (s *session) fuzzPackage(ctx context.Context, p *fuzzed) {
	binary := filepath.Join(s.scratch, "test")
	args := []string{"test", "-c", "-o", binary}
	if s.guided {
		args = append(args, "-fuzz=.") // whatever that matches
	}
	if _, err := goCommand(ctx, append(args, p.path)...); err != nil && ctx.Err() == nil {
		s.failures += len(p.targets)
		s.print("result: fuzz: %s FAILED: %v", p.path, err)
	} else if err == nil {
		for _, target := range p.targets {
			if ctx.Err() == nil {
				s.fuzz(ctx, p, target, binary)
			}
		}
	}
}

// fuzz runs one target.
func (s *session) fuzz(ctx context.Context, p *fuzzed, target, binary string) {
	// By default, the fuzzer spends up to a minute on shortening an input, and does not count these executions.
	cmd := exec.CommandContext(ctx, binary, "-test.run=^$", "-test.fuzz=^"+target+"$", "-test.fuzztime="+s.time,
		"-test.fuzzminimizetime=100x", "-test.fuzzcachedir="+p.corpora)
	cmd.Dir = p.dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // after this signal it writes the input that it has found
	cmd.WaitDelay = 20 * time.Second
	start := time.Now()
	out, err := cmd.CombinedOutput()
	executions, said := read(out)
	s.executions += executions
	s.done++
	s.print("%-40s %8v %12d executions", p.name(target), time.Since(start).Round(100*time.Millisecond), executions)
	switch {
	case ctx.Err() != nil && err != nil && !bytes.Contains(out, []byte("Failing input")): // while it starts, for one
		return
	case err == nil && executions > 0, isDeadline(said) && executions > 0:
		return
	case err == nil || isDeadline(said):
		said = []string{"its seeds took all of the time"}
	}
	s.failures++
	s.print("result: fuzz: %s FAILED\n%s", p.name(target), strings.Join(said, "\n"))
}

var count = regexp.MustCompile(`^fuzz: elapsed: .*, execs: (\d+) `)

// read returns how often a target ran, and the rest of its output.
func read(out []byte) (executions int64, said []string) {
	for line := range strings.Lines(string(out)) {
		line = strings.TrimRight(line, "\n")
		if m := count.FindStringSubmatch(line); m != nil {
			executions, _ = strconv.ParseInt(m[1], 10, 64)
		} else if line != "" && !strings.HasPrefix(line, "fuzz: elapsed:") && !strings.HasPrefix(line, "warning: ") {
			said = append(said, line)
		}
	}
	return executions, said
}

// isDeadline reports whether a run failed only because its time was over, which the fuzzer may report as an error
// before Go 1.27 (go.dev/issue/75804).
func isDeadline(said []string) bool {
	return len(said) == 3 && strings.HasPrefix(said[0], "--- FAIL: ") &&
		strings.TrimSpace(said[1]) == context.DeadlineExceeded.Error() && said[2] == "FAIL"
}

func (s *session) print(format string, args ...any) { fmt.Fprintf(s.stdout, format+"\n", args...) }

// goCommand runs the go command and returns its output.
func goCommand(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "go", args...).Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("go %s: %w\n%s", args[0], err, exit.Stderr)
	}
	return string(out), err
}

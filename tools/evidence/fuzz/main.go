// Command fuzz runs the fuzz targets of all modules, one after another; "go test -fuzz" runs only one target.
//
//	go run ./tools/evidence/fuzz -time 1m                      each for a minute
//	go run ./tools/evidence/fuzz -time 1000x -guided=false     in CI, where compiling has to be quick
//	go run ./tools/evidence/fuzz -run 'DER$' ./ecdsa           some targets
//	go run ./tools/evidence/fuzz -seeds                        keeps short inputs that the fuzzer found
//	go run ./tools/evidence/fuzz -time 1h -others 10m -resume FILE
//
// The last command gives each target that reads hostile bytes an hour, and each other target ten minutes. FILE records
// the time for which each target has run, so the same command continues after Ctrl-C. Each version of Go has a separate
// record, because the compiler and the fuzzer determine what is found. A record continues across commits, because
// inputs found before a commit run again after it. Another file starts a new record.
//
// The folder ossfuzz is a project for OSS-Fuzz, which would run the same targets continuously.
//
// The fuzzer keeps interesting inputs in the cache of the go command, as "go test -fuzz" does, so each run continues
// the earlier runs. An input that fails is written to testdata/fuzz of its package, and the remaining targets still
// run.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"p256k1.mleku.dev/v2/tools/internal/must"
)

func main() {
	must.Main("fuzz", func(ctx context.Context) error { return run(ctx, os.Args[1:], os.Stdout, os.Stderr) })
}

// A session is one run of the command.
type session struct {
	time     string // a value of -fuzztime
	others   string // the same for the targets in ownInput, or ""
	parallel int
	guided   bool
	resume   string // the file that stores had, or ""
	stdout   io.Writer
	scratch  string // a folder for temporary files

	had map[string]spent // by version of Go and target

	targets, done, failures int
	full                    int // with resume, the number of targets that have run for all of their time
	executions              int64
}

// spent is the time for which a target has run, without runs that failed.
type spent struct {
	Time       time.Duration // in JSON nanoseconds
	Executions int64
}

// ownInput lists the targets whose input an attacker does not choose: numbers, or texts that a program signs or encodes
// itself. All other targets parse, verify or check hostile bytes.
var ownInput = []string{
	"curve.FuzzExpandMessageXMD", "curve.FuzzMultiply", "ecdh.FuzzECDH", "ecdsa.FuzzSign", "nip19.FuzzEncode", "schnorr.FuzzSign",
	"schnorr.FuzzTaggedHash", "signer.FuzzSigner", "swift.FuzzElligatorSwift", "v2.FuzzTweak", "verify.FuzzSums",
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	defer must.Recover(&err)
	s := session{stdout: stdout}
	f := flag.NewFlagSet("fuzz", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&s.time, "time", "5s", "time or number of runs of each target, such as 1m or 1000x")
	f.StringVar(&s.others, "others", "", "time or number of runs of targets that read no hostile bytes (default: that of -time)")
	f.StringVar(&s.resume, "resume", "", "a `file` that keeps the time for which each target has run, so that targets run for the rest of -time or -others")
	f.IntVar(&s.parallel, "parallel", runtime.GOMAXPROCS(0), "number of processes that run a target")
	f.BoolVar(&s.guided, "guided", true, "instrument the code, to find inputs that reach new code; without it, compiling is faster")
	names := f.Bool("list", false, "print the package, the function and the name of each target, and run none")
	seeds := f.Bool("seeds", false, "add inputs of earlier runs to testdata/fuzz, if they reach code that no seed reaches")
	match := f.String("run", "", "only targets for which the `regexp` matches a part of package.Name")
	must.Do(f.Parse(args))
	name := must.Get(regexp.Compile(*match))
	if s.resume != "" {
		s.load()
	}
	s.scratch = must.Get(os.MkdirTemp("", "fuzz"))
	defer os.RemoveAll(s.scratch)
	if packages := list(ctx, f.Args(), name); *seeds {
		s.addSeeds(ctx, packages)
	} else if *names {
		for _, p := range packages {
			for _, t := range p.targets {
				s.print("%s %s %s", p.path, t.function, t.name)
			}
		}
	} else {
		s.fuzzAll(ctx, packages)
	}
	must.Do(ctx.Err())
	if s.failures > 0 {
		return fmt.Errorf("%d failures", s.failures)
	}
	return nil
}

var fuzzTarget = regexp.MustCompile(`(?m)^func (Fuzz(?:[^a-z(]\w*)?)\(`)

// fuzzed is a package with fuzz targets.
type fuzzed struct {
	path, dir string
	corpora   string // where the fuzzer keeps interesting inputs
	targets   []target
}

// A target is a fuzz target.
type target struct {
	function string
	name     string // for messages
	key      string // the key of session.had
}

// list returns the packages that have targets with matching names on this platform, together with these targets.
func list(ctx context.Context, packages []string, name *regexp.Regexp) (all []*fuzzed) {
	if len(packages) == 0 {
		packages = []string{"p256k1.mleku.dev/v2/..."}
	}
	const format = "{{.ImportPath}}|{{.Dir}}{{range .TestGoFiles}}|{{.}}{{end}}{{range .XTestGoFiles}}|{{.}}{{end}}"
	lines := must.Get(goCommand(ctx, append([]string{"list", "-f", format, "--"}, packages...)...))
	env := must.Get(goCommand(ctx, "env", "GOCACHE", "GOVERSION"))
	cache, version, _ := strings.Cut(strings.TrimSpace(env), "\n")
	for line := range strings.Lines(lines) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		p := fuzzed{path: fields[0], dir: fields[1], corpora: filepath.Join(cache, "fuzz", fields[0])}
		for _, file := range fields[2:] {
			text := must.Get(os.ReadFile(filepath.Join(p.dir, file)))
			for _, m := range fuzzTarget.FindAllSubmatch(text, -1) {
				function := "." + string(m[1])
				t := target{function[1:], path.Base(p.path) + function, version + " " + p.path + function}
				if name.MatchString(t.name) {
					p.targets = append(p.targets, t)
				}
			}
		}
		if len(p.targets) > 0 {
			all = append(all, &p)
		}
	}
	if len(all) == 0 {
		must.Do(fmt.Errorf("no fuzz targets in %q that match %q", packages, name))
	}
	return all
}

// fuzzAll runs the targets, beginning with the targets that read hostile bytes.
func (s *session) fuzzAll(ctx context.Context, packages []*fuzzed) {
	start := time.Now()
	for _, own := range []bool{false, true} {
		for _, p := range packages {
			s.fuzzPackage(ctx, p, own)
		}
	}
	each := s.time
	if s.others != "" {
		each += " or " + s.others
	}
	if s.resume != "" {
		s.print("result: fuzz: %d of %d targets have had %s in all runs", s.full, s.targets, each)
	}
	s.print("result: fuzz: %d of %d targets, %s each, %v, %d executions, %d failures",
		s.done, s.targets, each, time.Since(start).Round(time.Second), s.executions, s.failures)
}

// fuzzPackage runs the targets of a package that have not yet run for their time: the targets in ownInput, or the
// others. If the package does not compile, all its targets have failed.
func (s *session) fuzzPackage(ctx context.Context, p *fuzzed, own bool) {
	var rest []target
	for _, t := range p.targets {
		if slices.Contains(ownInput, t.name) != own {
			continue
		}
		s.targets++
		if s.resume != "" && s.left(t) <= 0 {
			s.row(t, s.had[t.key])
		} else {
			rest = append(rest, t)
		}
	}
	if len(rest) == 0 {
		return
	}
	binary := filepath.Join(s.scratch, "test")
	args := []string{"test", "-c", "-o", binary}
	if s.guided {
		args = append(args, "-fuzz=.") // any pattern that compiles the package for fuzzing
	}
	if _, err := goCommand(ctx, append(args, p.path)...); err != nil && ctx.Err() == nil {
		s.failures += len(rest)
		s.print("result: fuzz: %s FAILED: %v", p.path, err)
		return
	}
	for _, t := range rest {
		if ctx.Err() == nil {
			s.fuzz(ctx, p, t, binary)
		} else if s.resume != "" {
			s.row(t, s.had[t.key])
		}
	}
}

// budget returns the time or the number of runs of a target.
func (s *session) budget(t target) string {
	if slices.Contains(ownInput, t.name) {
		return cmp.Or(s.others, s.time)
	}
	return s.time
}

// left returns the time that remains for a target.
func (s *session) left(t target) time.Duration {
	d, _ := time.ParseDuration(s.budget(t)) // load has checked it
	return d - s.had[t.key].Time
}

// load reads the file that stores had, which need not exist.
func (s *session) load() {
	for _, d := range []string{s.time, cmp.Or(s.others, s.time)} {
		must.Get(time.ParseDuration(d))
	}
	s.had = make(map[string]spent)
	text, err := os.ReadFile(s.resume)
	if !errors.Is(err, os.ErrNotExist) {
		must.Do(err)
		must.Do(json.Unmarshal(text, &s.had))
	}
}

// add adds a run of a target to had, and writes the file.
func (s *session) add(t target, run spent) {
	had := s.had[t.key]
	s.had[t.key] = spent{had.Time + run.Time, had.Executions + run.Executions}
	text := must.Get(json.MarshalIndent(s.had, "", "\t"))
	must.Do(os.WriteFile(s.resume+".new", append(text, '\n'), 0o666))
	must.Do(os.Rename(s.resume+".new", s.resume)) // replaces the old file when the new one is complete
}

// row prints a row of the table: the time and the executions of a target, or with -resume their sums over all runs.
func (s *session) row(t target, total spent) {
	if s.resume != "" && s.left(t) <= 0 {
		s.full++
	}
	s.print("%-40s %8v %12d executions", t.name, total.Time.Round(100*time.Millisecond), total.Executions)
}

// fuzz runs one target.
func (s *session) fuzz(ctx context.Context, p *fuzzed, t target, binary string) {
	fuzztime := s.budget(t)
	if s.resume != "" {
		fuzztime = s.left(t).String()
	}
	// By default, the fuzzer spends up to a minute on shortening an input, without counting executions.
	cmd := exec.CommandContext(ctx, binary, "-test.run=^$", "-test.fuzz=^"+t.function+"$", "-test.fuzztime="+fuzztime,
		"-test.fuzzminimizetime=100x", "-test.fuzzcachedir="+p.corpora, "-test.parallel="+strconv.Itoa(s.parallel))
	cmd.Dir = p.dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // so that the fuzzer writes a failing input
	cmd.WaitDelay = 20 * time.Second
	start := time.Now()
	out, err := cmd.CombinedOutput()
	executions, said := read(out)
	run := spent{time.Since(start), executions}
	s.executions += run.Executions
	s.done++
	stopped := ctx.Err() != nil && err != nil && !bytes.Contains(out, []byte("Failing input")) // stopped without a failing input, for example at the start
	inTime := err == nil || isDeadline(said)
	// If little of a target's time is left, the inputs of earlier runs may take all of it. So earlier executions count,
	// too.
	good := inTime && run.Executions+s.had[t.key].Executions > 0
	if s.resume != "" {
		if stopped || good {
			s.add(t, run)
		}
		run = s.had[t.key]
	}
	s.row(t, run)
	if stopped || good {
		return
	}
	if inTime {
		said = []string{"its seeds took all of the time"}
	}
	s.failures++
	s.print("result: fuzz: %s FAILED\n%s", t.name, strings.Join(said, "\n"))
}

var count = regexp.MustCompile(`^fuzz: elapsed: .*, execs: (\d+) `)

// read returns the number of executions of a target, and the rest of its output.
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
	return must.Output(exec.CommandContext(ctx, "go", args...))
}

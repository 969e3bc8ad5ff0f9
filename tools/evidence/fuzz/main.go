// Command fuzz runs the fuzz targets of all modules, one after another; "go test -fuzz" runs only one target.
//
//	go run ./tools/evidence/fuzz -time 1m                      each for a minute
//	go run ./tools/evidence/fuzz -time 1000x -guided=false     in CI, where compiling has to be quick
//	go run ./tools/evidence/fuzz -run 'DER$' ./ecdsa           some targets
//	go run ./tools/evidence/fuzz -planted                      shows that the targets find errors
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
	"os/signal"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
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

	done, failures int
	full           int // with resume, the number of targets that have run for all of their time
	executions     int64
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

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	s := session{stdout: stdout}
	f := flag.NewFlagSet("fuzz", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&s.time, "time", "5s", "time or number of runs of each target, such as 1m or 1000x")
	f.StringVar(&s.others, "others", "", "time or number of runs of targets that read no hostile bytes (default: that of -time)")
	f.StringVar(&s.resume, "resume", "", "a `file` that keeps the time for which each target has run, so that targets run for the rest of -time or -others")
	f.IntVar(&s.parallel, "parallel", runtime.GOMAXPROCS(0), "number of processes that run a target")
	f.BoolVar(&s.guided, "guided", true, "instrument the code, to find inputs that reach new code; without it, compiling is faster")
	planted := f.Bool("planted", false, "plant errors in the library, and check that the seeds of the targets find them")
	names := f.Bool("list", false, "print the package, the function and the name of each target, and run none")
	seeds := f.Bool("seeds", false, "add inputs of earlier runs to testdata/fuzz, if they reach code that no seed reaches")
	match := f.String("run", "", "only targets for which the `regexp` matches a part of package.Name")
	if err := f.Parse(args); err != nil {
		return err
	}
	name, err := regexp.Compile(*match)
	if err != nil {
		return err
	}
	if s.resume != "" {
		if err := s.load(); err != nil {
			return err
		}
	}
	if s.scratch, err = os.MkdirTemp("", "fuzz"); err != nil {
		return err
	}
	defer os.RemoveAll(s.scratch)
	if *planted {
		err = s.findPlants(ctx)
	} else if packages, failed := list(ctx, f.Args(), name); failed != nil {
		err = failed
	} else if *names {
		for _, p := range packages {
			for _, target := range p.targets {
				s.print("%s %s %s", p.path, target, p.name(target))
			}
		}
	} else if *seeds {
		err = s.addSeeds(ctx, packages)
	} else {
		err = s.fuzzAll(ctx, packages)
	}
	if err == nil && s.failures > 0 {
		err = fmt.Errorf("%d failures", s.failures)
	}
	return err
}

var fuzzTarget = regexp.MustCompile(`(?m)^func (Fuzz(?:[^a-z(]\w*)?)\(`)

// fuzzed is a package with fuzz targets.
type fuzzed struct {
	path, dir string
	corpora   string // where the fuzzer keeps interesting inputs
	key       string // the key of session.had, without the name of the target
	targets   []string
}

// list returns the packages that have targets with matching names on this platform, together with these targets.
func list(ctx context.Context, packages []string, name *regexp.Regexp) (all []*fuzzed, err error) {
	if len(packages) == 0 {
		packages = []string{"p256k1.mleku.dev/v2/..."}
	}
	const format = "{{.ImportPath}}|{{.Dir}}{{range .TestGoFiles}}|{{.}}{{end}}{{range .XTestGoFiles}}|{{.}}{{end}}"
	lines, err := goCommand(ctx, append([]string{"list", "-f", format, "--"}, packages...)...)
	if err != nil {
		return nil, err
	}
	env, err := goCommand(ctx, "env", "GOCACHE", "GOVERSION")
	if err != nil {
		return nil, err
	}
	cache, version, _ := strings.Cut(strings.TrimSpace(env), "\n")
	for line := range strings.Lines(lines) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		p := fuzzed{path: fields[0], dir: fields[1], corpora: filepath.Join(cache, "fuzz", fields[0]), key: version + " " + fields[0] + "."}
		for _, file := range fields[2:] {
			text, err := os.ReadFile(filepath.Join(p.dir, file))
			if err != nil {
				return nil, err
			}
			for _, m := range fuzzTarget.FindAllSubmatch(text, -1) {
				if target := string(m[1]); name.MatchString(p.name(target)) {
					p.targets = append(p.targets, target)
				}
			}
		}
		if len(p.targets) > 0 {
			all = append(all, &p)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no fuzz targets in %q that match %q", packages, name)
	}
	return all, nil
}

// fuzzAll runs the targets, beginning with the targets that read hostile bytes.
func (s *session) fuzzAll(ctx context.Context, packages []*fuzzed) error {
	start, targets := time.Now(), 0
	for _, own := range []bool{false, true} {
		budget := s.time
		if own {
			budget = cmp.Or(s.others, budget)
		}
		for _, p := range packages {
			some := *p
			some.targets = slices.DeleteFunc(slices.Clone(p.targets), func(target string) bool {
				return slices.Contains(ownInput, p.name(target)) != own
			})
			targets += len(some.targets)
			s.fuzzPackage(ctx, &some, budget)
		}
	}
	each := s.time
	if s.others != "" {
		each += " or " + s.others
	}
	if s.resume != "" {
		s.print("result: fuzz: %d of %d targets have had %s in all runs", s.full, targets, each)
	}
	s.print("result: fuzz: %d of %d targets, %s each, %v, %d executions, %d failures",
		s.done, targets, each, time.Since(start).Round(time.Second), s.executions, s.failures)
	return ctx.Err()
}

// name returns the name of a target for messages.
func (p *fuzzed) name(target string) string { return path.Base(p.path) + "." + target }

// fuzzPackage runs the targets of a package that have not yet run for their time. If the package does not compile, all
// its targets have failed.
func (s *session) fuzzPackage(ctx context.Context, p *fuzzed, budget string) {
	p.targets = slices.DeleteFunc(p.targets, func(target string) bool {
		done := ctx.Err() != nil || (s.resume != "" && s.left(p, target, budget) <= 0)
		if done && s.resume != "" {
			s.row(p, target, budget, s.had[p.key+target])
		}
		return done
	})
	if len(p.targets) == 0 {
		return
	}
	binary := filepath.Join(s.scratch, "test")
	args := []string{"test", "-c", "-o", binary}
	if s.guided {
		args = append(args, "-fuzz=.") // any pattern that compiles the package for fuzzing
	}
	if _, err := goCommand(ctx, append(args, p.path)...); err != nil && ctx.Err() == nil {
		s.failures += len(p.targets)
		s.print("result: fuzz: %s FAILED: %v", p.path, err)
	} else if err == nil {
		for _, target := range p.targets {
			s.fuzz(ctx, p, target, binary, budget)
		}
	}
}

// left returns the part of the budget that remains for a target.
func (s *session) left(p *fuzzed, target, budget string) time.Duration {
	d, _ := time.ParseDuration(budget) // load has checked it
	return d - s.had[p.key+target].Time
}

// load reads the file that stores had, which need not exist.
func (s *session) load() error {
	for _, d := range []string{s.time, cmp.Or(s.others, s.time)} {
		if _, err := time.ParseDuration(d); err != nil {
			return err
		}
	}
	s.had = make(map[string]spent)
	text, err := os.ReadFile(s.resume)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	return json.Unmarshal(text, &s.had)
}

// add adds a run of a target to had, and writes the file.
func (s *session) add(p *fuzzed, target string, run spent) error {
	had := s.had[p.key+target]
	s.had[p.key+target] = spent{had.Time + run.Time, had.Executions + run.Executions}
	text, err := json.MarshalIndent(s.had, "", "\t")
	if err != nil {
		return err
	}
	if err := os.WriteFile(s.resume+".new", append(text, '\n'), 0o666); err != nil { // a rename replaces the old file when the new one is complete
		return err
	}
	return os.Rename(s.resume+".new", s.resume)
}

// row prints a row of the table: the time and the executions of a target, or with -resume their sums over all runs.
func (s *session) row(p *fuzzed, target, budget string, total spent) {
	if s.resume != "" && s.left(p, target, budget) <= 0 {
		s.full++
	}
	s.print("%-40s %8v %12d executions", p.name(target), total.Time.Round(100*time.Millisecond), total.Executions)
}

// fuzz runs one target.
func (s *session) fuzz(ctx context.Context, p *fuzzed, target, binary, budget string) {
	if ctx.Err() != nil {
		if s.resume != "" {
			s.row(p, target, budget, s.had[p.key+target])
		}
		return
	}
	fuzztime := budget
	if s.resume != "" {
		fuzztime = s.left(p, target, budget).String()
	}
	// By default, the fuzzer spends up to a minute on shortening an input, without counting executions.
	cmd := exec.CommandContext(ctx, binary, "-test.run=^$", "-test.fuzz=^"+target+"$", "-test.fuzztime="+fuzztime,
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
	// If little of a target's time is left, the inputs of earlier runs may take all of it. So earlier executions count,
	// too.
	good := run.Executions+s.had[p.key+target].Executions > 0 && (err == nil || isDeadline(said))
	total := run
	if s.resume != "" {
		if stopped || good {
			if err := s.add(p, target, run); err != nil {
				s.failures++
				s.print("result: fuzz: %v", err)
			}
		}
		total = s.had[p.key+target]
	}
	s.row(p, target, budget, total)
	if stopped || good {
		return
	}
	if err == nil || isDeadline(said) {
		said = []string{"its seeds took all of the time"}
	}
	s.failures++
	s.print("result: fuzz: %s FAILED\n%s", p.name(target), strings.Join(said, "\n"))
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
	out, err := exec.CommandContext(ctx, "go", args...).Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("go %s: %w\n%s", args[0], err, exit.Stderr)
	}
	return string(out), err
}

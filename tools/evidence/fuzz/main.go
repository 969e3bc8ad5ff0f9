// Command fuzz runs the fuzz targets of all modules, one after another.
//
//	go run ./tools/evidence/fuzz -time 1m                      each for a minute
//	go run ./tools/evidence/fuzz -total 1h                     each until it has had an hour in all runs
//	go run ./tools/evidence/fuzz -time 1000x -guided=false     in CI, where compiling has to be quick
//	go run ./tools/evidence/fuzz -run 'DER$' ./ecdsa           some of them
//	go run ./tools/evidence/fuzz -planted                      shows that they find errors
//
// It keeps what the fuzzer finds interesting where "go test -fuzz" does, in the
// cache of the go command, so that each run goes on from those before. An input
// that fails is in testdata/fuzz of its package; the targets after it still have
// their time. How long each target has run is in the file that -record names.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"p256k1.mleku.dev/v2/tools/internal/progress"
)

// What the program returns to the shell.
const (
	statusGood        = 0
	statusBad         = 1
	statusUsage       = 2
	statusInterrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// options are what the flags say.
type options struct {
	time     string // a value of -fuzztime
	total    time.Duration
	match    *regexp.Regexp
	list     bool
	planted  bool
	guided   bool
	record   string
	patterns []string
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	f := flag.NewFlagSet("fuzz", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() {
		fmt.Fprint(stderr, "usage: go run ./tools/evidence/fuzz [flags] [packages]\n")
		f.PrintDefaults()
	}
	f.StringVar(&o.time, "time", "5s", "how long each target runs, or how often: 1000x")
	f.DurationVar(&o.total, "total", 0, "run each target until it has had so long in all runs of this build, instead of -time")
	f.BoolVar(&o.list, "list", false, "print the targets")
	f.BoolVar(&o.planted, "planted", false, "plant errors in the library, and see whether the seeds of the targets find them")
	f.BoolVar(&o.guided, "guided", true, "count what is executed, to find inputs that reach something new; false compiles sooner and keeps no record")
	f.StringVar(&o.record, "record", "", "`file` with what was done in all runs (default p256k1/fuzz.json in the user's cache directory)")
	match := f.String("run", "", "only targets of which the `regexp` matches a part of package.Name")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if !isTime(o.time) {
		return o, fmt.Errorf("-time is %q, want a duration, such as 5s, or a number of executions, such as 1000x", o.time)
	}
	if o.total < 0 || o.total > 0 && !o.guided {
		return o, errors.New("-total wants a duration, and is not for -guided=false, of which there is no record")
	}
	if o.match, err = regexp.Compile(*match); err != nil {
		return o, err
	}
	if o.record == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return o, err
		}
		o.record = filepath.Join(cache, "p256k1", "fuzz.json")
	}
	o.patterns = f.Args()
	if len(o.patterns) == 0 {
		o.patterns = []string{"p256k1.mleku.dev/v2/..."}
	}
	return o, nil
}

// isTime tells whether s is what -fuzztime takes.
func isTime(s string) bool {
	if n, ok := strings.CutSuffix(s, "x"); ok {
		i, err := strconv.Atoi(n)
		return err == nil && i > 0
	}
	d, err := time.ParseDuration(s)
	return err == nil && d > 0
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return statusGood
	} else if err != nil {
		fmt.Fprintln(stderr, "fuzz:", err)
		return statusUsage
	}
	s := session{options: o, stdout: stdout, line: progress.On(stderr)}
	err = s.run(ctx)
	s.line.Show("")
	switch {
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "fuzz: interrupted; the same command goes on with the inputs found so far")
		return statusInterrupted
	case err != nil:
		fmt.Fprintln(stderr, "fuzz:", err)
		return statusBad
	case s.failures > 0:
		return statusBad
	}
	return statusGood
}

// A session is one run of the program.
type session struct {
	options
	stdout io.Writer
	line   progress.Line
	record record

	targets, done, failures int
	executions, found       int64
	took                    time.Duration
	least                   *history // that of the target with the least time of this build
	leastName               string
	everything              int64 // executions of this build in all runs
}

func (s *session) run(ctx context.Context) error {
	if s.planted {
		return s.findPlants(ctx)
	}
	packages, err := find(ctx, s.patterns)
	if err != nil {
		return err
	}
	for i := range packages {
		p := &packages[i]
		var kept []string
		for _, target := range p.targets {
			if s.match.MatchString(p.short() + "." + target) {
				kept = append(kept, target)
			}
		}
		p.targets = kept
		s.targets += len(kept)
	}
	if s.targets == 0 {
		return fmt.Errorf("no fuzz targets in %s that match %q", strings.Join(s.patterns, " "), s.match)
	}
	if s.list {
		for _, p := range packages {
			for _, target := range p.targets {
				fmt.Fprintf(s.stdout, "%s.%s\n", p.short(), target)
			}
		}
		return nil
	}

	if s.record, err = load(s.options.record); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "fuzz")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	cache, err := exec.CommandContext(ctx, "go", "env", "GOCACHE").Output()
	if err != nil {
		return fmt.Errorf("go env GOCACHE: %w", err)
	}
	for _, p := range packages {
		if len(p.targets) == 0 || ctx.Err() != nil {
			continue
		}
		corpora := filepath.Join(strings.TrimSpace(string(cache)), "fuzz", filepath.FromSlash(p.ImportPath))
		if err := s.fuzzPackage(ctx, &p, filepath.Join(scratch, "test"), corpora); err != nil {
			return err
		}
	}
	s.report()
	return nil
}

// fuzzPackage runs the targets of a package. A package that does not compile is
// a failure of all its targets.
func (s *session) fuzzPackage(ctx context.Context, p *fuzzed, binary, corpora string) error {
	s.line.Show("building %s", p.short())
	if err := p.build(ctx, binary, s.guided); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		s.failures += len(p.targets)
		s.print("%s: %v", p.short(), err)
		s.print("result: fuzz: %s does not compile", p.short())
		return nil
	}
	build, err := hash(binary)
	if err != nil {
		return err
	}
	for _, target := range p.targets {
		if ctx.Err() != nil {
			return nil
		}
		name := p.short() + "." + target
		h := s.record.of(p.ImportPath+"."+target, build)
		d := s.time
		if s.total > 0 {
			d = (s.total - h.Took).String()
		}
		if s.total == 0 || h.Took < s.total {
			o, err := fuzz(ctx, binary, p.Dir, corpora, target, d, func(line string) {
				s.line.Show("%d of %d: %s: %s", s.done+1, s.targets, name, strings.TrimPrefix(line, "fuzz: "))
			})
			if err != nil {
				return err
			}
			h.add(o)
			s.add(p, name, o)
			if s.guided {
				if err := s.record.save(s.options.record); err != nil {
					return err
				}
			}
		}
		s.done++
		s.everything += h.Executions
		if s.least == nil || h.Took < s.least.Took {
			s.least, s.leastName = h, name
		}
	}
	return nil
}

// add counts an outcome, and prints what failed.
func (s *session) add(p *fuzzed, name string, o outcome) {
	s.executions += o.executions
	s.found += o.found
	s.took += o.took
	s.print("%-40s %8s %12d executions %6d new inputs", name, round(o.took), o.executions, o.found)
	if !o.failed {
		return
	}
	s.failures++
	for _, line := range o.said {
		s.print("%s", line)
	}
	what := "without an input"
	switch {
	case o.input != "":
		what = relative(filepath.Join(p.Dir, o.input))
	case o.again != "":
		what = "seed " + o.again
	}
	if o.again != "" {
		what += fmt.Sprintf("; repeat with: go test -run '^%s$' %s", strings.ReplaceAll(o.again, "/", "$/^"), p.ImportPath)
	}
	s.print("result: fuzz: %s FAILED: %s", name, what)
}

func (s *session) report() {
	s.print("result: fuzz: %d of %d targets, %s, %d executions, %d new inputs, %d failures",
		s.done, s.targets, round(s.took), s.executions, s.found, s.failures)
	if s.least != nil && s.guided {
		s.print("result: fuzz, all runs of this build: each target %s or more (the least: %s), %d executions", round(s.least.Took), s.leastName, s.everything)
	}
}

// print prints a line in the place of that which shows the progress.
func (s *session) print(format string, args ...any) {
	s.line.Show("")
	fmt.Fprintf(s.stdout, format+"\n", args...)
}

// short returns the last part of the import path.
func (p *fuzzed) short() string {
	return p.ImportPath[strings.LastIndexByte(p.ImportPath, '/')+1:]
}

// relative returns the path as seen from here, if that is shorter.
func relative(path string) string {
	if here, err := os.Getwd(); err == nil {
		if r, err := filepath.Rel(here, path); err == nil && len(r) < len(path) {
			return r
		}
	}
	return path
}

func round(d time.Duration) time.Duration {
	return d.Round(100 * time.Millisecond)
}

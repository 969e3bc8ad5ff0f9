// Command backends compares every primitive of the library between all ways to run it,
// and with math/big. The ways are the assembly, its twins in Go (GODEBUG=cpu.adx=off),
// the library built without assembly (-tags purego) and, if asked for, built for a
// 32-bit processor.
//
//	go run ./tools/evidence/differential/backends -cases 100000
//
// Each way is a process of its own. All get the same inputs, most of which are at the
// edges of limbs and moduli. Some arguments and receivers are the same variable, and
// some receivers are dirty. For each chunk of cases a process returns a digest of
// inputs and results. If digests differ, the first case that does is shown.
//
// Results are compared as limbs where the formulas are the same, as residues where they
// are evaluated in different orders, and as points where coordinates differ by a
// denominator. The table that is printed says which, and on how many cases. It also says
// how many of these were computed with math/big. Others were left out of that because
// the result is undefined there: equal points in an addition that is not for them.
//
// -cases is for each of the slowest operations, rounded up to a chunk. Quicker ones get
// 4 or 16 times as many. Another -seed makes other cases. Under CI=true a processor
// without the assembly is an error.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/tools/internal/progress"
)

// casesEnv is the environment variable that sets the number of cases.
const casesEnv = "P256K1_CASES"

func main() {
	if seed, is := os.LookupEnv(childEnv); is {
		if err := serve(seed); err != nil {
			fmt.Fprintln(os.Stderr, "backends:", err)
			os.Exit(1)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := command(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "backends:", err)
		}
		os.Exit(1)
	}
}

func command(ctx context.Context, args []string, stdout io.Writer, stderr *os.File) error {
	flags := flag.NewFlagSet("backends", flag.ContinueOnError)
	flags.SetOutput(stderr)
	cases := flags.Int("cases", 20_000, "cases of each of the slowest operations, or $"+casesEnv)
	seed := flags.String("seed", "p256k1", "any text, or $"+oracle.SeedEnv)
	only := flags.String("only", "", "only operations whose name matches this `regexp`")
	with386 := flags.Bool("386", false, "also compare a build for 32-bit x86")
	if s := os.Getenv(casesEnv); s != "" {
		if err := flags.Set("cases", s); err != nil {
			return fmt.Errorf("$%s=%q is not a number of cases", casesEnv, s)
		}
	}
	if s := os.Getenv(oracle.SeedEnv); s != "" {
		*seed = s
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("-only %q: %w", *only, err)
	}
	ops := slices.DeleteFunc(operations(newPool(*seed)), func(op *operation) bool { return !pattern.MatchString(op.name) })
	switch {
	case flags.NArg() > 0:
		return fmt.Errorf("unknown argument %q", flags.Arg(0))
	case *cases < 1:
		return fmt.Errorf("-cases %d: there must be at least one", *cases)
	case len(ops) == 0:
		return fmt.Errorf("-only %q: no operation has such a name", *only)
	case platform.Name() == platform.Portable && os.Getenv("CI") == "true":
		return errors.New("this processor lacks BMI2, ADX or AVX2, or was told to: the assembly goes untested")
	case platform.Name() == platform.Portable:
		fmt.Fprintln(stderr, "backends: THE ASSEMBLY IS NOT COMPARED: this processor lacks BMI2, ADX or AVX2, or was told to")
	}
	r := newComparison(*seed, ops, builds(*with386), (*cases+chunkCases-1)/chunkCases)
	err = r.run(ctx, stderr)
	r.report(stdout, err)
	return err
}

// A comparison is a run of this program.
type comparison struct {
	seed       string
	operations []*operation
	builds     []*build
	chunks     int // of each operation
	start      time.Time
	bar        *progress.Bar

	mu     sync.Mutex
	done   map[string]tally // by operation
	failed map[string]error
	ended  int // chunks of all operations
}

func newComparison(seed string, ops []*operation, builds []*build, chunks int) *comparison {
	return &comparison{
		seed: seed, operations: ops, builds: builds, chunks: chunks, start: time.Now(),
		done: map[string]tally{}, failed: map[string]error{},
	}
}

var errInterrupted = errors.New("interrupted")

// run compares chunk after chunk: each worker has one process of each backend, of which one runs at a time. An operation that
// fails once is left out from then on.
func (r *comparison) run(ctx context.Context, stderr io.Writer) error {
	dir, err := os.MkdirTemp("", "backends")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	workers := make([][]side, runtime.GOMAXPROCS(0))
	for _, b := range r.builds {
		program, err := b.program(ctx, dir)
		if err != nil {
			return err
		}
		for i := range workers {
			s, err := b.start(program, r.seed)
			if err != nil {
				return err
			}
			defer s.stop()
			workers[i] = append(workers[i], s)
		}
	}

	r.bar = progress.Start(stderr, "")
	defer r.bar.Stop()
	type chunk struct {
		op     *operation
		number int
	}
	todo := make(chan chunk)
	var wg sync.WaitGroup
	for _, sides := range workers {
		wg.Go(func() {
			for c := range todo {
				n, err := compare(c.op, c.number, sides)
				r.record(c.op, n, err)
			}
		})
	}
	for i := range r.chunks {
		for _, op := range r.operations {
			if ctx.Err() == nil && !r.hasFailed(op) {
				todo <- chunk{op, i}
			}
		}
	}
	close(todo)
	wg.Wait()
	var failures []error
	for _, op := range r.operations {
		failures = append(failures, r.failed[op.name])
	}
	if err := errors.Join(failures...); err != nil || ctx.Err() == nil {
		return err
	}
	return errInterrupted
}

func (r *comparison) hasFailed(op *operation) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed[op.name] != nil
}

func (r *comparison) record(op *operation, n tally, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended++
	r.bar.Set(r.ended, r.chunks*len(r.operations), op.name)
	if err != nil {
		r.failed[op.name] = err
	} else {
		r.done[op.name] = r.done[op.name].plus(n)
	}
}

// report prints what has been compared: a table, then the sums.
func (r *comparison) report(w io.Writer, err error) {
	const format = "%-42s %-9s %15s %15s %15s\n"
	fmt.Fprintf(w, format, "cases of", "equal in", "on each backend", "and math/big", "or undefined")
	var total tally
	for _, op := range r.operations {
		n := r.done[op.name]
		fmt.Fprintf(w, format, op.name, op.exact, progress.Grouped(n.Cases), progress.Grouped(n.Checked), progress.Grouped(n.Outside))
		total = total.plus(n)
	}
	var names []string
	for _, b := range r.builds {
		names = append(names, b.name)
	}
	end := "all equal"
	switch {
	case len(r.failed) > 0:
		end = fmt.Sprintf("%d PRIMITIVES DIFFER", len(r.failed))
	case err != nil:
		end = fmt.Sprintf("all equal, but NOT ALL WAS DONE (%v)", err)
	}
	fmt.Fprintf(w, "result: %d primitives, %s cases on each of %s; %s of these computed with math/big too; %s; seed %q, %s, %v\n",
		len(r.operations), progress.Grouped(total.Cases), strings.Join(names, ", "), progress.Grouped(total.Checked), end,
		r.seed, platform.Name(), time.Since(r.start).Round(time.Second))
}

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
// denominator. The table that is printed says which, and on how many cases each backend
// was compared. It also says how many of these were computed with math/big. Others were
// left out of that because the result is undefined there: equal points in an addition
// that is not for them. The 32-bit build takes part in one chunk of eight.
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
	"math"
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
	with386 := flags.Bool("386", false, "also compare a build for 32-bit x86, in one chunk of 8")
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
	r := newComparison(*seed, ops, builds(*with386), (*cases+chunkCases-1)/chunkCases, stderr)
	err = r.run(ctx)
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
	stderr     io.Writer
	line       progress.Line

	mu     sync.Mutex
	done   map[string]*count // by operation
	failed map[string]error
}

func newComparison(seed string, ops []*operation, builds []*build, chunks int, stderr io.Writer) *comparison {
	r := &comparison{
		seed: seed, operations: ops, builds: builds, chunks: chunks, start: time.Now(), stderr: stderr, line: progress.On(stderr),
		done: map[string]*count{}, failed: map[string]error{},
	}
	for _, op := range ops {
		r.done[op.name] = newCount()
	}
	return r
}

var errInterrupted = errors.New("interrupted")

// run compares chunk after chunk: each worker has one process of each backend, of which one runs at a time. An operation that
// fails once is left out from then on.
func (r *comparison) run(ctx context.Context) (err error) {
	dir, err := os.MkdirTemp("", "backends")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var workers [][]side
	defer func() {
		for _, sides := range workers {
			for _, s := range sides {
				s.runner.(*child).stop()
			}
		}
	}()
	for _, b := range r.builds {
		program, err := b.program(ctx, dir)
		if err != nil {
			return err
		}
		for i := range runtime.GOMAXPROCS(0) {
			c, err := b.start(program, r.seed)
			if err != nil {
				return err
			}
			if len(workers) <= i {
				workers = append(workers, nil)
			}
			workers[i] = append(workers[i], side{b, c})
		}
	}

	// A round is one chunk of each operation.
	for chunk := 0; chunk < r.chunks && ctx.Err() == nil; chunk++ {
		todo := make(chan *operation)
		var wg sync.WaitGroup
		for _, sides := range workers {
			wg.Go(func() {
				for op := range todo {
					n, err := compare(op, chunk, sides)
					r.record(op, n, err)
				}
			})
		}
		for _, op := range r.operations {
			if ctx.Err() == nil && !r.hasFailed(op) {
				todo <- op
			}
		}
		close(todo)
		wg.Wait()
	}
	r.line.Show("")
	var failures []error
	for _, op := range r.operations {
		if err := r.failed[op.name]; err != nil {
			failures = append(failures, err)
		}
	}
	if len(failures) == 0 && ctx.Err() != nil {
		return errInterrupted
	}
	return errors.Join(failures...)
}

func (r *comparison) hasFailed(op *operation) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed[op.name] != nil
}

func (r *comparison) record(op *operation, n *count, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.line.Show("")
		fmt.Fprintln(r.stderr, err)
		r.failed[op.name] = fmt.Errorf("%s failed", op.name)
		return
	}
	r.done[op.name].add(n)
	total := r.total()
	r.line.Show("%d%%: %s cases, %s with math/big, %v", 100*total.chunks/(len(r.operations)*r.chunks),
		progress.Grouped(total.most()), progress.Grouped(total.checked), time.Since(r.start).Round(time.Second))
}

// report prints what has been compared: a table, then the sums.
func (r *comparison) report(w io.Writer, err error) {
	total := r.total()
	if total.chunks == 0 {
		return
	}
	row := func(name, equal string, columns ...string) {
		fmt.Fprintf(w, "%-42s %-9s", name, equal)
		for i, column := range columns {
			fmt.Fprintf(w, " %*s", max(15, len(r.headings()[i])), column)
		}
		fmt.Fprintln(w)
	}
	row("cases of", "equal in", r.headings()...)
	fewest, failed := math.MaxInt, 0
	for _, op := range r.operations {
		n := r.done[op.name]
		var columns []string
		for _, b := range r.builds {
			columns = append(columns, progress.Grouped(n.cases[b.name]))
		}
		row(op.name, string(op.exact), append(columns, progress.Grouped(n.checked), progress.Grouped(n.outside))...)
		fewest = min(fewest, n.most())
		if r.failed[op.name] != nil {
			failed++
		}
	}
	var sums []string
	for _, b := range r.builds {
		sums = append(sums, progress.Grouped(total.cases[b.name])+" on "+b.name)
	}
	fmt.Fprintf(w, "result: %d primitives, at least %s cases of each: %s; %s of these computed with math/big too; ",
		len(r.operations), progress.Grouped(fewest), strings.Join(sums, ", "), progress.Grouped(total.checked))
	switch {
	case failed > 0:
		fmt.Fprintf(w, "%d PRIMITIVES DIFFER", failed)
	case err != nil:
		fmt.Fprintf(w, "all equal, but NOT ALL WAS DONE (%v)", err)
	default:
		fmt.Fprint(w, "all equal")
	}
	fmt.Fprintf(w, "; seed %q, %s, %v\n", r.seed, platform.Name(), time.Since(r.start).Round(time.Second))
}

// headings returns the names of the columns of numbers.
func (r *comparison) headings() (all []string) {
	for _, b := range r.builds {
		all = append(all, b.name)
	}
	return append(all, "and math/big", "or undefined")
}

// total returns the sum over the operations.
func (r *comparison) total() *count {
	sum := newCount()
	for _, n := range r.done {
		sum.add(n)
	}
	return sum
}

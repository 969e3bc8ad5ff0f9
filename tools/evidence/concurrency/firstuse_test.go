package concurrency

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/platform"
	"p256k1.mleku.dev/v2/tools/evidence/operations"
)

// raceDetector is "on" if this test is built with the race detector, and otherwise "off".
var raceDetector = map[string]string{"true": "on", "": "off"}[operations.Setting("-race")]

// childEnv is the environment variable that makes this program a child process. Its value is the number of the process.
const childEnv = "P256K1_FIRST_USE"

func TestMain(m *testing.M) {
	if which := os.Getenv(childEnv); which != "" {
		os.Exit(child(which))
	}
	os.Exit(m.Run())
}

// child draws operations, depending on the argument which, and runs all of them in each of several goroutines. The
// goroutines begin at the same time, with different operations. These operations are the first to use the tables that
// are built on first use, because the inputs are only bytes until an operation needs other values. Afterwards child
// compares the results of the goroutines with the results of a single goroutine and of the oracle.
func child(which string) (status int) {
	const goroutines = 12
	r := oracle.NewSeeded(os.Getenv(oracle.SeedEnv) + which)
	in := operations.New(operations.Draw(r, true))
	all := operations.All
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	all = all[:24]
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	results := make([]map[string]string, goroutines)
	for g := range goroutines {
		begin, out := r.IntN(len(all)), operations.NewOut()
		results[g] = make(map[string]string)
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			for i := range all {
				o := &all[(begin+i)%len(all)]
				results[g][o.Name] = do(o, in, out, false)
			}
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
	out := operations.NewOut()
	for i := range all {
		o := &all[i]
		want := do(o, in, out, true)
		for _, got := range results {
			if got[o.Name] != want || strings.HasPrefix(want, "wrong: ") {
				fmt.Fprintf(os.Stderr, "%s: %s\nwant\n%s", o.Name, got[o.Name], want)
				status = 1
				break
			}
		}
	}
	return status
}

// TestFirstUse starts processes in which several goroutines at once are the first to use the tables.
func TestFirstUse(t *testing.T) {
	processes, self := oracle.CasesOr(30), libtest.Must(os.Executable())
	var failures atomic.Int32
	var children errgroup.Group
	children.SetLimit(runtime.NumCPU())
	for i := range processes {
		children.Go(func() error {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, self)
			// At exit the race detector waits a second for other threads. atexit_sleep_ms=0 turns this wait off,
			// because the goroutines have done their work.
			cmd.Env = append(os.Environ(), fmt.Sprintf("%s=process %d", childEnv, i), "GOMAXPROCS=4", "GORACE=atexit_sleep_ms=0")
			if out, err := cmd.CombinedOutput(); err != nil && failures.Add(1) < 3 {
				t.Errorf("process %d: %v\n%s", i, err, out)
			}
			return nil
		})
	}
	children.Wait()
	t.Logf("result: %d processes whose first operations ran in 12 goroutines at once: %d with a race or a wrong result (race detector %s, backend %s)",
		processes, failures.Load(), raceDetector, platform.Name())
}

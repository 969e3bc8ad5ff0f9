package differential

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"p256k1.mleku.dev/internal/oracle"
)

// casesEnv is the environment variable that sets the number of cases of each operation.
const casesEnv = "P256K1_CASES"

const (
	defaultCases = 15_000
	shortCases   = 1_000
)

// cases returns the number of cases of each operation.
func cases(t testing.TB) int {
	t.Helper()
	if s := os.Getenv(casesEnv); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n <= 0 {
			t.Fatalf("%s=%q is not a number of cases", casesEnv, s)
		}
		return n
	}
	if testing.Short() {
		return shortCases
	}
	return defaultCases
}

// shards is the number of independent sequences of cases that each test is made of. It is fixed, so that the cases do not
// depend on the machine.
const shards = 64

// maxFailures is the number of failures after which a test gives up.
const maxFailures = 8

// A run is one sequence of cases. Its generator is that of the current case and those after it.
type run struct {
	*oracle.Rand
	t        *testing.T
	shard    int
	index    int
	failures *atomic.Int32
	kinds    map[string]int
	differ   map[*difference]int
}

// errorf reports a disagreement.
func (r *run) errorf(format string, args ...any) {
	r.failures.Add(1)
	r.t.Errorf("shard %d, case %d: %s", r.shard, r.index, fmt.Sprintf(format, args...))
}

// kind counts the case as one of a kind.
func (r *run) kind(name string) { r.kinds[name]++ }

// verdict counts the case as accepted or refused.
func (r *run) verdict(accepted bool) {
	if accepted {
		r.kind("accepted")
	} else {
		r.kind("refused")
	}
}

// expect notes an occurrence of a difference. The caller has checked that it is the one of the table.
func (r *run) expect(d *difference) { r.differ[d]++ }

// differential calls one with every case. Of each kind that is given there must be at least one case in a hundred, so that a
// test which only compares refusals fails.
func differential(t *testing.T, one func(r *run), kinds ...string) {
	t.Helper()
	n := cases(t)
	seed := os.Getenv(oracle.SeedEnv)
	if seed == "" {
		seed = "p256k1"
	}
	start := time.Now()
	var failures atomic.Int32
	runs := make([]*run, shards)
	next := make(chan *run)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for r := range next {
				r.cases(n/shards, one)
				if r.shard < n%shards {
					r.cases(1, one)
				}
			}
		})
	}
	for i := range runs {
		runs[i] = &run{
			Rand:  oracle.NewSeeded(fmt.Sprintf("%s\x00%s\x00%d", seed, t.Name(), i)),
			t:     t,
			shard: i, failures: &failures, kinds: map[string]int{}, differ: map[*difference]int{},
		}
		next <- runs[i]
	}
	close(next)
	wg.Wait()

	done, counts, differences := 0, map[string]int{}, map[string]int{}
	for _, r := range runs {
		done += r.index
		for kind, n := range r.kinds {
			counts[kind] += n
		}
		for d, n := range r.differ {
			differences[d.name] += n
		}
	}
	t.Logf("%d cases in %v: %s; expected differences: %s; repeat with %s=%q %s=%d",
		done, time.Since(start).Round(time.Millisecond), list(counts), list(differences), oracle.SeedEnv, seed, casesEnv, n)
	if failures.Load() > 0 {
		return
	}
	if done != n {
		t.Errorf("%d cases, want %d", done, n)
	}
	for _, kind := range kinds {
		if counts[kind]*100 < n {
			t.Errorf("only %d of %d cases are %s", counts[kind], n, kind)
		}
	}
}

// cases calls one n times. A panic is a failure of the case.
func (r *run) cases(n int, one func(r *run)) {
	for range n {
		if r.failures.Load() >= maxFailures {
			return
		}
		r.index++
		func() {
			defer func() {
				if p := recover(); p != nil {
					r.errorf("panic: %v\n%s", p, debug.Stack())
				}
			}()
			one(r)
		}()
	}
}

// list returns the counts, the largest first.
func list(counts map[string]int) string {
	var names []string
	for name := range counts {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%d %s", counts[name], name)
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// pick returns one element of list.
func pick[T any](r *run, list ...T) T { return list[r.IntN(len(list))] }

// mutate returns b with a small change, as attackers and broken hardware make them.
func (r *run) mutate(b []byte) []byte {
	b = slices.Clone(b)
	if len(b) == 0 {
		return r.Bytes(1)
	}
	at := r.IntN(len(b))
	switch r.IntN(10) {
	default:
		b[at] ^= 1 << r.IntN(8)
	case 4:
		b[at] = byte(r.Uint64())
	case 5: // a byte less or more
		b = slices.Delete(b, at, at+1)
	case 6:
		b = slices.Insert(b, at, byte(r.Uint64()))
	case 7: // cut short, or followed by others
		b = b[:at]
	case 8:
		b = append(b, r.Bytes(1+r.IntN(8))...)
	case 9: // a run of the same byte
		for i := at; i < min(at+1+r.IntN(32), len(b)); i++ {
			b[i] = pick(r, 0, b[at], 0xff)
		}
	}
	return b
}

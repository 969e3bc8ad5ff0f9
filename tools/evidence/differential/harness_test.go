package differential

import (
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/tools/bench/libsecp"
	"p256k1.mleku.dev/v2/tools/internal/progress"
)

// casesEnv is the environment variable that sets the number of cases of each operation.
const casesEnv = "P256K1_CASES"

const (
	defaultCases = 5_000
	shortCases   = 1_000
)

// longCases has the tests of which a case is a batch of signatures, or a session of all signers: they get as many times fewer.
var longCases = map[string]int{"TestBatchSchnorr": 10, "TestMusig2": 10, "TestSilentPayments": 10}

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

// seed returns the text that the cases depend on.
func seed() string {
	if s := os.Getenv(oracle.SeedEnv); s != "" {
		return s
	}
	return "p256k1"
}

// Cases are in blocks, which are made of nothing but the seed, the name of the test and their number: they depend neither on
// the machine nor on how many there are.
const blockCases = 50

// Libsecp256k1 is asked in every case. Decred and btcec take several times as long: they take part in the first cases of each
// test and, after these, in one block of a few.
const (
	slowCases  = 10_000
	slowBlocks = 20
)

// maxFailures is the number of failures after which a test gives up.
const maxFailures = 8

// A tally says what has been done of a test.
type tally struct {
	cases int
	secp  int            // those in which libsecp256k1 took part
	slow  int            // those in which decred or btcec did
	kinds map[string]int // how many were of a kind, or showed a difference
}

func newTally() *tally { return &tally{kinds: map[string]int{}} }

func (n *tally) add(m *tally) {
	n.cases += m.cases
	n.secp += m.secp
	n.slow += m.slow
	for kind, count := range m.kinds {
		n.kinds[kind] += count
	}
}

func (n *tally) String() string {
	return fmt.Sprintf("%s cases, of which %s against libsecp256k1 and %s against decred or btcec",
		progress.Grouped(n.cases), progress.Grouped(n.secp), progress.Grouped(n.slow))
}

// A run is one block of cases. Its generator is that of the current case and those after it.
type run struct {
	*oracle.Rand
	t        *testing.T
	context  *libsecp.Context // nil on a machine without libsecp256k1
	takeSlow bool
	block    int
	failures *atomic.Int32
	tally    *tally

	askedSecp, askedSlow bool // in this case
}

// secp returns libsecp256k1, which takes part in the case, or nil on a machine without it.
func (r *run) secp() *libsecp.Context {
	r.askedSecp = r.context != nil
	return r.context
}

// slow reports whether decred and btcec take part in the case.
func (r *run) slow() bool {
	r.askedSlow = r.askedSlow || r.takeSlow
	return r.takeSlow
}

// all has decred or btcec take part in any case, where that takes no time.
func (r *run) all() { r.askedSlow = true }

// errorf reports a disagreement.
func (r *run) errorf(format string, args ...any) {
	r.failures.Add(1)
	r.t.Errorf("block %d, case %d: %s", r.block, r.tally.cases, fmt.Sprintf(format, args...))
}

// A class is what there must be some cases of: a kind of case or a difference.
type class interface {
	label() string
	possible(r *run) bool // whether there can be any on this machine
}

// A kind of case, by its name.
type kind string

func (k kind) label() string      { return string(k) }
func (kind) possible(r *run) bool { return true }

// kind counts the case as one of a kind.
func (r *run) kind(k kind) { r.tally.kinds[string(k)]++ }

const (
	accepted = kind("accepted")
	refused  = kind("refused")
	valid    = kind("valid")
	invalid  = kind("invalid")
)

// verdict counts the case as one of two kinds.
func (r *run) verdict(is bool, yes, no kind) {
	if is {
		r.kind(yes)
	} else {
		r.kind(no)
	}
}

// expect notes an occurrence of a difference. The caller has checked that it is the one of the table.
func (r *run) expect(d *difference) { r.tally.kinds[d.name]++ }

// interrupted is set by Ctrl-C, and by what a machine sends before it stops. Tests then end after the blocks that they are at.
var interrupted atomic.Bool

func TestMain(m *testing.M) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		interrupted.Store(true)
		signal.Stop(signals) // the second one kills
	}()
	code := m.Run()
	if testing.Verbose() && len(totals.kinds) > 0 {
		end := "all equal but for the expected differences"
		if code != 0 {
			end = "THERE WERE FAILURES"
		}
		fmt.Printf("result: schemes, all operations: %s (libsecp256k1 %s); %s; seed %q\n", totals, secpName(), end, seed())
	}
	os.Exit(code)
}

// totals is the sum over the tests that have run.
var totals = newTally()

// differential calls one with every case. Of each class that is given there must be at least one case in a thousand, so that a
// test which only compares refusals fails, and a difference that is no more.
func differential(t *testing.T, one func(r *run), classes ...class) {
	t.Helper()
	if interrupted.Load() {
		t.Fatal("interrupted before it began")
	}
	n := cases(t) / max(1, longCases[t.Name()])
	blocks := (n + blockCases - 1) / blockCases
	start := time.Now()
	done := newTally()
	var failures atomic.Int32
	results := make(chan *run)
	next := make(chan int)
	stop := func() bool { return interrupted.Load() || failures.Load() >= maxFailures }
	go func() {
		for i := 0; i < blocks && !stop(); i++ {
			next <- i
		}
		close(next)
	}()
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		secp := newContext(t)
		wg.Go(func() {
			for i := range next {
				r := &run{
					Rand: oracle.NewSeeded(fmt.Sprintf("%s\x00%s\x00%d", seed(), t.Name(), i)),
					t:    t, context: secp, takeSlow: secp == nil || i < slowCases/blockCases || i%slowBlocks == 0,
					block: i, failures: &failures, tally: newTally(),
				}
				r.cases(one)
				results <- r
			}
		})
	}
	go func() {
		wg.Wait()
		close(results)
	}()
	said := time.Now()
	for r := range results {
		done.add(r.tally)
		if time.Since(said) > time.Minute {
			said = time.Now()
			t.Logf("%s of %s cases", progress.Grouped(done.cases), progress.Grouped(blocks*blockCases))
		}
	}
	t.Logf("result: %s, in %v: %s; repeat with %s=%q %s=%d", done, time.Since(start).Round(time.Millisecond), list(done.kinds),
		oracle.SeedEnv, seed(), casesEnv, done.cases)
	totals.add(done)
	switch {
	case failures.Load() > 0:
		return
	case done.cases < blocks*blockCases:
		t.Errorf("interrupted after %d of %d cases", done.cases, blocks*blockCases)
	}
	here := &run{context: newContext(t)}
	for _, c := range classes {
		if n := done.kinds[c.label()]; c.possible(here) && n*1000 < done.cases {
			t.Errorf("only %d of %d cases are %q", n, done.cases, c.label())
		}
	}
}

// cases calls one for each case of the block. A panic is a failure of the case.
func (r *run) cases(one func(r *run)) {
	for range blockCases {
		if r.failures.Load() >= maxFailures {
			return
		}
		r.tally.cases++
		r.askedSecp, r.askedSlow = false, false
		func() {
			defer func() {
				if p := recover(); p != nil {
					r.errorf("panic: %v\n%s", p, debug.Stack())
				}
			}()
			one(r)
		}()
		if r.askedSecp {
			r.tally.secp++
		}
		if r.askedSlow {
			r.tally.slow++
		}
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
		names[i] = progress.Grouped(counts[name]) + " " + name
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

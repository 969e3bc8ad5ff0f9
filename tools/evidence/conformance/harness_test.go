package conformance

import (
	"cmp"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/tools/bench/libsecp"
)

const (
	defaultCases = 5_000
	shortCases   = 1_000
)

// longCases lists the tests in which a case is a batch, a session or a transaction, and the divisors of their numbers
// of cases.
var longCases = map[string]int{"TestBatchSchnorr": 10, "TestMusig2": 10, "TestSilentPayments": 10}

// cases returns the number of cases of each operation.
func cases() int { return oracle.CasesOr(choose(testing.Short(), shortCases, defaultCases)) }

// seed is the text that the cases depend on.
var seed = cmp.Or(os.Getenv(oracle.SeedEnv), "p256k1")

// Cases are in blocks. A block depends only on the seed, the name of the test and the number of the block, not on the
// machine or on how many blocks there are.
const blockCases = 50

// libsecp256k1 takes part in every case. Decred and btcec take several times as long, so they take part in the first
// cases of each test and after that in every few blocks.
const (
	slowCases  = 10_000
	slowBlocks = 20
)

// maxFailures is the number of failures after which a test stops.
const maxFailures = 8

// These kinds are counted over all tests.
const (
	all         = kind("cases")
	againstSecp = kind("against libsecp256k1")
	againstSlow = kind("against decred or btcec")
)

// A run is one block of cases. Its generator makes the current case and then the following cases.
type run struct {
	*oracle.Rand
	*report
	context              *libsecp.Context // nil on a machine without libsecp256k1
	takeSlow             bool
	askedSecp, askedSlow bool // whether libsecp256k1, and whether decred or btcec took part in the current case
}

// secp returns libsecp256k1, which then takes part in the case, or nil on a machine without it.
func (r *run) secp() *libsecp.Context {
	r.askedSecp = r.context != nil
	return r.context
}

// slow reports whether decred and btcec take part in the case.
func (r *run) slow() bool {
	r.askedSlow = r.askedSlow || r.takeSlow
	return r.takeSlow
}

// all counts a case as compared with decred or btcec. It is for tests that call these libraries in every case, because
// the calls are quick.
func (r *run) all() { r.askedSlow = true }

func TestMain(m *testing.M) {
	code := m.Run()
	if testing.Verbose() && totals[all] > 0 {
		end := choose(code == 0, "all equal except for the expected differences", "THERE WERE FAILURES")
		fmt.Printf("result: schemes, all operations: %s (libsecp256k1 %s); %s; seed %q\n", totals, secpName(), end, seed)
	}
	os.Exit(code)
}

// totals counts the cases of all tests that have run.
var totals = tally{}

// differential calls one for every case, and checks the counts of cases.
func differential(t *testing.T, one func(r *run), kinds ...kind) {
	asked := max(1, cases()/max(1, longCases[t.Name()]))
	blocks := (asked + blockCases - 1) / blockCases
	start, done := time.Now(), tally{}
	var failures atomic.Int32
	var mu sync.Mutex
	onAllCores(blocks, func(i int) {
		secp := newContext()
		if secp != nil {
			defer secp.Close()
		}
		r := &run{
			Rand:     oracle.NewSeeded(fmt.Sprintf("%s\x00%s\x00%d", seed, t.Name(), i)),
			report:   &report{TB: t, tally: tally{}, failures: &failures},
			context:  secp,
			takeSlow: secp == nil || i < slowCases/blockCases || i%slowBlocks == 0,
		}
		r.cases(i, one)
		mu.Lock()
		defer mu.Unlock()
		for k, n := range r.tally {
			done[k] += n
		}
	})
	t.Logf("result: %s; in %v; repeat with %s=%q %s=%d",
		done, time.Since(start).Round(time.Millisecond), oracle.SeedEnv, seed, oracle.CasesEnv, cases())
	for k, d := range differences {
		if done[k] > 0 {
			t.Logf("%s: this library %s; %s %s", k, d.ours, d.peer, d.theirs)
		}
	}
	for _, k := range []kind{all, againstSecp, againstSlow} {
		totals[k] += done[k]
	}
	if failures.Load() == 0 {
		done.check(t, asked, kinds...)
	}
}

// check fails t unless all cases ran that were asked for, and at least one in a thousand was of each given kind, so
// that a test fails if it only compares refusals, or if a listed difference no longer occurs.
func (n tally) check(t testing.TB, asked int, kinds ...kind) {
	if n[all] < asked {
		t.Errorf("only %d of %d cases ran", n[all], asked)
	}
	for _, k := range kinds {
		// Only libsecp256k1 may be missing; the other libraries are built in.
		possible := secpName() != missing || !strings.HasPrefix(differences[k].peer, "libsecp256k1")
		if possible && n[k]*1000 < max(1, n[all]) {
			t.Errorf("only %d of %d cases are %q", n[k], n[all], k)
		}
	}
}

// cases calls one for each case of the block. A panic is a failure of the case, and so is a case without a comparison.
func (r *run) cases(block int, one func(r *run)) {
	for range blockCases {
		if r.failures.Load() >= maxFailures {
			return
		}
		r.add(all)
		r.askedSecp, r.askedSlow, r.compared = false, false, false
		r.place = fmt.Sprintf("block %d, case %d: ", block, r.tally[all])
		r.given("input")
		func() {
			defer func() {
				if p := recover(); p != nil {
					r.errorf("panic: %v\n%s", p, debug.Stack())
				}
			}()
			one(r)
			r.is(r.compared, "something is compared")
		}()
		r.addIf(r.askedSecp, againstSecp)
		r.addIf(r.askedSlow, againstSlow)
	}
}

// pick returns one element of list.
func pick[T any](r *run, list ...T) T { return list[r.IntN(len(list))] }

// mutate returns b with a small change, of the kind that attackers and broken hardware make.
func (r *run) mutate(b []byte) []byte {
	b = slices.Clone(b)
	if len(b) == 0 {
		return r.Bytes(1)
	}
	i := r.IntN(len(b))
	switch r.IntN(10) {
	default:
		b[i] ^= 1 << r.IntN(8)
	case 4:
		b[i] = byte(r.Uint64())
	case 5: // remove or add a byte
		b = slices.Delete(b, i, i+1)
	case 6:
		b = slices.Insert(b, i, byte(r.Uint64()))
	case 7: // cut short, or with more bytes appended
		b = b[:i]
	case 8:
		b = append(b, r.Bytes(1+r.IntN(8))...)
	case 9: // a run of the same byte
		for j := i; j < min(i+1+r.IntN(32), len(b)); j++ {
			b[j] = pick(r, 0, b[i], 0xff)
		}
	}
	return b
}

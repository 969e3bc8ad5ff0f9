package conformance

import (
	"cmp"
	"fmt"
	"maps"
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

	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/tools/bench/libsecp"
	"p256k1.mleku.dev/v2/tools/internal/progress"
)

const (
	defaultCases = 5_000
	shortCases   = 1_000
)

// longCases lists the tests in which a case is a batch, a session or a transaction, and the divisors of their numbers
// of cases.
var longCases = map[string]int{"TestBatchSchnorr": 10, "TestMusig2": 10, "TestSilentPayments": 10}

// cases returns the number of cases of each operation.
func cases() int {
	if testing.Short() {
		return oracle.CasesOr(shortCases)
	}
	return oracle.CasesOr(defaultCases)
}

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

// kind is the name of a kind of case, or of a difference that a case shows.
type kind = string

const (
	accepted = kind("accepted")
	refused  = kind("refused")
	valid    = kind("valid")
	invalid  = kind("invalid")

	// These kinds are counted over all tests.
	all         = kind("cases")
	againstSecp = kind("against libsecp256k1")
	againstSlow = kind("against decred or btcec")
)

// A tally counts the cases of a test by kind.
type tally map[kind]int

func (n tally) add(k kind) { n[k]++ }

// addResult counts a case as valid or invalid.
func (n tally) addResult(ok bool) { n.add(map[bool]kind{true: valid, false: invalid}[ok]) }

// String lists the most frequent kinds first.
func (n tally) String() string {
	var list []string
	for _, k := range slices.SortedFunc(maps.Keys(n), func(a, b kind) int { return cmp.Or(n[b]-n[a], strings.Compare(string(a), string(b))) }) {
		list = append(list, progress.Grouped(n[k])+" "+string(k))
	}
	return strings.Join(list, ", ")
}

// want logs the counts, and fails the test unless they equal the given counts, such as "12 valid, 3 invalid".
func (n tally) want(t *testing.T, counts string) {
	t.Helper()
	t.Log(n)
	wanted := tally{}
	for count := range strings.SplitSeq(counts, ", ") {
		number, k, _ := strings.Cut(count, " ")
		wanted[kind(k)] = must(strconv.Atoi(number))
	}
	if !maps.Equal(n, wanted) {
		t.Errorf("counted %v, want %v", n, wanted)
	}
}

// A run is one block of cases. Its generator makes the current case and then the following cases.
type run struct {
	*oracle.Rand
	t        *testing.T
	context  *libsecp.Context // nil on a machine without libsecp256k1
	takeSlow bool
	block    int
	failures *atomic.Int32
	tally    tally

	input                func() string // describes the current case in messages
	askedSecp, askedSlow bool          // whether libsecp256k1, and whether decred or btcec took part in the current case
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

// given describes the case, for the reports of same and errorf.
func (r *run) given(format string, args ...any) {
	r.input = func() string { return fmt.Sprintf(format, args...) + ": " }
}

// errorf reports a disagreement.
func (r *run) errorf(format string, args ...any) {
	r.failures.Add(1)
	r.t.Errorf("block %d, case %d: %s%s", r.block, r.tally[all], r.input(), fmt.Sprintf(format, args...))
}

// same checks that this library returned the wanted value, which usually comes from another library.
func (r *run) same(what string, ours, want any) {
	if a, b := text(ours), text(want); a != b {
		r.errorf("%s: %s, want %s", what, a, b)
	}
}

// is checks a condition. The format states the condition.
func (r *run) is(ok bool, format string, args ...any) {
	if !ok {
		r.errorf("it is not true that "+format, args...)
	}
}

func text(v any) string {
	switch v := v.(type) {
	case bool, int, string, error, nil:
		return fmt.Sprint(v)
	case interface{ Bytes() []byte }:
		return fmt.Sprintf("%x", v.Bytes())
	}
	return fmt.Sprintf("%x", v)
}

// from returns a library's result in the form that same compares: nil if the library refused.
func from[T any](v T, ok bool) any {
	if !ok {
		return nil
	}
	return v
}

// result returns a library's result in the form that same compares: nil if err is not nil.
func result[T any](v T, err error) any { return from(v, err == nil) }

// must returns v. It panics if err is not nil.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// kind counts the current case under the kind k, which may be a kind of difference.
func (r *run) kind(k kind) { r.tally.add(k) }

// verdict counts the case under one of two kinds, yes or no.
func (r *run) verdict(is bool, yes, no kind) { r.kind(map[bool]kind{true: yes, false: no}[is]) }

func TestMain(m *testing.M) {
	code := m.Run()
	if testing.Verbose() && totals[all] > 0 {
		end := "all equal except for the expected differences"
		if code != 0 {
			end = "THERE WERE FAILURES"
		}
		fmt.Printf("result: schemes, all operations: %s (libsecp256k1 %s); %s; seed %q\n", totals, secpName(), end, seed)
	}
	os.Exit(code)
}

// totals counts the cases of all tests that have run.
var totals = tally{}

// differential calls one for every case. At least one case in a thousand must be of each given kind, so that a test
// fails if it only compares refusals, or if a listed difference no longer occurs.
func differential(t *testing.T, one func(r *run), kinds ...kind) {
	t.Helper()
	blocks := (cases()/max(1, longCases[t.Name()]) + blockCases - 1) / blockCases
	start := time.Now()
	done := tally{}
	var failures, next atomic.Int32
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		secp := newContext(t)
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < blocks && failures.Load() < maxFailures; i = int(next.Add(1)) - 1 {
				r := &run{
					Rand: oracle.NewSeeded(fmt.Sprintf("%s\x00%s\x00%d", seed, t.Name(), i)),
					t:    t, context: secp, takeSlow: secp == nil || i < slowCases/blockCases || i%slowBlocks == 0,
					block: i, failures: &failures, tally: tally{},
				}
				r.cases(one)
				mu.Lock()
				for k, n := range r.tally {
					done[k] += n
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	t.Logf("result: %s; in %v; repeat with %s=%q %s=%d", done, time.Since(start).Round(time.Millisecond), oracle.SeedEnv, seed, oracle.CasesEnv, cases())
	for k, d := range differences {
		if done[k] > 0 {
			t.Logf("%s: this library %s; %s %s", k, d.ours, d.peer, d.theirs)
		}
	}
	for _, k := range []kind{all, againstSecp, againstSlow} {
		totals[k] += done[k]
	}
	for _, k := range kinds {
		// Only libsecp256k1 may be missing; the other libraries are built in.
		possible := newContext(t) != nil || !strings.HasPrefix(differences[k].peer, "libsecp256k1")
		if n := done[k]; failures.Load() == 0 && possible && n*1000 < done[all] {
			t.Errorf("only %d of %d cases are %q", n, done[all], k)
		}
	}
}

// cases calls one for each case of the block. A panic is a failure of the case.
func (r *run) cases(one func(r *run)) {
	for range blockCases {
		if r.failures.Load() >= maxFailures {
			return
		}
		r.kind(all)
		r.askedSecp, r.askedSlow = false, false
		r.given("input")
		func() {
			defer func() {
				if p := recover(); p != nil {
					r.errorf("panic: %v\n%s", p, debug.Stack())
				}
			}()
			one(r)
		}()
		if r.askedSecp {
			r.kind(againstSecp)
		}
		if r.askedSlow {
			r.kind(againstSlow)
		}
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
	at := r.IntN(len(b))
	switch r.IntN(10) {
	default:
		b[at] ^= 1 << r.IntN(8)
	case 4:
		b[at] = byte(r.Uint64())
	case 5: // remove or add a byte
		b = slices.Delete(b, at, at+1)
	case 6:
		b = slices.Insert(b, at, byte(r.Uint64()))
	case 7: // cut short, or with more bytes appended
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

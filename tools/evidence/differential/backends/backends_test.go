package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

func TestMain(m *testing.M) {
	if seed, is := os.LookupEnv(childEnv); is {
		if err := serve(seed); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// here returns a side that is this process.
func here(name string, w *worker) side {
	return side{name: name, run: w.run}
}

// A plant is an error in one operation: a result that is wrong where a condition holds, mostly one that hardly any random
// input meets.
type plant struct {
	operation string
	what      string
	when      func(in []word) bool
	spoil     func(t *trial)
}

// next changes the first word of the result by one.
func next(t *trial) { t.out[0] = sum(t.out[0], word{1}) }

func is(i int, values ...word) func([]word) bool {
	return func(in []word) bool { return slices.Contains(values, in[i]) }
}

func zero(i int) func([]word) bool { return is(i, word{}, p) }

// integers returns the two factors or summands.
func integers(in []word) (a, b *big.Int) {
	return oracle.FromLimbs(in[0]), oracle.FromLimbs(in[1])
}

var two256 = new(big.Int).Lsh(one, 256)

// fold returns v with what is above 2²⁵⁶ replaced by as many times 2²⁵⁶ − m.
func fold(v, m *big.Int) *big.Int {
	high := new(big.Int).Rsh(v, 256)
	low := new(big.Int).Sub(v, new(big.Int).Lsh(high, 256))
	return low.Add(low, high.Mul(high, new(big.Int).Sub(two256, m)))
}

func overflows(v *big.Int) bool { return v.Cmp(two256) >= 0 }

// twiceFolded reports whether a product still exceeds 2²⁵⁶ after its high half was folded onto the low one twice.
func twiceFolded(a, b *big.Int) bool {
	v := new(big.Int).Mul(a, b)
	return overflows(fold(fold(v, oracle.P), oracle.P))
}

var plants = []plant{
	{"field Add", "the carry of the fold is lost", func(in []word) bool {
		a, b := integers(in)
		return overflows(fold(a.Add(a, b), oracle.P))
	}, next},
	{"field Sub", "the borrow of the fold is lost", func(in []word) bool {
		return less(in[0], in[1]) && less(difference(in[0], in[1]), word{1<<32 + 977})
	}, next},
	{"field Mul", "the carry of the second fold is lost", func(in []word) bool { return twiceFolded(integers(in)) }, next},
	{"field Mul", "that carry is lost between the two lowest limbs", func(in []word) bool {
		a, b := integers(in)
		v := fold(fold(a.Mul(a, b), oracle.P), oracle.P)
		return overflows(v) && v.Uint64()+(1<<32+977) < 1<<32+977
	}, next},
	{"field Square", "the carry of the second fold is lost", func(in []word) bool {
		a, _ := integers(in)
		return twiceFolded(a, a)
	}, next},
	{"field SquareN", "the last of many squarings is left out", func(in []word) bool { return in[2][0] >= 88 }, next},
	{"field Negate", "a number of p or more borrows", func(in []word) bool { return !less(in[0], p) }, next},
	{"field Half", "the top carry is lost", func(in []word) bool { return in[0][0]&1 == 1 && !less(in[0], difference(word{}, p)) }, next},
	{"field Normalize", "p stays", is(0, p), func(t *trial) { t.out[0] = p }},
	{"field IsZero, IsZeroVartime, IsOdd, Equal", "p is not zero", is(0, p), func(t *trial) { t.out[1][0] = 0 }},
	{"field IsZero, IsZeroVartime, IsOdd, Equal", "1 is not p + 1", func(in []word) bool {
		return in[0] != in[1] && residue(in[0]) == residue(in[1])
	}, func(t *trial) { t.out[1][3] = 0 }},
	{"field Invert", "p has an inverse", zero(0), func(t *trial) { t.out[0] = word{1} }},
	{"field InvertVartime", "the inverse of 1 is not reduced", is(0, word{1}), func(t *trial) { t.out[0] = sum(p, word{1}) }},
	{"field Sqrt", "zero is no square", zero(0), func(t *trial) { t.out[1] = word{} }},
	{"field SetBytes", "p is below p", is(2, p), func(t *trial) { t.out[1] = word{1<<64 - 1} }},
	{"field Select", "the mask is not applied to the third limb", func(in []word) bool { return in[2][0] == 0 },
		func(t *trial) { t.out[0][2] = t.in[0][2] }},
	{"field CondNegate", "an argument changes", func(in []word) bool { return in[2][0] != 0 && in[0] == p },
		func(t *trial) { t.spoiled = "an argument has changed" }},
	{"scalar Add", "n is not subtracted", func(in []word) bool { return sum(in[0], in[1]) == oracle.Limbs(oracle.N) },
		func(t *trial) { t.out[0] = oracle.Limbs(oracle.N) }},
	{"scalar Mul", "the carry of the third fold is lost", func(in []word) bool {
		a, b := integers(in)
		return overflows(fold(fold(fold(a.Mul(a, b), oracle.N), oracle.N), oracle.N))
	}, next},
	{"scalar Mul", "a result of n or more stays", func(in []word) bool {
		a, b := integers(in)
		v := fold(fold(fold(a.Mul(a, b), oracle.N), oracle.N), oracle.N)
		return !overflows(v) && v.Cmp(oracle.N) >= 0
	}, func(t *trial) { t.out[0] = sum(t.out[0], oracle.Limbs(oracle.N)) }},
	{"scalar SetBytes", "n is below n", is(2, oracle.Limbs(oracle.N)), func(t *trial) { t.out[1] = word{1<<64 - 1} }},
	{"scalar IsZero, IsHigh, Equal", "(n+1)/2 is not high", is(0, oracle.Limbs(new(big.Int).Add(oracle.HalfN, one))),
		func(t *trial) { t.out[1][1] = 0 }},
	{"scalar Split", "−λ has a zero with a sign", is(0, oracle.Limbs(oracle.Fn.Neg(oracle.Lambda))),
		func(t *trial) { t.out[1][2] = 1<<64 - 1 }},
	{"modinv batch mod p", "ζ = −1 swaps nothing", func(in []word) bool { return int64(in[4][1]) == -1 }, next},
	{"group LiftX", "x = p + 1 is refused", is(0, sum(p, word{1})), func(t *trial) { t.out[0] = word{} }},
	{"group AddMixedVartime", "equal points are not doubled", func(in []word) bool {
		return jacobianPoint(in).Equal(point(in[3], in[4]))
	}, func(t *trial) { t.out[2] = word{} }},
	{"group DoubleAddVartime", "a sum of equal points is not doubled", func(in []word) bool {
		return jacobianPoint(in).Double().Equal(point(in[3], in[4]))
	}, func(t *trial) { t.out[2] = word{} }},
	{"group Add", "infinity is not neutral on the right if its Z is p", is(5, p), next},
	{"group XYZZ AddMixedComplete", "opposite points are doubled", func(in []word) bool {
		return jacobianPoint(in).Equal(point(in[3], in[4]).Neg())
	}, next},
	{"group Equal, IsInfinity", "infinities are different", func(in []word) bool { return zero(2)(in) && zero(5)(in) },
		func(t *trial) { t.out[0][0] = 0 }},
	{"group ToAffine", "infinity keeps a coordinate", zero(2), next},
	{"group BatchToAffineVartime", "the last of eight is wrong", func(in []word) bool { return len(in) == 24 }, next},
	{"ecmult lookup of 32", "the last entry is not read", func(in []word) bool { return in[2][1] == 0 || in[2][1] == 63 }, next},
	{"ecmult lookup of 16", "−p is not a number below 2²⁵⁶", func(in []word) bool { return in[1] == p && in[2][1] < 16 }, next},
	{"ecmult Base", "0·G", zero(0), next},
	{"ecmult Base", "(n−1)·G", is(0, oracle.Limbs(oracle.Fn.Neg(one))), next},
	{"ecmult Variable", "infinity", zero(2), next},
	{"ecmult DoubleScalarVartime", "k·G − k·G is not infinity", func(in []word) bool {
		return sum(in[3], in[4]) == oracle.Limbs(oracle.N) && !zero(2)(in) && jacobianPoint(in).Equal(oracle.G)
	}, next},
	{"ecmult DoubleScalarVartime", "k·λG − λk·G is not infinity", func(in []word) bool {
		q := oracle.G.Endo()
		return in[3] != word{} && product(oracle.Limbs(q.X), product(in[2], in[2])) == residue(in[0]) && jacobianPoint(in).Equal(q) &&
			oracle.Fn.Add(oracle.Fn.Mul(oracle.FromLimbs(in[3]), oracle.Lambda), oracle.FromLimbs(in[4])).Sign() == 0
	}, next},
	{"ecmult SumVartime", "six terms", func(in []word) bool { return len(in) == 25 }, func(*trial) { panic("planted") }},
	{"ecmult SumVartime", "two terms that cancel", func(in []word) bool {
		return len(in) >= 9 && in[4] == in[8] && jacobianPoint(in[1:]).Equal(jacobianPoint(in[5:]).Neg())
	}, next},
}

// TestPlants plants each error in one of two backends, and where every case is computed with math/big also in both. It must be
// found within a few chunks: because they differ, or because the result is wrong.
func TestPlants(t *testing.T) {
	good := newWorker("plants")
	found := 0
	for _, p := range plants {
		bad := *good
		bad.setOperations()
		op := bad.operations[p.operation]
		if op == nil {
			t.Errorf("no operation %q", p.operation)
			continue
		}
		do := op.do
		op.do = func(t *trial) {
			if do(t); p.when(t.in) {
				p.spoil(t)
			}
		}
		search := func(sides ...side) (err error) {
			for chunk := 0; chunk < 4 && err == nil; chunk++ {
				_, err = compare(op, chunk, sides)
			}
			return err
		}
		if err := search(here("good", good), here("bad", &bad)); err == nil || !strings.Contains(err.Error(), p.operation) {
			t.Errorf("%s: %s: not found between backends: %v", p.operation, p.what, err)
			continue
		}
		if op.every == 1 {
			if err := search(here("bad", &bad), here("bad too", &bad)); err == nil {
				t.Errorf("%s: %s: not found with math/big", p.operation, p.what)
				continue
			}
		}
		found++
	}
	t.Logf("result: %d of %d planted errors found", found, len(plants))
}

// TestChecks makes sure that math/big finds any result wrong that is changed, in all operations. Some changes are none: of what
// the contract leaves open.
func TestChecks(t *testing.T) {
	w := newWorker("checks")
	var b bigs
	for _, op := range operations(w.pool) {
		tr := &trial{draw: newDraw("checks", op.name, 0, w.pool)}
		noticed, cases := 0, 0
		for cases < 40 {
			tr.next(op)
			if v := op.check(tr, &b); v == outside {
				continue
			} else if v == wrong {
				t.Fatalf("%s: %x: %x is wrong", op.name, tr.in, tr.out)
			}
			cases++
			tr.out[tr.below(len(tr.out))][0] ^= 1 << tr.below(64)
			if op.check(tr, &b) == wrong {
				noticed++
			}
		}
		if noticed < cases/2 {
			t.Errorf("%s: of %d changed results %d are wrong by math/big", op.name, cases, noticed)
		}
	}
}

// TestShow makes sure that a report has what one needs to look for an error.
func TestShow(t *testing.T) {
	good, bad := newWorker("show"), newWorker("show")
	op := bad.operations["field Mul"]
	do, n := op.do, 0
	op.do = func(t *trial) {
		do(t)
		if n++; n%5000 == 42 {
			next(t)
		}
	}
	_, err := compare(op, 1, []side{here("good", good), here("bad", bad)})
	if err == nil {
		t.Fatal("no difference")
	}
	for _, text := range []string{"field Mul, chunk 1: ", "bad", "good: right, says math/big", "    in  ", "    out "} {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("%v\nlacks %q", err, text)
		}
	}
}

// TestDraw makes sure that a chunk is always the same, and different from others.
func TestDraw(t *testing.T) {
	a, b := newWorker("draw"), newWorker("draw")
	other := newWorker("drawn")
	for _, op := range operations(a.pool)[:5] {
		run := func(w *worker, chunk int) uint64 {
			r, err := w.run(job{Operation: op.name, Chunk: chunk, Show: -1})
			if err != nil {
				t.Fatal(err)
			}
			return r.Digest
		}
		first := run(a, 1)
		if run(b, 1) != first || run(a, 1) != first {
			t.Errorf("%s: a chunk is not always the same", op.name)
		}
		if run(a, 2) == first || run(other, 1) == first {
			t.Errorf("%s: another chunk is the same", op.name)
		}
	}
	d := newDraw("numbers", "", 0, a.pool)
	n := oracle.Limbs(oracle.N)
	for range 200_000 {
		if x, y := d.pair(a.pool.scalar); !less(x, n) || !less(y, n) || !less(d.scalar(), n) {
			t.Fatalf("%x, %x: n or more", x, y)
		}
	}
	for range 10_000 {
		x, y := d.value(), d.value()
		if want := oracle.Limbs(oracle.Fp.Mul(oracle.FromLimbs(x), oracle.FromLimbs(y))); product(x, y) != want {
			t.Fatalf("%x · %x = %x, want %x", x, y, product(x, y), want)
		}
	}
}

// processes returns a comparison of the assembly and its twins by processes that run this test, or of the portable code alone.
func processes(chunks int, names ...string) *comparison {
	all := slices.DeleteFunc(builds(false), func(b *build) bool { return b.flags != nil })
	ops := slices.DeleteFunc(operations(newPool("processes")), func(op *operation) bool { return !slices.Contains(names, op.name) })
	return newComparison("processes", ops, all, chunks)
}

// TestProcesses compares, and makes sure that an interrupted run is an error.
func TestProcesses(t *testing.T) {
	r := processes(2, "scalar Invert", "group LiftX", "ecmult Base")
	if err := r.run(t.Context(), t.Output()); err != nil {
		t.Fatal(err)
	}
	if n := r.done["scalar Invert"]; n.Cases != 2*medium*chunkCases || n.Checked != n.Cases {
		t.Errorf("%+v", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := processes(2, "scalar Invert").run(ctx, t.Output()); !errors.Is(err, errInterrupted) {
		t.Errorf("interrupted: %v", err)
	}
}

// TestReport makes sure that only a run that was not interrupted, and found nothing, says that all is equal.
func TestReport(t *testing.T) {
	for _, c := range []struct {
		err    error
		failed map[string]error
		want   string
	}{
		{nil, nil, "; all equal; seed"},
		{errInterrupted, nil, "all equal, but NOT ALL WAS DONE (interrupted)"},
		{errors.New("field Add failed"), map[string]error{"field Add": errors.New("differs")}, "1 PRIMITIVES DIFFER"},
	} {
		r := processes(1, "field Add", "field Sub")
		r.failed = c.failed
		var out bytes.Buffer
		if r.report(&out, c.err); !strings.Contains(out.String(), c.want) || !strings.Contains(out.String(), "result: 2 primitives, ") {
			t.Errorf("%s\nlacks %q", out.String(), c.want)
		}
	}
}

// TestCrash makes sure that a process which ends, or is not what it should be, is an error that says so.
func TestCrash(t *testing.T) {
	b := builds(false)[0]
	program, err := b.program(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s, err := b.start(program, "crash")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.run(job{Operation: "no such thing"}); err == nil || !strings.Contains(err.Error(), "the process ended: exit status 1") {
		t.Errorf("%v", err)
	}
	wrong := *b
	wrong.is = func(h hello) bool { return h.Backend == "" }
	if _, err := wrong.start(program, "crash"); err == nil || !strings.Contains(err.Error(), "instead") {
		t.Errorf("%v", err)
	}
}

package silentpayments

import (
	"bytes"
	"slices"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// oracleTweak returns the encoding of the tweak of signed inputs, or nil if there is none, computed with math/big.
func oracleTweak(t testing.TB, inputs []Input) []byte {
	t.Helper()
	var sum oracle.Point
	var smallest []byte
	for i := range inputs {
		if inputs[i].isOfLaterSegwit() {
			return nil
		}
		if key := keyOf(inputs[i]); key != nil {
			p, ok := oracle.DecodePoint(key.Bytes())
			if !ok {
				t.Fatal(key)
			}
			sum = sum.Add(p)
		}
		if o := inputs[i].outpoint(); smallest == nil || bytes.Compare(o[:], smallest) < 0 {
			smallest = o[:]
		}
	}
	if sum.IsInfinity() {
		return nil
	}
	hash := oracle.TaggedHash("BIP0352/Inputs", smallest, sum.Compressed())
	return sum.Mul(oracle.Int(hash[:])).Compressed()
}

// transactions returns the inputs of n transactions. Five of every eight transactions have a tweak. One of the other
// three has no eligible input, one has keys that add up to zero, and one spends an output of a later SegWit version.
func (s source) transactions(n int) (all [][]Input) {
	for i := range n {
		var inputs []Input
		for j := range 1 + i%4 {
			in, _ := s.input(i+j, true)
			inputs = append(inputs, in)
		}
		last := &inputs[len(inputs)-1]
		switch i % 8 {
		case 1: // one eligible key, and one key that encodes no point
			bad := oracle.BadX()[0]
			last.ScriptPubKey = append([]byte{0x51, 0x20}, bad[:]...)
			last.Witness = [][]byte{{1}}
		case 2: // an invalid prefix, which occurs in the hybrid encoding of keys
			b := append([]byte{6}, unspendable...)
			*last = Input{ScriptPubKey: append([]byte{0, 0x14}, hash160(b)...), Witness: [][]byte{{1}, b}}
		case 4:
			inputs = nil
			if i%16 == 4 {
				inputs = []Input{{ScriptPubKey: []byte{0x6a}}, {Index: 1, ScriptPubKey: []byte{}}}
			}
		case 5:
			in, key := s.input(1, true)
			minus := key.PublicKey().Negate().Bytes()
			other := Input{ScriptPubKey: append([]byte{0, 0x14}, hash160(minus)...), Witness: [][]byte{{1}, minus}}
			inputs = []Input{in, other}
		case 6:
			last.ScriptPubKey = append([]byte{0x52, 32}, make([]byte, 32)...)
		}
		all = append(all, inputs)
	}
	return all
}

// TestTweakBatch compares the tweaks of many transactions with Tweak, and the first 100 of them with the oracle.
func TestTweakBatch(t *testing.T) {
	src := newSource(t)
	for _, n := range []int{0, 1, 2, 7, 8, 9, 300} {
		all := src.transactions(n)
		tweaks, err := TweakBatch(all)
		if err != nil || len(tweaks) != n {
			t.Fatalf("%d tweaks of %d: %v", len(tweaks), n, err)
		}
		eligible := 0
		for i, tweak := range tweaks {
			one, err := Tweak(all[i])
			if err != nil || (one == nil) != (tweak == nil) || !bytes.Equal(one.Bytes(), tweak.Bytes()) {
				t.Errorf("%d of %d: %v, alone %v, %v", i, n, tweak, one, err)
			}
			if i >= 100 {
				continue
			}
			if want := oracleTweak(t, all[i]); !bytes.Equal(tweak.Bytes(), want) || (want == nil) != (tweak == nil) {
				t.Errorf("%d of %d: %v, want %x", i, n, tweak, want)
			}
			if tweak != nil {
				eligible++
			}
		}
		if n == 300 && eligible != 64 {
			t.Errorf("%d tweaks of %d transactions", eligible, n)
		}
	}
}

// TestTweakBatchRefused removes signatures in two transactions. The tweaks of all other transactions must stay right.
func TestTweakBatchRefused(t *testing.T) {
	src := newSource(t)
	all := src.transactions(20)
	want, err := TweakBatch(all)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{3, 16} {
		all[i] = slices.Clone(all[i])
		all[i][len(all[i])-1] = strip(all[i])[len(all[i])-1]
		want[i] = nil
	}
	got, err := TweakBatch(all)
	libtest.CheckFailures(t, err, map[int]error{3: ErrNotSigned, 16: ErrNotSigned})
	for _, f := range err.(p256k1.Failures) {
		if _, one := Tweak(all[f.Index]); one.Error() != f.Err.Error() {
			t.Errorf("transaction %d: %v, want %v", f.Index, f.Err, one)
		}
	}
	for i := range want {
		if (got[i] == nil) != (want[i] == nil) || (got[i] != nil && !got[i].Equal(want[i])) {
			t.Errorf("%d: %v, want %v", i, got[i], want[i])
		}
	}
	// If an input that spends an output of a later SegWit version comes before an unsigned input, there is no error. In
	// the other order, the error is ErrNotSigned.
	later, unsigned := Input{ScriptPubKey: []byte{0x52, 2, 1, 2}}, all[3][len(all[3])-1]
	got, err = TweakBatch([][]Input{{later, unsigned}, {unsigned, later}})
	libtest.CheckFailures(t, err, map[int]error{1: ErrNotSigned})
	if got[0] != nil || got[1] != nil {
		t.Errorf("%v, %v", got, err)
	}
}

func BenchmarkTweakBatch(b *testing.B) {
	src := newSource(b)
	all := make([][]Input, 1000)
	for i := range all {
		for j := range 2 {
			in, _ := src.input(i+j, true)
			all[i] = append(all[i], in)
		}
	}
	for _, bench := range []struct {
		name string
		f    func() error
	}{
		{"TweakBatch, 1000", func() error {
			_, err := TweakBatch(all)
			return err
		}},
		{"Tweak, 1000", func() error {
			var bad error
			for _, inputs := range all {
				if _, err := Tweak(inputs); err != nil {
					bad = err
				}
			}
			return bad
		}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				if err := bench.f(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(all)), "ns/transaction")
		})
	}
}

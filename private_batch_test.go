package p256k1_test

import (
	"bytes"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

func TestGenerateKeys(t *testing.T) {
	seen := make(map[string]bool)
	for _, n := range []int{0, 1, 2, 7, 8, 9, 65, 150, 256, 257, 515} {
		keys, err := p256k1.GenerateKeys(n)
		if err != nil || len(keys) != n {
			t.Fatalf("%d keys, want %d, error %v", len(keys), n, err)
		}
		for _, k := range keys {
			if b := k.Bytes(); seen[string(b)] || !libtest.Private(t, oracle.Int(b)).PublicKey().Equal(k.PublicKey()) {
				t.Fatalf("generated %x with the public key %v, seen before: %v", b, k.PublicKey(), seen[string(b)])
			}
			seen[string(k.Bytes())] = true
		}
		for _, k := range keys { // wiping one key must not change the others
			k.Zero()
			if k.Bytes() != nil {
				t.Fatal("a wiped key is not zero")
			}
		}
	}
	defer func() {
		if text := recover(); text != "p256k1: GenerateKeys of -1 keys" {
			t.Errorf("panic %v", text)
		}
	}()
	p256k1.GenerateKeys(-1)
}

func TestParsePrivateKeys(t *testing.T) {
	r := oracle.New(t)
	for _, n := range []int{0, 1, 2, 7, 8, 9, 65, 150, 256, 257, 515} {
		in := make([][]byte, n)
		for i := range in {
			b := oracle.Bytes(r.ValidScalar())
			in[i] = b[:]
		}
		keys, err := p256k1.ParsePrivateKeys(in)
		if err != nil || len(keys) != n {
			t.Fatalf("%d keys of %d, error %v", len(keys), n, err)
		}
		for i, k := range keys {
			if want := libtest.Private(t, oracle.Int(in[i])); !k.Equal(want) || !k.PublicKey().Equal(want.PublicKey()) {
				t.Fatalf("key %d of %d, %x: %x with public key %v", i, n, in[i], k.Bytes(), k.PublicKey())
			}
		}
		if n == 0 {
			continue
		}
		clear(in[0])
		if bytes.Equal(keys[0].Bytes(), in[0]) {
			t.Error("a key shares memory with the argument")
		}
		in[0] = keys[0].Bytes()

		// The integer at the index place is invalid, and the last one is missing.
		place := r.IntN(n)
		good := in[place]
		in[n-1] = nil
		bad := [][]byte{nil, good[:31], append(bytes.Clone(good), 0)}
		for _, b := range oracle.RangeEdges() {
			if d := oracle.Int(b[:]); d.Sign() == 0 || d.Cmp(oracle.N) >= 0 {
				bad = append(bad, b[:])
			}
		}
		for _, b := range bad {
			in[place] = b
			kind := p256k1.ErrRange
			if len(b) != 32 {
				kind = p256k1.ErrLength
			}
			reasons := map[int]error{n - 1: p256k1.ErrLength}
			reasons[place] = kind
			others, err := p256k1.ParsePrivateKeys(in)
			libtest.CheckFailures(t, err, reasons)
			for i, k := range others {
				if (k == nil) != (reasons[i] != nil) || (k != nil && !k.Equal(keys[i])) {
					t.Fatalf("key %d of %d is %v", i, n, k.PublicKey())
				}
			}
		}
	}
}

package secp256k1

import (
	"bytes"
	"math/big"
	"testing"
)

var (
	key    = bytes.Repeat([]byte{7}, 32)
	hash   = bytes.Repeat([]byte{9}, 32)
	sig, _ = Sign(hash, key)
)

// TestAllocs checks that functions allocate no more often than the table says.
func TestAllocs(t *testing.T) {
	public, err := RecoverPubkey(hash, sig)
	if err != nil {
		t.Fatal(err)
	}
	if !VerifySignature(public, hash, sig[:64]) {
		t.Fatal("not valid")
	}
	x, y := S256().Unmarshal(public)
	compressed := CompressPubkey(x, y)
	buffer := make([]byte, 0, 65)
	for name, c := range map[string]struct {
		most float64
		do   func()
	}{
		"CompressPubkey":           {2, func() { CompressPubkey(x, y) }},
		"ContextForThread":         {0, func() { ContextForThread(0) }},
		"DecompressPubkey":         {4, func() { DecompressPubkey(compressed) }},
		"RecoverPubkey":            {1, func() { RecoverPubkey(hash, sig) }},
		"RecoverPubkeyWithContext": {0, func() { RecoverPubkeyWithContext(DefaultContext, hash, sig, buffer) }},
		"Sign":                     {2, func() { Sign(hash, key) }},
		"VerifySignature":          {0, func() { VerifySignature(public, hash, sig[:64]) }},
	} {
		if got := testing.AllocsPerRun(10, c.do); got > c.most {
			t.Errorf("%s allocates %v times, want at most %v", name, got, c.most)
		}
	}
}

// TestOffCurve multiplies points off the curve. Erigon's module returns a meaningless point, from which the scalar may
// be computed. This module returns nil, as for a scalar that is out of range.
func TestOffCurve(t *testing.T) {
	c := S256()
	for _, p := range [][2]*big.Int{
		{new(big.Int), new(big.Int)}, {c.Gx, c.Gx}, {big.NewInt(5), big.NewInt(1)}, {new(big.Int), big.NewInt(1)},
	} {
		if x, y := c.ScalarMult(p[0], p[1], key); x != nil || y != nil || c.IsOnCurve(p[0], p[1]) {
			t.Errorf("%v: %v, %v", p, x, y)
		}
	}
	if x, y := c.ScalarMult(c.Gx, c.Gy, key); !c.IsOnCurve(x, y) {
		t.Errorf("%v, %v", x, y)
	}
}

// TestOutOfRange passes numbers that are out of range, but congruent to numbers that are accepted.
func TestOutOfRange(t *testing.T) {
	c, one := S256(), big.NewInt(1)
	bytesOf := func(a, b *big.Int) []byte { return new(big.Int).Add(a, b).FillBytes(make([]byte, 32)) }
	public, err := RecoverPubkey(hash, sig)
	if err != nil {
		t.Fatal(err)
	}
	x, y := c.Unmarshal(public)
	for _, b := range [][]byte{make([]byte, 32), bytesOf(c.Params().N, new(big.Int)), bytesOf(c.Params().N, one), bytes.Repeat([]byte{255}, 32)} {
		if _, err := Sign(hash, b); err != ErrInvalidKey {
			t.Errorf("Sign with %x: %v", b, err)
		}
		if x, y := c.ScalarBaseMult(b); x != nil || y != nil {
			t.Errorf("%x·G: %v, %v", b, x, y)
		}
		if x, y := c.ScalarMult(x, y, b); x != nil || y != nil {
			t.Errorf("a point times %x: %v, %v", b, x, y)
		}
		for _, place := range []int{0, 32} {
			changed := bytes.Clone(sig)
			copy(changed[place:], b)
			if _, err := RecoverPubkey(hash, changed); err != ErrRecoverFailed || VerifySignature(public, hash, changed[:64]) {
				t.Errorf("a signature with %x at %d: %v", b, place, err)
			}
		}
	}
	// With the ids 2 and 3 the x coordinate is r + n, here p − 3, which is on the curve, or p + 1 to p + 3.
	gap, changed := new(big.Int).Sub(c.Params().P, c.Params().N), bytes.Clone(sig)
	for _, d := range []int64{-3, 1, 2, 3} {
		copy(changed, bytesOf(gap, big.NewInt(d)))
		for changed[64] = 2; changed[64] < 4; changed[64]++ {
			recovered, err := RecoverPubkey(hash, changed)
			if valid := err == nil && VerifySignature(recovered, hash, changed[:64]); valid != (d < 0) {
				t.Errorf("r = p − n + %d, id %d: %x, %v", d, changed[64], recovered, err)
			}
		}
	}
	for _, k := range []int64{1, 2, 3} { // x coordinates of points
		compressed := append([]byte{2}, bytesOf(big.NewInt(k), new(big.Int))...)
		if x, _ := DecompressPubkey(compressed); x == nil || x.Int64() != k {
			t.Errorf("%d: %v", k, x)
		}
		x, y := DecompressPubkey(compressed)
		for _, p := range [][2]*big.Int{{new(big.Int).Add(x, c.P), y}, {x, new(big.Int).Add(y, c.P)}} {
			if !c.IsOnCurve(x, y) || c.IsOnCurve(p[0], p[1]) {
				t.Errorf("%v and one coordinate more by p: %v", x, p)
			}
		}
		copy(compressed[1:], bytesOf(big.NewInt(k), c.Params().P))
		if x, y := DecompressPubkey(compressed); x != nil || y != nil || VerifySignature(compressed, hash, sig[:64]) {
			t.Errorf("%d + p: %v", k, x)
		}
	}
}

// TestKeyForms verifies a signature with all first bytes and lengths of the encoding of its key, and with a y that
// belongs to no point.
func TestKeyForms(t *testing.T) {
	public, err := RecoverPubkey(hash, sig)
	if err != nil {
		t.Fatal(err)
	}
	odd := public[64] & 1
	for prefix := range 256 {
		public[0] = byte(prefix)
		for n := range 67 {
			want := (n == 33 && public[0] == 2|odd) || (n == 65 && (prefix == 4 || public[0] == 6|odd))
			if got := VerifySignature(append(public, 0)[:n], hash, sig[:64]); got != want {
				t.Errorf("%d bytes that begin with %d: %t", n, prefix, got)
			}
			if x, _ := DecompressPubkey(append(public, 0)[:n]); (x != nil) != (n == 33 && prefix&^1 == 2) {
				t.Errorf("DecompressPubkey of %d bytes that begin with %d: %v", n, prefix, x)
			}
		}
	}
	public[64] ^= 2
	for _, prefix := range []byte{4, 6 | odd} {
		if public[0] = prefix; VerifySignature(public, hash, sig[:64]) {
			t.Errorf("a y of no point, after %d", prefix)
		}
	}
}

package rfc6979

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestNext compares the first nonces of new and of reused generators with the nonces that the oracle computes with
// crypto/hmac, and once many nonces after long extra input.
func TestNext(t *testing.T) {
	r := oracle.New(t)
	var g Generator
	for i := range 1000 {
		d, digest := r.Scalar(), r.Digest()
		var extra []byte
		if r.IntN(2) == 0 {
			extra = r.Message(100)
		}
		left := r.IntN(6)
		if i == 0 {
			extra, left = r.Bytes(70_000), 300
		}
		x, h1 := oracle.Bytes(d), oracle.Bytes(oracle.Fn.Reduce(oracle.Int(digest[:])))
		x0, h0 := x, h1
		g.Init(&x, &h1, extra)
		for want := range oracle.NoncesRFC6979(d, digest[:], extra) {
			var nonce [32]byte
			g.Next(&nonce)
			if nonce != oracle.Bytes(want) {
				t.Fatalf("key %x, digest %x, extra %x: nonce %x, want %x; %d to go", x, h1, extra, nonce, want, left)
			}
			if left--; left < 0 {
				break
			}
		}
		if x != x0 || h1 != h0 {
			t.Fatal("an argument was changed")
		}
	}
}

// TestKnown compares nonces with the P-256 nonces of RFC 6979, A.2.5, whose digests need no reduction, and with nonces
// that several secp256k1 libraries agree on (https://bitcointalk.org/index.php?topic=285142.40).
func TestKnown(t *testing.T) {
	for _, c := range []struct{ key, message, nonce string }{
		{"c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721", "sample",
			"a6e3c57dd01abe90086538398355dd4c3b17aa873382b0f24d6129493d8aad60"},
		{"c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721", "test",
			"d16b6ae827f17175e040871a1c7ec3500192c4c92677336ec2537acaee0008e0"},
		{"0000000000000000000000000000000000000000000000000000000000000001", "Satoshi Nakamoto",
			"8f8a276c19f4149656b280621e358cce24f5f52542772691ee69063b74f15d15"},
		{"fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140", "Satoshi Nakamoto",
			"33a19b60e25fb6f4435af53a3d42d493644827367e6453928554f43e49aa6f90"},
		{"f8b8af8ce3c7cca5e300d33939540c10d45ce001b8f252bfbc57ba0342904181", "Alan Turing",
			"525a82b70e67874398067543fd84c83d30c175fdc45fdeee082fe13b1d7cfdf1"},
	} {
		if got := first(t, c.key, c.message); hex.EncodeToString(got[:]) != c.nonce {
			t.Errorf("key %s, %q: %x, want %s", c.key, c.message, got, c.nonce)
		}
	}
}

// first returns the first nonce for a key and the SHA-256 of a message, which must be below n.
func first(t *testing.T, key, message string) (nonce [32]byte) {
	t.Helper()
	x, err := hex.DecodeString(key)
	if err != nil || len(x) != 32 {
		t.Fatalf("key %q", key)
	}
	h1 := sha256.Sum256([]byte(message))
	var g Generator
	g.Init((*[32]byte)(x), &h1, nil)
	g.Next(&nonce)
	return nonce
}

func TestZero(t *testing.T) {
	var g Generator
	g.Init(&[32]byte{1}, &[32]byte{2}, []byte{3})
	g.Next(new([32]byte))
	if g == (Generator{}) {
		t.Error("a generator in use has no state")
	}
	g.Zero()
	if g != (Generator{}) {
		t.Errorf("Zero leaves %x, %x, %v", g.k, g.v, g.again)
	}
}

func TestAllocations(t *testing.T) {
	var x, h1, nonce [32]byte
	extra := make([]byte, 32)
	if n := testing.AllocsPerRun(10, func() {
		var g Generator
		g.Init(&x, &h1, extra)
		g.Next(&nonce)
		g.Next(&nonce)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkFirst(b *testing.B) {
	b.ReportAllocs()
	var g Generator
	var x, h1 [32]byte
	for b.Loop() {
		g.Init(&x, &h1, nil)
		g.Next(&x)
	}
}

func BenchmarkNext(b *testing.B) {
	b.ReportAllocs()
	var g Generator
	var nonce [32]byte
	g.Init(&nonce, &nonce, nil)
	for b.Loop() {
		g.Next(&nonce)
	}
}

// TestUnseeded checks that a generator without a seed, whose nonces everybody could compute, returns an error.
func TestUnseeded(t *testing.T) {
	for name, g := range map[string]func() *Generator{
		"never seeded": func() *Generator { return new(Generator) },
		"wiped": func() *Generator {
			var g Generator
			g.Init(&[32]byte{1}, &[32]byte{2}, nil)
			g.Next(new([32]byte))
			g.Zero()
			return &g
		},
	} {
		g := g()
		nonce := [32]byte{1}
		if err := g.Next(&nonce); err != ErrUnseeded || nonce != [32]byte{} {
			t.Errorf("%s: nonce %x, error %v", name, nonce, err)
		}
	}
}

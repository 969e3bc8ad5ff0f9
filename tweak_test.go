package p256k1_test

import (
	"bytes"
	"fmt"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// tweaks lists the operations on private and on public keys, and how to compute the resulting private key.
var tweaks = []struct {
	name        string
	private     func(k *p256k1.PrivateKey, t []byte) (*p256k1.PrivateKey, error)
	public      func(p *p256k1.PublicKey, t []byte) (*p256k1.PublicKey, error)
	want        func(d, t *big.Int) *big.Int
	refusesZero bool
}{
	{"TweakAdd", (*p256k1.PrivateKey).TweakAdd, (*p256k1.PublicKey).TweakAdd, oracle.Fn.Add, false},
	{"TweakMul", (*p256k1.PrivateKey).TweakMul, (*p256k1.PublicKey).TweakMul, oracle.Fn.Mul, true},
	{
		"TweakAddXOnly", (*p256k1.PrivateKey).TweakAddXOnly,
		func(p *p256k1.PublicKey, t []byte) (*p256k1.PublicKey, error) { return p.XOnly().TweakAdd(t) },
		func(d, t *big.Int) *big.Int { return oracle.Fn.Add(evenKey(d), t) }, false,
	},
	{
		"TweakAddBatch", (*p256k1.PrivateKey).TweakAdd,
		func(p *p256k1.PublicKey, t []byte) (*p256k1.PublicKey, error) {
			keys, err := p.TweakAddBatch([][]byte{t})
			if err != nil {
				return nil, err
			}
			return keys[0], nil
		}, oracle.Fn.Add, false,
	},
}

// evenKey returns d or −d, whichever has a public key with even y.
func evenKey(d *big.Int) *big.Int {
	if oracle.G.Mul(d).Y.Bit(0) == 1 {
		return oracle.Fn.Neg(d)
	}
	return d
}

func TestTweaks(t *testing.T) {
	r := oracle.New(t)
	one := big.NewInt(1)
	keys := []*big.Int{one, oracle.Fn.Neg(one), big.NewInt(6), oracle.Fn.Neg(big.NewInt(6))} // 1 even, 6 odd
	for range 6 {
		keys = append(keys, r.ValidScalar())
	}
	for _, d := range keys {
		values := append(oracle.RangeEdges(), r.ScalarBytes(), r.ScalarBytes(), r.ScalarBytes())
		for _, v := range []*big.Int{d, oracle.Fn.Neg(d), oracle.Fn.Inv(d)} { // so that d + t or −d + t is 0, or d·t is 1
			values = append(values, oracle.Bytes(v))
		}
		for _, b := range values {
			checkTweaks(t, d, b[:])
		}
	}
}

// checkTweaks applies every tweak to the private key d and to its public key, and compares the results.
func checkTweaks(t testing.TB, d *big.Int, b []byte) {
	t.Helper()
	k := libtest.Private(t, d)
	p := k.PublicKey()
	tweak := oracle.Int(b)
	for _, op := range tweaks {
		k2, err1 := op.private(k, b)
		p2, err2 := op.public(p, b)
		want := op.want(d, tweak)
		for _, err := range []error{err1, err2} {
			switch {
			case len(b) != 32:
				libtest.CheckError(t, err, p256k1.ErrLength, "tweak", fmt.Sprintf("%d bytes, want 32", len(b)))
			case tweak.Cmp(oracle.N) >= 0:
				libtest.CheckError(t, err, p256k1.ErrRange, "tweak", "not below the group order")
			case op.refusesZero && tweak.Sign() == 0:
				libtest.CheckError(t, err, p256k1.ErrRange, "tweak", "zero")
			case want.Sign() == 0:
				libtest.CheckError(t, err, p256k1.ErrInfinity, "tweaked")
			default:
				libtest.CheckError(t, err, nil)
			}
		}
		if (k2 == nil) != (err1 != nil) || (p2 == nil) != (err2 != nil) {
			t.Fatalf("%s of %x by %x: a key beside an error, or neither", op.name, d, tweak)
		}
		if k2 == nil || p2 == nil {
			continue
		}
		w, wantPublic := oracle.Bytes(want), oracle.G.Mul(want).Uncompressed()
		if !bytes.Equal(k2.Bytes(), w[:]) || !bytes.Equal(k2.PublicKey().BytesUncompressed(), wantPublic) {
			t.Fatalf("%s of %x by %x: key %x, public key %x", op.name, d, tweak, k2.Bytes(), k2.PublicKey().Bytes())
		}
		if !p2.Equal(k2.PublicKey()) || !bytes.Equal(p2.BytesUncompressed(), wantPublic) {
			t.Fatalf("%s of %x by %x: public half %x, private %x", op.name, d, tweak, p2.Bytes(), k2.PublicKey().Bytes())
		}
	}
	if !k.Equal(libtest.Private(t, d)) || !p.Equal(libtest.Private(t, d).PublicKey()) {
		t.Fatal("a tweak changed its receiver")
	}
}

func TestTweakLength(t *testing.T) {
	for n := range 101 {
		checkTweaks(t, big.NewInt(5), bytes.Repeat([]byte{1}, n))
	}
}

// TestTweakAddBatch compares the results for many tweaks with TweakAdd, and checks that the error names the tweak that
// is refused, whose key is nil.
func TestTweakAddBatch(t *testing.T) {
	r := oracle.New(t)
	for _, n := range []int{0, 1, 2, 7, 8, 9, 100} {
		d := r.ValidScalar()
		p := libtest.Private(t, d).PublicKey()
		in := make([][]byte, n)
		for i := range in {
			b := oracle.Bytes(r.Scalar())
			if i%6 == 5 {
				b = oracle.Bytes(d) // the sum is a doubling
			} else if i%6 == 4 {
				b = [32]byte{} // the sum is p
			} else if b == oracle.Bytes(oracle.Fn.Neg(d)) {
				b[31] ^= 1
			}
			in[i] = b[:]
		}
		keys, err := p.TweakAddBatch(in)
		if err != nil || len(keys) != n {
			t.Fatalf("%d keys of %d, error %v", len(keys), n, err)
		}
		for i, key := range keys {
			one, err := p.TweakAdd(in[i])
			want := oracle.G.Mul(oracle.Fn.Add(d, oracle.Int(in[i]))).Uncompressed()
			if err != nil || !key.Equal(one) || !bytes.Equal(key.BytesUncompressed(), want) {
				t.Errorf("%d of %d, %x by %x: %v, alone %v, %v, want %x", i, n, d, in[i], key, one, err, want)
			}
		}
		if !p.Equal(libtest.Private(t, d).PublicKey()) {
			t.Error("the receiver is changed")
		}
		none, err := new(p256k1.PublicKey).TweakAddBatch(in)
		libtest.CheckError(t, err, p256k1.ErrNoKey, "public key")
		if none != nil {
			t.Error("keys beside the error")
		}
		if n == 0 {
			continue
		}
		for want, bad := range map[error][]byte{
			p256k1.ErrLength: in[0][:31], p256k1.ErrRange: oracle.N.Bytes(), p256k1.ErrInfinity: oracle.Fn.Neg(d).FillBytes(make([]byte, 32)),
		} {
			place := r.IntN(n)
			good := in[place]
			in[place] = bad
			others, err := p.TweakAddBatch(in)
			libtest.CheckFailures(t, err, map[int]error{place: want})
			for i := range others {
				if (others[i] == nil) != (i == place) || (i != place && !others[i].Equal(keys[i])) {
					t.Errorf("key %d of %d is %v", i, n, others[i])
				}
			}
			in[place] = good
		}
	}
}

// TestTweakAddBatchKeys tweaks a key that has a table, by tweaks some of which are zero or occur twice. It then sets
// each result to another key, which must not change the other results or the receiver.
func TestTweakAddBatchKeys(t *testing.T) {
	r := oracle.New(t)
	p := libtest.Private(t, r.ValidScalar()).PublicKey()
	receiver, other := p.Precomputed(), libtest.Public(t, oracle.G).Bytes()
	in := make([][]byte, 300)
	for i := range in {
		b := oracle.Bytes(r.Scalar())
		switch in[i] = b[:]; i % 8 {
		case 5, 7:
			in[i] = in[i-1]
		case 6:
			in[i] = make([]byte, 32)
		}
	}
	keys, err := receiver.TweakAddBatch(in)
	if err != nil {
		t.Fatal(err)
	}
	for i, key := range keys {
		one, err := p.TweakAdd(in[i])
		if err != nil || !key.Equal(one) || !bytes.Equal(key.Bytes(), one.Bytes()) || key.Point().IsPrecomputed() {
			t.Errorf("%v by %x: %v, alone %v, %v", p, in[i], key, one, err)
		}
		if err := key.UnmarshalBinary(other); err != nil {
			t.Fatal(err)
		}
	}
	if !receiver.Equal(p) {
		t.Error("the receiver is changed")
	}
}

func TestCheckTweakAdd(t *testing.T) {
	r := oracle.New(t)
	for range 10 {
		x := libtest.Public(t, r.Point()).XOnly()
		b := oracle.Bytes(r.Scalar())
		out, err := x.TweakAdd(b[:])
		if err != nil {
			t.Fatal(err)
		}
		want, odd := out.XOnly().Bytes(), out.IsYOdd()
		if !x.CheckTweakAdd(b[:], want, odd) {
			t.Fatalf("%x by %x: the tweaked key is refused", x.Bytes(), b)
		}
		flip := func(b []byte) []byte {
			b = bytes.Clone(b)
			b[r.IntN(len(b))] ^= 1 << r.IntN(8)
			return b
		}
		beyond := oracle.Bytes(oracle.N)
		for _, c := range []struct {
			what      string
			t, output []byte
			odd       bool
		}{
			{"parity", b[:], want, !odd},
			{"output", b[:], flip(want), odd},
			{"tweak", flip(b[:]), want, odd},
			{"short output", b[:], want[:31], odd},
			{"long output", b[:], append(bytes.Clone(want), 0), odd},
			{"33-byte output", b[:], out.Bytes(), odd},
			{"no output", b[:], nil, odd},
			{"short tweak", b[:31], want, odd},
			{"no tweak", nil, want, odd},
			{"tweak n", beyond[:], x.Bytes(), false}, // n ≡ 0
		} {
			if x.CheckTweakAdd(c.t, c.output, c.odd) {
				t.Errorf("%x by %x: accepted with a wrong %s", x.Bytes(), b, c.what)
			}
		}
	}
	x, zero := libtest.Public(t, oracle.G).XOnly(), make([]byte, 32)
	if !x.CheckTweakAdd(zero, x.Bytes(), false) || x.CheckTweakAdd(zero, x.Bytes(), true) {
		t.Error("tweak 0")
	}
	minus := oracle.Bytes(oracle.Fn.Neg(big.NewInt(1)))
	for _, output := range [][]byte{nil, {}, {0}, zero, x.Bytes()} {
		for _, odd := range []bool{false, true} {
			if x.CheckTweakAdd(minus[:], output, odd) {
				t.Errorf("the sum at infinity is accepted as %x", output)
			}
		}
	}
}

package ellswift

import (
	"errors"
	"fmt"
	"math/big"
	"sync"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/schnorr"
)

// decoded returns the point to which the oracle decodes an encoding.
func decoded(e *[64]byte) oracle.Point {
	u, t := oracle.Int(e[:32]), oracle.Int(e[32:])
	p, _ := oracle.LiftX(oracle.XSwiftEC(u, t))
	if oracle.Fp.Reduce(t).Bit(0) == 1 {
		p = p.Neg()
	}
	return p
}

func TestTags(t *testing.T) {
	for name, tag := range map[string]schnorr.Tag{"bip324_ellswift_xonly_ecdh": ecdhTag, "p256k1_ellswift_encode": encodeTag} {
		if schnorr.NewTag(name) != tag {
			t.Errorf("%s: %x", name, tag)
		}
	}
}

func TestDecode(t *testing.T) {
	r := oracle.New(t)
	for range 200 {
		var e [64]byte
		u, v := oracle.Bytes(oracle.FromLimbs(r.Limbs())), oracle.Bytes(oracle.FromLimbs(r.Limbs()))
		copy(e[:], u[:])
		copy(e[32:], v[:])
		before := e
		if got := Decode(&e); !got.Equal(libtest.Public(t, decoded(&e))) || e != before {
			t.Fatalf("%x is %v", before, got)
		}
	}
}

func TestEncode(t *testing.T) {
	r := oracle.New(t)
	points := oracle.EdgePoints()
	for range 200 {
		points = append(points, r.Point())
	}
	for _, p := range points {
		if p.IsInfinity() {
			continue
		}
		pub, random := libtest.Public(t, p), [32]byte(r.Bytes(32))
		e, err := Encode(pub, &random)
		if err != nil || !decoded(&e).Equal(p) || !Decode(&e).Equal(pub) {
			t.Fatalf("%x: %x, %v", p, e, err)
		}
		if again, _ := Encode(pub, &random); again != e {
			t.Errorf("%x: %x and %x by the same randomness", p, e, again)
		}
		random[31] ^= 1
		other, _ := Encode(pub, &random)
		fresh1, err1 := Encode(pub, nil)
		fresh2, err2 := Encode(pub, nil)
		if other == e || fresh1 == e || fresh1 == fresh2 || err1 != nil || err2 != nil {
			t.Errorf("%x: twice the same encoding", p)
		}
		if !Decode(&fresh1).Equal(pub) || !Decode(&other).Equal(pub) {
			t.Errorf("%x: %x and %x", p, fresh1, other)
		}
	}
}

// TestUniform encodes one key many times and counts the encodings by their properties. By docs/ellswift.md, statement
// E5, all encodings of a key are equally likely. x is the third candidate in half of the encodings (u, t), the second
// in a quarter and the first in a quarter. u is uniform among the values that have a t, so each bit of u and of t is 0
// or 1 with equal probability, except the lowest bit of t, which is the parity of y.
func TestUniform(t *testing.T) {
	r := oracle.New(t)
	p := r.Point()
	pub := libtest.Public(t, p)
	samples := 20000
	if testing.Short() {
		samples = 2000
	}
	var ways [8]int
	var bits [512]int
	for i := range samples {
		random := [32]byte(r.Bytes(32))
		e, err := Encode(pub, &random)
		if err != nil {
			t.Fatal(err)
		}
		for j := range bits {
			bits[j] += int(e[j/8] >> (7 - j%8) & 1)
		}
		if i%10 != 0 {
			continue
		}
		u, v := oracle.Int(e[:32]), oracle.Int(e[32:])
		found := -1
		for way := range 8 {
			if w := oracle.XSwiftECInv(p.X, u, way); w != nil && w.Cmp(v) == 0 {
				found = way
			}
		}
		if found < 0 {
			t.Fatalf("%x is none of the eight ways", e)
		}
		ways[found]++
	}
	within := func(name string, got, n int, p float64) {
		t.Helper()
		// The limit is six standard deviations.
		if d := float64(got) - float64(n)*p; d*d > 36*float64(n)*p*(1-p) {
			t.Errorf("%s: %d of %d, want about %.0f", name, got, n, float64(n)*p)
		}
	}
	for way, n := range ways {
		within(fmt.Sprint("way ", way), n, samples/10, 1.0/8)
	}
	for j, n := range bits {
		if j == 511 { // the parity of y
			continue
		}
		within("a bit", n, samples, 0.5)
	}
	if bits[511] != samples*int(p.Y.Bit(0)) {
		t.Errorf("the parity of t is not that of y: %d of %d", bits[511], samples)
	}
}

// secretOf returns the shared x coordinate and the result of BIP-324's v2_ecdh, computed by the oracle.
func secretOf(d *big.Int, ours, theirs *[64]byte, initiator bool) (x, secret [32]byte) {
	x = oracle.Bytes(decoded(theirs).Mul(d).X)
	if initiator {
		return x, oracle.TaggedHash("bip324_ellswift_xonly_ecdh", ours[:], theirs[:], x[:])
	}
	return x, oracle.TaggedHash("bip324_ellswift_xonly_ecdh", theirs[:], ours[:], x[:])
}

func TestECDH(t *testing.T) {
	r := oracle.New(t)
	for range 50 {
		d := r.ValidScalar()
		priv := func() *p256k1.PrivateKey { return libtest.Private(t, d) }
		ours, err := Encode(priv().PublicKey(), nil)
		if err != nil {
			t.Fatal(err)
		}
		theirs := [64]byte(r.Bytes(64))
		before := theirs
		for _, initiator := range []bool{true, false} {
			x, secret := secretOf(d, &ours, &theirs, initiator)
			one, err1 := NewPrivateKey(priv(), &ours)
			two, err2 := NewPrivateKey(priv(), &ours)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			if got, err := one.ECDH(&theirs, initiator); err != nil || got != secret {
				t.Errorf("ECDH of %x and %x: %x, %v, want %x", d, theirs, got, err, secret)
			}
			if got, err := two.X(&theirs); err != nil || got != x {
				t.Errorf("X of %x and %x: %x, %v, want %x", d, theirs, got, err, x)
			}
		}
		if theirs != before {
			t.Error("the peer's bytes are changed")
		}
	}
}

func TestExchange(t *testing.T) {
	for range 20 {
		a, fromA, err1 := GenerateKey()
		b, fromB, err2 := GenerateKey()
		c, fromC, err3 := GenerateKey()
		if err1 != nil || err2 != nil || err3 != nil || fromA == fromB || fromB == fromC {
			t.Fatal(err1, err2, err3)
		}
		ab, err1 := a.ECDH(&fromB, true)
		ba, err2 := b.ECDH(&fromA, false)
		ca, err3 := c.ECDH(&fromA, false)
		if err1 != nil || err2 != nil || err3 != nil || ab != ba || ca == ab {
			t.Errorf("%x (%v), %x (%v), %x (%v)", ab, err1, ba, err2, ca, err3)
		}
	}
	// If both sides act as the initiator, their secrets differ.
	a, fromA, _ := GenerateKey()
	b, fromB, _ := GenerateKey()
	ab, _ := a.ECDH(&fromB, true)
	if ba, _ := b.ECDH(&fromA, true); ab == ba {
		t.Error("the roles do not count")
	}
}

// TestUsedUp uses keys from many goroutines and through copies, and checks that exactly one use succeeds.
func TestUsedUp(t *testing.T) {
	r := oracle.New(t)
	theirs := [64]byte(r.Bytes(64))
	for range 20 {
		priv := libtest.Private(t, r.ValidScalar())
		ours, _ := Encode(priv.PublicKey(), nil)
		k, err := NewPrivateKey(priv, &ours)
		if err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		results := make(chan error, 8)
		for i := range cap(results) {
			group.Go(func() {
				c := *k
				var err error
				if i%2 == 0 {
					_, err = c.X(&theirs)
				} else {
					_, err = c.ECDH(&theirs, true)
				}
				results <- err
			})
		}
		group.Wait()
		close(results)
		used := 0
		for err := range results {
			if err == nil {
				used++
			} else {
				libtest.CheckError(t, err, p256k1.ErrNoKey, "private key", "used")
			}
		}
		if used != 1 {
			t.Errorf("used %d times", used)
		}
		priv.Zero()
		_, err = NewPrivateKey(priv, &ours)
		libtest.CheckError(t, err, p256k1.ErrNoKey, "private key")
	}
	k, _, _ := GenerateKey()
	k.Zero()
	k.Zero()
	for _, k := range []*PrivateKey{k, {}, nil} {
		k.Zero()
		if x, err := k.X(&theirs); x != [32]byte{} || !errors.Is(err, p256k1.ErrNoKey) {
			t.Errorf("X without a key: %x, %v", x, err)
		}
		if s, err := k.ECDH(&theirs, false); s != [32]byte{} || !errors.Is(err, p256k1.ErrNoKey) {
			t.Errorf("ECDH without a key: %x, %v", s, err)
		}
	}
}

// TestCopied makes several keys from one private key, and uses all of them at once. If using one key wiped the private
// key of another, the race detector would report a data race.
func TestCopied(t *testing.T) {
	r := oracle.New(t)
	theirs := [64]byte(r.Bytes(64))
	for range 20 {
		d := r.ValidScalar()
		priv := libtest.Private(t, d)
		ours, _ := Encode(priv.PublicKey(), nil)
		_, want := secretOf(d, &ours, &theirs, true)
		var group sync.WaitGroup
		for range 4 {
			k, err := NewPrivateKey(priv, &ours)
			if err != nil {
				t.Fatal(err)
			}
			own := k.state.priv.Load()
			group.Go(func() {
				if got, err := k.ECDH(&theirs, true); err != nil || got != want {
					t.Errorf("%x, %v, want %x", got, err, want)
				}
				if own.Bytes() != nil {
					t.Error("the copy is not wiped")
				}
			})
		}
		group.Wait()
		if b := oracle.Bytes(d); string(priv.Bytes()) != string(b[:]) {
			t.Error("the caller's key has changed")
		}
	}
}

func TestForeignEncoding(t *testing.T) {
	r := oracle.New(t)
	for range 20 {
		priv := libtest.Private(t, r.ValidScalar())
		ours, _ := Encode(priv.PublicKey(), nil)
		minus, _ := Encode(priv.PublicKey().Negate(), nil)
		if _, err := NewPrivateKey(priv, &minus); err != nil {
			t.Errorf("an encoding of the same x: %v", err)
		}
		for i := range 64 {
			ours[i] ^= 1 << r.IntN(8)
			if k, err := NewPrivateKey(priv, &ours); k != nil || !errors.Is(err, ErrEncoding) {
				t.Errorf("a key with %x: %v", ours, err)
			}
		}
	}
	if _, err := Encode(new(p256k1.PublicKey), nil); !errors.Is(err, p256k1.ErrNoKey) {
		t.Errorf("the encoding of no key: %v", err)
	}
}

// TestNil passes nil for each pointer argument, except that of Decode, which panics.
func TestNil(t *testing.T) {
	k, ours, err := GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	if s, err := k.ECDH(nil, true); s != [32]byte{} || !errors.Is(err, p256k1.ErrLength) {
		t.Errorf("ECDH with nil: %x, %v", s, err)
	}
	if x, err := k.X(nil); x != [32]byte{} || !errors.Is(err, p256k1.ErrLength) {
		t.Errorf("X with nil: %x, %v", x, err)
	}
	// The failed call must not have used the key up.
	if _, err := k.X(&ours); err != nil {
		t.Error(err)
	}
	priv, err := p256k1.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	if k, err := NewPrivateKey(nil, &ours); k != nil || !errors.Is(err, p256k1.ErrNoKey) {
		t.Errorf("NewPrivateKey of nil: %v", err)
	}
	if k, err := NewPrivateKey(priv, nil); k != nil || !errors.Is(err, ErrEncoding) {
		t.Errorf("NewPrivateKey with nil: %v", err)
	}
	if e, err := Encode(nil, nil); e != [64]byte{} || !errors.Is(err, p256k1.ErrNoKey) {
		t.Errorf("Encode of nil: %x, %v", e, err)
	}
}

func TestFormat(t *testing.T) {
	k, _, err := GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{k, *k, PrivateKey{}} {
		for _, format := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x"} {
			if text := fmt.Sprintf(format, v); text != privateKeyText {
				t.Errorf("%s: %s", format, text)
			}
		}
	}
}

package schnorr

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/vectors"
)

// join returns r‖s, for any r and s.
func join(r, s *big.Int) []byte {
	a, b := oracle.Bytes(r), oracle.Bytes(s)
	return append(a[:], b[:]...)
}

// challenge returns the challenge e of BIP-340, computed by the oracle.
func challenge(r *big.Int, pub, msg []byte) *big.Int {
	rx := oracle.Bytes(r)
	e := oracle.TaggedHash("BIP0340/challenge", rx[:], pub, msg)
	return oracle.Fn.Reduce(oracle.Int(e[:]))
}

// even returns d or −d, whichever has a public key with even y.
func even(d *big.Int) *big.Int {
	if oracle.G.Mul(d).Y.Bit(0) == 1 {
		return oracle.Fn.Neg(d)
	}
	return d
}

// TestChallenge compares challenges of messages of many lengths with the oracle's.
func TestChallenge(t *testing.T) {
	r := oracle.New(t)
	for n := range 130 {
		x, pub, msg := oracle.Int(r.Bytes(32)), r.Bytes(32), r.Bytes(n)
		rx := oracle.Bytes(x)
		if e := Challenge(rx[:], pub, msg); oracle.Int(e.Bytes()).Cmp(challenge(x, pub, msg)) != 0 {
			t.Errorf("Challenge(%x, %x, %x) = %x", rx, pub, msg, e.Bytes())
		}
	}
}

func TestVectors(t *testing.T) {
	rows, err := csv.NewReader(vectors.Open(t, "bip340/test-vectors.csv")).ReadAll()
	if err != nil || len(rows) != 20 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows[1:] {
		var field [6][]byte
		for i := range field {
			if field[i], err = hex.DecodeString(row[i]); err != nil && i > 0 {
				t.Fatal(err)
			}
		}
		secret, pub, aux, msg, want := field[1], field[2], field[3], field[4], field[5]
		if got := VerifyBytes(pub, msg, want); got != (row[6] == "TRUE") {
			t.Errorf("row %s (%s): %v", row[0], row[7], got)
		}
		if len(secret) == 0 {
			continue
		}
		k, err := p256k1.ParsePrivateKey(secret)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Sign(k, msg, &Options{AuxRand: (*[32]byte)(aux)})
		if err != nil || !bytes.Equal(got[:], want) || !bytes.Equal(k.PublicKey().XOnly().Bytes(), pub) {
			t.Errorf("row %s (%s): %x, %v", row[0], row[7], got, err)
		}
	}
}

// checkSign compares signatures, with and without Checked, with the oracle's, and verifies them with this package.
func checkSign(t *testing.T, d *big.Int, msg []byte, aux *[32]byte) {
	t.Helper()
	k := libtest.Private(t, d)
	sig, err := Sign(k, msg, &Options{AuxRand: aux})
	want, _ := oracle.SignSchnorr(d, msg, *aux)
	if err != nil || sig != want {
		t.Fatalf("d = %x, %d bytes %.40x, aux %x: %x, want %x (%v)", d, len(msg), msg, aux, sig, want, err)
	}
	if checked, err := Sign(k, msg, &Options{AuxRand: aux, Checked: true}); err != nil || checked != sig {
		t.Fatalf("d = %x, %d bytes %.40x, aux %x: checked %x, want %x (%v)", d, len(msg), msg, aux, checked, want, err)
	}
	pub := k.PublicKey().XOnly()
	if !Verify(pub, msg, sig[:]) || !VerifyBytes(pub.Bytes(), msg, sig[:]) {
		t.Fatalf("d = %x, %d bytes %.40x: %x does not verify", d, len(msg), msg, sig)
	}
	if !k.Equal(libtest.Private(t, d)) {
		t.Fatalf("d = %x: changed by signing", d)
	}
}

func TestSign(t *testing.T) {
	r := oracle.New(t)
	n := 60
	if testing.Short() {
		n = 10
	}
	for _, d := range []*big.Int{big.NewInt(1), big.NewInt(6), oracle.Fn.Neg(big.NewInt(1)), oracle.Fn.Neg(big.NewInt(6))} {
		checkSign(t, d, nil, new([32]byte))
		checkSign(t, d, make([]byte, 32), new([32]byte))
	}
	for range n {
		aux := [32]byte(r.Bytes(32))
		checkSign(t, r.ValidScalar(), r.Message(300), &aux)
	}
	lengths := []int{0, 1, 2, 31, 32, 33, 54, 55, 56, 63, 64, 65, 1000, 1 << 16, 1 << 20}
	var b Batch
	for _, n := range lengths {
		k, msg := libtest.Private(t, big.NewInt(5)), bytes.Repeat([]byte{byte(n), 1}, n)[:n]
		sig, err := Sign(k, msg, nil)
		if err != nil {
			t.Fatal(err)
		}
		b.Add(k.PublicKey().XOnly().Bytes(), msg, sig[:])
		b.AddKey(k.PublicKey().XOnly(), msg, sig[:])
		checkSign(t, r.ValidScalar(), msg, new([32]byte))
	}
	if bad := b.Invalid(nil); bad != nil {
		t.Errorf("messages of %v bytes, each twice in a batch: %v are invalid", lengths, bad)
	}
}

// TestSignParities signs with keys and nonces whose points have even and odd y.
func TestSignParities(t *testing.T) {
	r := oracle.New(t)
	seen := make(map[[2]uint]int)
	for i := range 40 {
		d, msg := r.ValidScalar(), []byte{byte(i)}
		sig, err := Sign(libtest.Private(t, d), msg, &Options{AuxRand: new([32]byte)})
		if err != nil {
			t.Fatal(err)
		}
		R, ok := oracle.LiftX(oracle.Int(sig[:32]))
		if !ok {
			t.Fatalf("R of %x is off the curve", sig)
		}
		// k is the nonce as BIP-340 derives it, before it is negated if its point has odd y.
		db := oracle.Bytes(even(d))
		aux := oracle.TaggedHash("BIP0340/aux", make([]byte, 32))
		for i := range db {
			db[i] ^= aux[i]
		}
		px := oracle.Bytes(oracle.G.Mul(d).X)
		k := oracle.TaggedHash("BIP0340/nonce", db[:], px[:], msg)
		point := oracle.G.Mul(oracle.Int(k[:]))
		if point.X.Cmp(R.X) != 0 {
			t.Fatalf("d = %x: another nonce", d)
		}
		seen[[2]uint{oracle.G.Mul(d).Y.Bit(0), point.Y.Bit(0)}]++
	}
	for p := range uint(4) {
		if seen[[2]uint{p & 1, p >> 1}] < 3 {
			t.Errorf("parities seen: %v", seen)
		}
	}
}

func TestSignRandom(t *testing.T) {
	k, msg := libtest.Private(t, big.NewInt(5)), []byte("message")
	seen := make(map[[64]byte]bool)
	for range 8 {
		sig, err := Sign(k, msg, nil)
		if err != nil || !Verify(k.PublicKey().XOnly(), msg, sig[:]) {
			t.Fatalf("%x, %v", sig, err)
		}
		seen[sig] = true
	}
	for _, aux := range []*[32]byte{{}, {31: 1}, {0: 1}} {
		sig, err := Sign(k, msg, &Options{AuxRand: aux})
		if err != nil {
			t.Fatal(err)
		}
		if seen[sig] {
			t.Errorf("auxiliary randomness %x does not matter", aux)
		}
		seen[sig] = true
	}
	if len(seen) != 11 {
		t.Errorf("%d different signatures of 8 with fresh randomness and 3 with other", len(seen))
	}
}

// TestMalleability flips every bit of a signature, a key and a message. No result may verify.
func TestMalleability(t *testing.T) {
	k := libtest.Private(t, big.NewInt(5))
	pub, msg := k.PublicKey().XOnly().Bytes(), []byte("a message of 33 bytes, 264 bits..")
	sig, err := Sign(k, msg, &Options{AuxRand: new([32]byte)})
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"signature": sig[:], "key": pub, "message": msg} {
		for i := range 8 * len(b) {
			b[i/8] ^= 1 << (i % 8)
			if VerifyBytes(pub, msg, sig[:]) {
				t.Errorf("valid with bit %d of the %s flipped", i, name)
			}
			b[i/8] ^= 1 << (i % 8)
		}
	}
	for _, other := range [][]byte{nil, msg[:32], append(bytes.Clone(msg), 0), append([]byte{0}, msg...)} {
		if VerifyBytes(pub, other, sig[:]) {
			t.Errorf("valid for %q", other)
		}
	}
	if !VerifyBytes(pub, msg, sig[:]) {
		t.Error("the signature itself is not valid")
	}
	// Negating s does not give another valid signature, unlike in ECDSA.
	r, s := oracle.Int(sig[:32]), oracle.Int(sig[32:])
	if VerifyBytes(pub, msg, join(r, oracle.Fn.Neg(s))) {
		t.Error("valid with −s")
	}
}

// TestVerifyRefuses makes a valid signature, and signatures that break BIP-340's equation or one of its other rules.
func TestVerifyRefuses(t *testing.T) {
	r := oracle.New(t)
	for range 10 {
		d, k, msg := even(r.ValidScalar()), even(r.ValidScalar()), r.Message(100)
		key := libtest.Private(t, d).PublicKey().XOnly()
		pub, x := key.Bytes(), oracle.G.Mul(k).X
		check := func(what string, want bool, r, s *big.Int) {
			t.Helper()
			sig := join(r, s)
			if got := Verify(key, msg, sig); got != want || Verify(key.Precomputed(), msg, sig) != want || VerifyBytes(pub, msg, sig) != want || oracle.VerifySchnorr(pub, msg, sig) != want {
				t.Errorf("%s: d = %x, k = %x, message %x: %v", what, d, k, msg, got)
			}
		}
		sum := func(k, e *big.Int) *big.Int { return oracle.Fn.Add(k, oracle.Fn.Mul(e, d)) }
		e := challenge(x, pub, msg)
		s := sum(k, e)
		check("right", true, x, s)
		check("R odd", false, x, sum(oracle.Fn.Neg(k), e))
		check("R infinity", false, x, sum(new(big.Int), e))
		zero := new(big.Int)
		check("R infinity and r = 0", false, zero, sum(zero, challenge(zero, pub, msg)))
		check("P odd", false, x, sum(k, oracle.Fn.Neg(e)))
		check("s = 0", false, x, zero)
		check("s = n", false, x, oracle.N)
		check("s = 2²⁵⁶ − 1", false, x, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1)))
		check("r = p", false, oracle.P, s)
		for _, bad := range oracle.BadX() {
			v := oracle.Int(bad[:])
			check(fmt.Sprintf("r = %x", v), false, v, s)
			// With the challenge of these bytes, s·G − e·P has even y, but its x coordinate is x and not r.
			check(fmt.Sprintf("r = %x, but R has another x", v), false, v, sum(k, challenge(v, pub, msg)))
		}
		check("the challenge of another r", false, x, sum(k, challenge(oracle.Fp.Add(x, big.NewInt(1)), pub, msg)))
	}
}

func TestVerifyLengths(t *testing.T) {
	k, msg := libtest.Private(t, big.NewInt(5)), []byte("message")
	sig, err := Sign(k, msg, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := k.PublicKey().XOnly()
	long, longKey := append(sig[:], make([]byte, 40)...), append(x.Bytes(), make([]byte, 40)...)
	for n := range 101 {
		if Verify(x, msg, long[:n]) != (n == Size) || VerifyBytes(x.Bytes(), msg, long[:n]) != (n == Size) {
			t.Errorf("a signature of %d bytes", n)
		}
		if n <= len(longKey) && VerifyBytes(longKey[:n], msg, sig[:]) != (n == 32) {
			t.Errorf("a key of %d bytes", n)
		}
	}
	for _, pub := range [][]byte{k.PublicKey().Bytes(), k.PublicKey().BytesUncompressed()} {
		if VerifyBytes(pub, msg, sig[:]) {
			t.Errorf("the key %x is accepted", pub)
		}
	}
	// These signatures would be valid if a key that is not on the curve were treated as infinity.
	for _, bad := range oracle.BadX() {
		k := even(big.NewInt(3))
		if VerifyBytes(bad[:], msg, join(oracle.G.Mul(k).X, k)) {
			t.Errorf("the key %x is accepted", bad)
		}
	}
}

func TestTaggedHash(t *testing.T) {
	r := oracle.New(t)
	for _, tag := range []string{"", "TapTweak", "BIP0340/challenge", "a tag that is longer than the 64 bytes of a block of SHA-256 ........"} {
		for n := range 4 {
			parts := make([][]byte, n)
			for i := range parts {
				parts[i] = r.Message(100)
			}
			want := oracle.TaggedHash(tag, parts...)
			if got := TaggedHash(tag, parts...); got != want || TaggedHash(tag, bytes.Join(parts, nil)) != want {
				t.Errorf("%q of %x: %x, want %x", tag, parts, got, want)
			}
		}
	}
	for name, tag := range map[string]Tag{"BIP0340/aux": auxTag, "BIP0340/nonce": nonceTag, "BIP0340/challenge": challengeTag} {
		if want := sha256.Sum256([]byte(name)); tag != want {
			t.Errorf("the constant of %s is %x, want %x", name, tag, want)
		}
	}
}

func TestErrFault(t *testing.T) {
	if err := errFault(); !errors.Is(err, p256k1.ErrFault) {
		t.Error(err)
	}
}

package ethereum

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"golang.org/x/crypto/sha3"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdsa"
)

func key(t testing.TB, n uint64) *p256k1.PrivateKey {
	t.Helper()
	var b [32]byte
	binary.BigEndian.PutUint64(b[24:], n)
	k, err := p256k1.ParsePrivateKey(b[:])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// signed returns a hash, a signature of this hash with v = 27 or 28, and the sender.
func signed(t testing.TB, n uint64) (hash [32]byte, sig [65]byte, a Address) {
	t.Helper()
	hash = Keccak256(binary.BigEndian.AppendUint64(nil, n))
	k := key(t, n%7+1)
	s, err := ecdsa.SignRecoverable(k, hash[:], nil)
	if err != nil {
		t.Fatal(err)
	}
	if a, err = AddressOf(k.PublicKey()); err != nil {
		t.Fatal(err)
	}
	return hash, [65]byte(s.BytesEthereum()), a
}

// high returns the signature with n − s instead of s, and with the other parity in v.
func high(t testing.TB, sig [65]byte) [65]byte {
	t.Helper()
	var s curve.Scalar
	if _, err := s.SetBytes(sig[32:64]); err != nil {
		t.Fatal(err)
	}
	copy(sig[32:], s.Negate(&s).Bytes())
	sig[64] = 27 + (sig[64]+1-27)%2
	return sig
}

var order = []byte{
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe,
	0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41, 0x41,
}

// A refusal is a signature without a sender, and the error for it.
type refusal struct {
	sig [65]byte
	err error
}

// refusals returns changed versions of a signature that have no sender. The version with a high s has no sender since
// Homestead.
func refusals(t testing.TB, sig [65]byte) (all []refusal) {
	add := func(err error, change func(*[65]byte)) {
		s := sig
		change(&s)
		all = append(all, refusal{s, err})
	}
	for _, v := range []byte{2, 3, 26, 29, 30, 35, 36, 37, 255} {
		add(ErrV, func(s *[65]byte) { s[64] = v })
	}
	for _, place := range []int{0, 32} {
		add(p256k1.ErrRange, func(s *[65]byte) { clear(s[place : place+32]) })
		add(p256k1.ErrRange, func(s *[65]byte) { copy(s[place:], order) })
		add(p256k1.ErrRange, func(s *[65]byte) { copy(s[place:], order); s[place+31]++ })
	}
	add(ErrHighS, func(s *[65]byte) { *s = high(t, *s) })
	add(ecdsa.ErrRecover, func(s *[65]byte) { clear(s[:32]); s[31] = 5 }) // no point has x = 5
	return all
}

func TestSender(t *testing.T) {
	for n := range uint64(20) {
		hash, sig, want := signed(t, n)
		for _, v := range []byte{sig[64], sig[64] - 27} {
			sig[64] = v
			if a, err := Sender(hash, sig); err != nil || a != want {
				t.Errorf("%x: %v, %v, want %v", sig, a, err, want)
			}
		}
		sig[64] += 27
		for _, c := range refusals(t, sig) {
			a, err := Sender(hash, c.sig)
			if !errors.Is(err, c.err) || a != (Address{}) {
				t.Errorf("%x: %v, %v, want %v", c.sig, a, err, c.err)
			}
			a, err = Recoverer{AllowHighS: true}.Sender(hash, c.sig)
			switch {
			case c.err == ErrHighS && (err != nil || a != want):
				t.Errorf("high s: %v, %v", a, err)
			case c.err != ErrHighS && (!errors.Is(err, c.err) || a != (Address{})):
				t.Errorf("%x, with high s: %v, %v, want %v", c.sig, a, err, c.err)
			}
		}
	}
}

// TestERC2098 recovers the signer of the messages in ERC-2098's test vectors, whose private key is 1234567890 repeated.
func TestERC2098(t *testing.T) {
	d, err := hex.DecodeString("1234567890123456789012345678901234567890123456789012345678901234")
	if err != nil {
		t.Fatal(err)
	}
	k, err := p256k1.ParsePrivateKey(d)
	if err != nil {
		t.Fatal(err)
	}
	want, err := AddressOf(k.PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	for message, text := range map[string]string{
		"Hello World":            "68a020a209d3d56c46f38cc50a33f704f4a9a10a59377f8dd762ac66910e9b907e865ad05c4035ab5792787d4a0297a43617ae897930a6fe4d822b8faea52064",
		"It's a small(er) world": "9328da16089fcba9bececa81663203989f2df5fe1faa6291a45381c81bd17f76939c6d6b623b42da56557e5e734a43dc83345ddfadec52cbe24d0cc64f550793",
	} {
		b, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		sig, err := ecdsa.ParseRecoverableERC2098(b)
		if err != nil {
			t.Fatal(err)
		}
		if a, err := Sender(PersonalHash([]byte(message)), [65]byte(sig.BytesEthereum())); err != nil || a != want {
			t.Errorf("%s: %v (%v), want %v", message, a, err, want)
		}
	}
}

// TestPersonalLong hashes a message whose length has more digits than others.
func TestPersonalLong(t *testing.T) {
	message := bytes.Repeat([]byte("message"), 176_367)
	h := sha3.NewLegacyKeccak256()
	h.Write(append([]byte("\x19Ethereum Signed Message:\n1234569"), message...))
	if got := PersonalHash(message); !bytes.Equal(got[:], h.Sum(nil)) {
		t.Errorf("%d bytes: %x", len(message), got)
	}
}

// TestHalf tests the largest s that Homestead allows, (n−1)/2, and the next larger s.
func TestHalf(t *testing.T) {
	hash, sig, _ := signed(t, 1)
	half, carry := make([]byte, 32), byte(0)
	for i, b := range order {
		half[i] = carry<<7 | b>>1
		carry = b & 1
	}
	copy(sig[32:], half)
	if _, err := Sender(hash, sig); err != nil {
		t.Errorf("s = (n-1)/2: %v", err)
	}
	sig[63]++
	if _, err := Sender(hash, sig); !errors.Is(err, ErrHighS) {
		t.Errorf("s = (n+1)/2: %v", err)
	}
}

func TestV(t *testing.T) {
	for range 1000 {
		chain, parity := rand.Uint64N((math.MaxUint64-35)/2), byte(rand.IntN(2))
		if p, c, protected, err := LegacyV(35 + 2*chain + uint64(parity)); p != parity || c != chain || !protected || err != nil {
			t.Fatalf("chain %d, parity %d: %d, %d, %t, %v", chain, parity, c, p, protected, err)
		}
	}
	for v := range uint64(40) {
		parity, chain, protected, err := LegacyV(v)
		ok := v == 27 || v == 28 || v >= 35
		if ok != (err == nil) || (!ok && !errors.Is(err, ErrV)) || protected != (v >= 35) || (ok && parity != byte(v+1)%2) || chain != (max(v, 35)-35)/2 {
			t.Errorf("v = %d: %d, %d, %t, %v", v, parity, chain, protected, err)
		}
		if parity, err := TypedV(v); (err == nil) != (v < 2) || (err != nil && !errors.Is(err, ErrV)) || (err == nil && uint64(parity) != v) {
			t.Errorf("typed, v = %d: %d, %v", v, parity, err)
		}
	}
	if _, chain, _, err := LegacyV(math.MaxUint64); chain != (math.MaxUint64-35)/2 || err != nil {
		t.Errorf("the greatest v: %d, %v", chain, err)
	}
	if _, err := TypedV(1 << 8); !errors.Is(err, ErrV) {
		t.Error(err)
	}
}

// TestAllocs checks which functions do not allocate.
func TestAllocs(t *testing.T) {
	hash, sig, want := signed(t, 1)
	hashes, sigs, dst := make([][32]byte, 300), make([][65]byte, 300), make([]Address, 300)
	for i := range hashes {
		hashes[i], sigs[i] = hash, sig
	}
	input := append(append(hash[:], make([]byte, 31)...), sig[64])
	input = append(input, sig[:64]...)
	out := make([]byte, 0, 32)
	pub := key(t, 2).PublicKey()
	for name, f := range map[string]func() bool{
		"Keccak256":     func() bool { return Keccak256(input) != [32]byte{} },
		"PersonalHash":  func() bool { return PersonalHash(input) != [32]byte{} },
		"TypedDataHash": func() bool { return TypedDataHash(hash, hash) != [32]byte{} },
		"AddressOf":     func() bool { a, err := AddressOf(pub); return err == nil && a == want },
		"Sender":        func() bool { a, err := Sender(hash, sig); return err == nil && a == want },
		"Senders":       func() bool { err := Senders(dst, hashes, sigs); return err == nil && dst[299] == want },
		"Ecrecover":     func() bool { return Address(Ecrecover(out, input)[12:]) == want },
	} {
		if got := testing.AllocsPerRun(20, func() {
			if !f() {
				t.Errorf("%s is wrong", name)
			}
		}); got != 0 {
			t.Errorf("%s: %v allocations", name, got)
		}
	}
}

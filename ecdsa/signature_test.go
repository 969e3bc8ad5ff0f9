package ecdsa

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestVerifyRanges checks the errors of the parsers for r and s at the bounds of their range.

func TestParseLengths(t *testing.T) {
	for n := range 101 {
		b := bytes.Repeat([]byte{0x1b}, n) // the header byte that Bitcoin uses, too
		if n == 65 {
			b[64] = 3
		}
		compact, err := ParseCompact(b)
		if n == 64 {
			libtest.CheckErrorIs(t, err, nil)
			if !bytes.Equal(compact.Bytes(), b) {
				t.Errorf("%x is parsed as %x", b, compact.Bytes())
			}
		} else {
			libtest.CheckErrorIs(t, err, p256k1.ErrLength, "signature", fmt.Sprintf("%d bytes, want 64", n))
		}
		_, err1 := ParseRecoverable(b)
		_, _, err2 := ParseRecoverableBitcoin(b)
		if n == 65 {
			b[64] = 27
		}
		_, err3 := ParseRecoverableEthereum(b)
		for _, err := range []error{err1, err2, err3} {
			if n == 65 {
				libtest.CheckErrorIs(t, err, nil)
			} else {
				libtest.CheckErrorIs(t, err, p256k1.ErrLength, " signature: ", fmt.Sprintf("%d bytes, want 65", n))
			}
		}
	}
}

// TestRecoverableEncodings parses all values of the byte with the recovery id, in all forms.
func TestRecoverableEncodings(t *testing.T) {
	rand := oracle.New(t)
	rs := raw(rand.ValidScalar(), rand.ValidScalar())
	for v := range 256 {
		b := append(rs.Bytes(), byte(v))
		sig, err := ParseRecoverable(b)
		if v < 4 {
			libtest.CheckErrorIs(t, err, nil)
			if sig.RecoveryID() != v || sig.Signature() != rs || !bytes.Equal(sig.Bytes(), b) {
				t.Errorf("v = %d: id %d, %x", v, sig.RecoveryID(), sig.Bytes())
			}
		} else {
			libtest.CheckErrorIs(t, err, ErrRecoveryID, fmt.Sprintf("v = %d", v))
			if sig != (RecoverableSignature{}) {
				t.Errorf("v = %d: %x beside the error", v, sig)
			}
		}

		ethereum, err := ParseRecoverableEthereum(b)
		switch v {
		case 0, 1, 27, 28:
			libtest.CheckErrorIs(t, err, nil)
			if ethereum.RecoveryID() != v%27 || ethereum.Signature() != rs || int(b[64]) != v {
				t.Errorf("Ethereum's v = %d: id %d, %x, %x", v, ethereum.RecoveryID(), ethereum.Bytes(), b)
			}
			if again := ethereum.BytesEthereum(); !bytes.Equal(again[:64], b[:64]) || int(again[64]) != 27+v%27 {
				t.Errorf("Ethereum's v = %d: encoded as %x", v, again)
			}
		default:
			libtest.CheckErrorIs(t, err, ErrRecoveryID, "Ethereum", fmt.Sprintf("v = %d, want 0, 1, 27 or 28", v))
			if strings.Contains(fmt.Sprint(err), "EIP-155") != (v >= 35) || ethereum != (RecoverableSignature{}) {
				t.Errorf("Ethereum's v = %d: %x beside %v", v, ethereum, err)
			}
		}
		if _, err := ParseRecoverableEthereum(sig.BytesEthereum()); v == 2 || v == 3 {
			libtest.CheckErrorIs(t, err, ErrRecoveryID)
		}

		b = append([]byte{byte(v)}, rs.rs[:]...)
		sig, compressed, err := ParseRecoverableBitcoin(b)
		if v < 27 || v > 34 {
			libtest.CheckErrorIs(t, err, ErrRecoveryID, fmt.Sprintf("header %d", v))
			named := map[bool]string{v >= 35 && v <= 38: " a P2SH-P2WPKH address: subtract 4", v >= 39 && v <= 42: " a P2WPKH address: subtract 8"}[true]
			if text := err.Error(); !strings.Contains(text, named) || strings.Contains(text, "BIP-137") != (named != "") {
				t.Errorf("header %d: %v", v, err)
			}
			if sig != (RecoverableSignature{}) || compressed {
				t.Errorf("header %d: %x, %v beside the error", v, sig, compressed)
			}
			continue
		}
		libtest.CheckErrorIs(t, err, nil)
		if sig.RecoveryID() != (v-27)%4 || compressed != (v >= 31) || sig.Signature() != rs || !bytes.Equal(sig.BytesBitcoin(compressed), b) {
			t.Errorf("header %d: id %d, compressed %v, %x", v, sig.RecoveryID(), compressed, sig.BytesBitcoin(compressed))
		}
		if other := sig.BytesBitcoin(!compressed); int(other[0]) != 27+((v-27)^4) || !bytes.Equal(other[1:], b[1:]) {
			t.Errorf("header %d: with the other compression %x", v, other)
		}
	}
}

// TestSignatureCopies changes the results of the accessors, and checks that the signature is unchanged.
func TestSignatureCopies(t *testing.T) {
	sig := raw(big.NewInt(3), big.NewInt(4))
	recoverable := rawRecoverable(big.NewInt(3), big.NewInt(4), 1)
	in := append(sig.Bytes(), 1)
	parsed, err := ParseRecoverable(in)
	if err != nil {
		t.Fatal(err)
	}
	clear(in)
	clear(sig.Bytes())
	clear(sig.DER())
	clear(recoverable.Bytes())
	clear(recoverable.BytesBitcoin(true))
	clear(recoverable.BytesEthereum())
	short, err := recoverable.BytesERC2098()
	if err != nil {
		t.Fatal(err)
	}
	if back, err := ParseRecoverableERC2098(short); err != nil || back != recoverable {
		t.Errorf("ERC-2098: %x, %v", back, err)
	}
	clear(short)
	if sig != raw(big.NewInt(3), big.NewInt(4)) || recoverable != rawRecoverable(big.NewInt(3), big.NewInt(4), 1) || parsed != recoverable {
		t.Error("a signature shares memory with its encoding")
	}
}

func TestNormalizeS(t *testing.T) {
	for _, c := range []struct {
		s, want *big.Int
		low     bool
	}{
		{big.NewInt(1), big.NewInt(1), true},
		{oracle.HalfN, oracle.HalfN, true},
		{add(oracle.HalfN, 1), oracle.HalfN, false},
		{add(oracle.N, -1), big.NewInt(1), false},
	} {
		sig := raw(big.NewInt(7), c.s)
		if sig.IsLowS() != c.low || sig.NormalizeS() != raw(big.NewInt(7), c.want) || sig != raw(big.NewInt(7), c.s) {
			t.Errorf("s = %x: low %v, normalized %x", c.s, sig.IsLowS(), sig.NormalizeS())
		}
	}
}

// TestNormalizeRecoverable checks, for all recovery ids, that Recover returns the same key before and after NormalizeS,
// and another one if only s changes.
func TestNormalizeRecoverable(t *testing.T) {
	rand := oracle.New(t)
	found := 0
	rs := []*big.Int{big.NewInt(2), big.NewInt(4), big.NewInt(6), big.NewInt(16)} // r and r + n are x coordinates
	for _, r := range append(rs, rand.ValidScalar(), rand.ValidScalar(), rand.ValidScalar()) {
		for _, s := range []*big.Int{rand.ValidScalar(), big.NewInt(1), add(oracle.N, -1), oracle.HalfN, add(oracle.HalfN, 1)} {
			digest := rand.Bytes(32)
			for id := range 4 {
				sig := rawRecoverable(r, s, id)
				low := sig.NormalizeS()
				if low.Signature() != sig.Signature().NormalizeS() || low.NormalizeS() != low || (low == sig) != sig.Signature().IsLowS() || low.RecoveryID()&2 != id&2 {
					t.Fatalf("%v is made low as %v", sig, low)
				}
				want, err := Recover(digest, sig)
				got, err2 := Recover(digest, low)
				if (err == nil) != (err2 == nil) || (err == nil && !got.Equal(want)) {
					t.Fatalf("%v: %v (%v), made low %v (%v)", sig, want, err, got, err2)
				}
				if err != nil {
					continue
				}
				found++
				naive := sig
				copy(naive.rsv[:], low.rsv[:64])
				if other, err := Recover(digest, naive); err == nil && other.Equal(want) != (low == sig) {
					t.Fatalf("%v with the id of the high s: %v", low, other)
				}
			}
		}
	}
	if found < 4*5*4 {
		t.Errorf("%d keys", found)
	}
	if (RecoverableSignature{}).NormalizeS() != (RecoverableSignature{}) {
		t.Error("the zero value changes")
	}
}

// TestERC2098 reads and writes the test vectors of ERC-2098, and refuses what the form does not allow.
func TestERC2098(t *testing.T) {
	for _, c := range []struct {
		r, s, compact string
		id            int
	}{
		{"68a020a209d3d56c46f38cc50a33f704f4a9a10a59377f8dd762ac66910e9b90", "7e865ad05c4035ab5792787d4a0297a43617ae897930a6fe4d822b8faea52064",
			"7e865ad05c4035ab5792787d4a0297a43617ae897930a6fe4d822b8faea52064", 0},
		{"9328da16089fcba9bececa81663203989f2df5fe1faa6291a45381c81bd17f76", "139c6d6b623b42da56557e5e734a43dc83345ddfadec52cbe24d0cc64f550793",
			"939c6d6b623b42da56557e5e734a43dc83345ddfadec52cbe24d0cc64f550793", 1},
	} {
		want := rawRecoverable(oracle.Int(libtest.Unhex(c.r)), oracle.Int(libtest.Unhex(c.s)), c.id)
		in := libtest.Unhex(c.r + c.compact)
		got, err := ParseRecoverableERC2098(in)
		back, err2 := want.BytesERC2098()
		if err != nil || err2 != nil || got != want || !bytes.Equal(back, in) || hex.EncodeToString(in) != c.r+c.compact {
			t.Errorf("%x: %v (%v), written as %x (%v)", in, got, err, back, err2)
		}
	}

	one, high := big.NewInt(1), add(oracle.HalfN, 1)
	for id := range 4 {
		for _, s := range []*big.Int{one, oracle.HalfN, high, new(big.Int).Lsh(one, 255), add(oracle.N, -1)} {
			sig := rawRecoverable(one, s, id)
			b, err := sig.BytesERC2098()
			if id > 1 {
				libtest.CheckErrorIs(t, err, ErrRecoveryID, fmt.Sprintf("ERC-2098 signature: invalid recovery id: %d, want 0 or 1", id))
			} else if s.Cmp(high) >= 0 {
				libtest.CheckErrorIs(t, err, p256k1.ErrRange, "(n-1)/2")
				if b, err = sig.NormalizeS().BytesERC2098(); err == nil {
					sig, err = ParseRecoverableERC2098(b)
				}
				if err != nil || sig != rawRecoverable(one, s, id).NormalizeS() {
					t.Errorf("%v made low: %x, %v", sig, b, err)
				}
				continue
			}
			if (err == nil) != (b != nil) || (err == nil) != (id <= 1) {
				t.Errorf("%v: %x, %v", sig, b, err)
			}
		}
	}
	_, err := RecoverableSignature{}.BytesERC2098()
	libtest.CheckErrorIs(t, err, p256k1.ErrRange, "never set")
	for _, s := range []*big.Int{high, new(big.Int).Add(high, new(big.Int).Lsh(one, 255)), new(big.Int), new(big.Int).Lsh(one, 255), add(new(big.Int).Lsh(one, 256), -1)} {
		for _, r := range []*big.Int{one, new(big.Int), oracle.N} {
			b := slices.Concat(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32)))
			sig, err := ParseRecoverableERC2098(b)
			if s.BitLen() == 256 && r == one && s.Bit(0) == 1 { // 7fff… is high
				libtest.CheckErrorIs(t, err, p256k1.ErrRange, "(n-1)/2")
			}
			if !errors.Is(err, p256k1.ErrRange) || sig != (RecoverableSignature{}) {
				t.Errorf("%x: %v, %v", b, sig, err)
			}
		}
	}
	for _, n := range []int{0, 32, 63, 65, 66} {
		_, err := ParseRecoverableERC2098(make([]byte, n))
		libtest.CheckErrorIs(t, err, p256k1.ErrLength, "ERC-2098", fmt.Sprintf("%d bytes, want 64", n))
	}
}

// TestHints passes what people pass instead of a signature in one of the forms. The error must say what it is.
func TestHints(t *testing.T) {
	rand := oracle.New(t)
	sig := rawRecoverable(rand.ValidScalar(), rand.ValidScalar(), 1)
	rs, rsv, der := sig.Signature().Bytes(), sig.Bytes(), sig.Signature().DER()
	text := func(b []byte) []byte { return hex.AppendEncode(nil, b) }
	base := func(b []byte) []byte { return base64.StdEncoding.AppendEncode(nil, b) }
	for what, c := range map[string]struct {
		in                            []byte
		compact, recoverable, fromDER string // words of the errors, or "-" if the bytes have the right form
	}{
		"r‖s":                  {rs, "-", "ParseRecoverableERC2098", "ParseCompact reads"},
		"r‖s‖v":                {rsv, "ParseRecoverable reads", "-", "ParseRecoverable reads"},
		"DER":                  {der, "ParseDER reads", "ParseDER reads", "-"},
		"DER with a hash type": {append(der[:len(der):len(der)], 1), "ParseDER reads", "ParseDER reads", "remove Bitcoin's hash type"},
		"digits of r‖s":        {text(rs), "hexadecimal", "hexadecimal", "hexadecimal"},
		"digits of r‖s‖v":      {append([]byte("0x"), text(rsv)...), "hexadecimal", "hexadecimal", "hexadecimal"},
		"digits of DER":        {text(der), "hexadecimal", "hexadecimal", "hexadecimal"},
		"base64 of r‖s":        {base(rs), "base64", "base64", "base64"},
		"base64 of r‖s‖v":      {base(rsv), "base64", "base64", "base64"},
		"base64 of DER":        {base(der), "base64", "base64", "base64"},
		"PEM":                  {[]byte("-----BEGIN X-----\n-----END X-----"), "PEM", "PEM", "PEM"},
		"an address":           {rs[:20], "20 bytes, want 64", "20 bytes, want 65", "not strict DER"},
		"x":                    {rs[:32], "32 bytes, want 64", "32 bytes, want 65", "not strict DER"},
	} {
		_, err1 := ParseCompact(c.in)
		_, err2 := ParseRecoverable(c.in)
		_, err3 := ParseRecoverableEthereum(c.in)
		_, _, err4 := ParseRecoverableBitcoin(c.in)
		_, err5 := ParseRecoverableERC2098(c.in)
		_, err6 := ParseDER(c.in)
		if what == "r‖s‖v" || what == "r‖s" { // the length is right, and perhaps a value is not
			err4, err5 = nil, nil
		}
		if what == "r‖s‖v" {
			_, err5 = ParseRecoverableERC2098(c.in)
		}
		for i, want := range []string{c.compact, c.recoverable, c.recoverable, c.recoverable, c.compact, c.fromDER} {
			err := []error{err1, err2, err3, err4, err5, err6}[i]
			if want != "-" && err == nil && what == "r‖s" {
				continue
			}
			if (err == nil) != (want == "-") || (err != nil && !strings.Contains(err.Error(), want)) || (want != "hexadecimal" && strings.Contains(fmt.Sprint(err), "hexadecimal")) {
				t.Errorf("%s, %d: %v, want %q", what, i, err, want)
			}
		}
		var short Signature
		var long RecoverableSignature
		err1, err2 = short.UnmarshalText(text(c.in)), long.UnmarshalText(text(c.in))
		if c.compact != "-" && !strings.Contains(fmt.Sprint(err1), strings.ReplaceAll(c.compact, "bytes, want 64", "")) && what != "an address" && what != "x" {
			t.Errorf("digits of %s: %v, want %q", what, err1, c.compact)
		}
		if c.recoverable != "-" && !strings.Contains(fmt.Sprint(err2), c.recoverable) && what != "an address" && what != "x" {
			t.Errorf("digits of %s: %v, want %q", what, err2, c.recoverable)
		}
	}
}

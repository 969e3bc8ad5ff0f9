package ecdsa

import (
	"bytes"
	"fmt"
	"math/big"
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

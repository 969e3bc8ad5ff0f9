package ethereum

import (
	"bytes"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/ecdsa"
)

// call returns the input of the contract for a signature with v = 27 or 28.
func call(hash [32]byte, sig [65]byte) []byte {
	input := append(hash[:], make([]byte, 31)...)
	return append(append(input, sig[64]), sig[:64]...)
}

// ecrecoverBig computes the result of the contract (Yellow Paper, appendix E.1.1). It checks the input with math/big,
// and recovers the key with package ecdsa.
func ecrecoverBig(input []byte) []byte {
	in := make([]byte, 128)
	copy(in, input)
	v, r, s := new(big.Int).SetBytes(in[32:64]), new(big.Int).SetBytes(in[64:96]), new(big.Int).SetBytes(in[96:])
	n := new(big.Int).SetBytes(order)
	if (v.Cmp(big.NewInt(27)) != 0 && v.Cmp(big.NewInt(28)) != 0) || r.Sign() == 0 || r.Cmp(n) >= 0 || s.Sign() == 0 || s.Cmp(n) >= 0 {
		return nil
	}
	sig, err := ecdsa.ParseRecoverable(append(in[64:128:128], byte(v.Uint64()-27)))
	if err != nil {
		return nil
	}
	pub, err := ecdsa.Recover(in[:32], sig)
	if err != nil {
		return nil
	}
	hash := Keccak256(pub.BytesUncompressed()[1:])
	clear(hash[:12])
	return hash[:]
}

func TestEcrecover(t *testing.T) {
	hash, sig, want := signed(t, 1)
	good := call(hash, sig)
	padded := append(make([]byte, 12), want[:]...)
	for name, input := range map[string][]byte{
		"128 bytes": good, "more": append(good[:128:128], 1, 2, 3), "much more": append(good[:128:128], make([]byte, 70_000)...), "high s": call(hash, high(t, sig)),
	} {
		if got := Ecrecover(nil, input); !bytes.Equal(got, padded) {
			t.Errorf("%s: %x, want %x", name, got, padded)
		}
	}
	if got := Ecrecover([]byte("before"), good); string(got) != "before"+string(padded) {
		t.Errorf("%q", got)
	}
	nothing := func(name string, input []byte) {
		t.Helper()
		if got := Ecrecover(nil, input); got != nil || ecrecoverBig(input) != nil {
			t.Errorf("%s: %x, want nothing", name, got)
		}
	}
	for _, c := range refusals(t, sig) {
		if c.err != ErrHighS {
			nothing(c.err.Error(), call(hash, c.sig))
		}
	}
	for v := range 256 {
		input := bytes.Clone(good)
		input[63] = byte(v)
		if v != 27 && v != 28 {
			nothing("v", input)
		}
		input[63] = good[63]
		if i := 32 + v%31; v != 0 {
			input[i] = byte(v)
			nothing("v of more bytes", input)
		}
	}
	// A shorter input is padded with zeros on the right. So zeros at the end of s may be omitted, but omitting other
	// bytes changes s.
	for n := range good {
		if got, want := Ecrecover(nil, good[:n]), ecrecoverBig(good[:n]); !bytes.Equal(got, want) || (n <= 96 && got != nil) {
			t.Errorf("%d bytes: %x, want %x", n, got, want)
		}
	}
	if got := Ecrecover(nil, good[:127]); len(got) != 32 || bytes.Equal(got, padded) {
		t.Errorf("127 bytes: %x", got)
	}
}

func FuzzEcrecover(f *testing.F) {
	hash, sig, _ := signed(f, 1)
	good := call(hash, sig)
	f.Add(good)
	f.Add(good[:127])
	f.Add(append(good[:128:128], 1))
	f.Add(call(hash, high(f, sig)))
	for _, c := range refusals(f, sig) {
		f.Add(call(hash, c.sig))
	}
	wide := bytes.Clone(good)
	wide[40] = 1
	f.Add(wide)
	f.Fuzz(func(t *testing.T, input []byte) {
		if got, want := Ecrecover(nil, input), ecrecoverBig(input); !bytes.Equal(got, want) {
			t.Errorf("%x: %x, want %x", input, got, want)
		}
	})
}

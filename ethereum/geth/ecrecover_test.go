package geth

import (
	"bytes"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"

	"p256k1.mleku.dev/v2/ethereum"
)

// TestEcrecover compares ethereum.Ecrecover with go-ethereum's contract, for inputs that are changed at random.
func TestEcrecover(t *testing.T) {
	contract := vm.PrecompiledContractsBerlin[common.BytesToAddress([]byte{1})]
	random := func(b []byte) {
		for i := range b {
			b[i] = byte(rand.Uint32())
		}
	}
	n, found := 20_000, 0
	if testing.Short() {
		n = 2_000
	}
	var good []byte
	for i := range n {
		if i%50 == 0 {
			hash := make([]byte, 32)
			random(hash)
			sig, err := crypto.Sign(hash, key(int64(i)))
			if err != nil {
				t.Fatal(err)
			}
			good = append(append(append(hash, make([]byte, 31)...), sig[64]+27), sig[:64]...)
		}
		in := bytes.Clone(good)
		half := in[64+32*rand.IntN(2):][:32] // r or s
		switch rand.IntN(9) {
		case 0:
			in[rand.IntN(128)] ^= 1 << rand.IntN(8)
		case 1:
			in = in[:rand.IntN(129)]
		case 2:
			in = append(in, good[:rand.IntN(32)]...)
		case 3:
			in[63] = byte(rand.Uint32())
		case 4: // n − s instead of s
			s := new(big.Int).SetBytes(in[96:])
			s.Sub(order, s).FillBytes(in[96:])
			in[63] = 27 + 28 - in[63]
		case 5:
			random(in[:32])
		case 6:
			new(big.Int).Add(order, big.NewInt(rand.Int64N(5)-2)).FillBytes(half)
		case 7:
			clear(half[:32-rand.IntN(2)])
		case 8:
			random(in[64:96])
		}
		want, err := contract.Run(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := ethereum.Ecrecover(nil, in); !bytes.Equal(got, want) {
			t.Fatalf("%x: %x, want %x", in, got, want)
		}
		if want != nil {
			found++
		}
	}
	t.Logf("%d of %d inputs have a sender", found, n)
	if found < n/4 || found > n*3/4 {
		t.Errorf("%d of %d inputs have a sender", found, n)
	}
}

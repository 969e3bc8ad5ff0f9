package ellswift

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/schemes/swift"
)

// TestEncodeByOracle compares Encode with a second implementation of the order in which it draws candidates, because
// the same key and randomness must give the same bytes in all versions.
func TestEncodeByOracle(t *testing.T) {
	r := oracle.New(t)
	for range 60 {
		p, random := r.Point(), [32]byte(r.Bytes(32))
		seed := oracle.TaggedHash("p256k1_ellswift_encode", random[:], p.Compressed())
		var counter uint64
		next := func() [32]byte {
			sum := sha256.Sum256(binary.LittleEndian.AppendUint64(seed[:], counter))
			counter++
			return sum
		}
		var want []byte
		for want == nil {
			// Each pair of bits, beginning with the lowest, selects one of three candidates. The value 3 selects none
			// and is skipped.
			ways := next()
			bits := new(big.Int)
			for i := range ways {
				bits.Lsh(bits, 8)
				bits.Or(bits, big.NewInt(int64(ways[31-i])))
			}
			for i := 0; i < 256 && want == nil; i += 2 {
				way := int(bits.Bit(i) + 2*bits.Bit(i+1))
				if way == 3 {
					continue
				}
				b := next()
				var e [64]byte
				point := libtest.Public(t, p).Point()
				if swift.EncodeVartime(&e, point, &b, way) {
					want = e[:]
				}
			}
		}
		if got, err := Encode(libtest.Public(t, p), &random); err != nil || !bytes.Equal(got[:], want) {
			t.Fatalf("%x, %v, want %x", got, err, want)
		}
	}
}

func TestZeroWipes(t *testing.T) {
	k, _, err := GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	priv := k.state.priv.Load()
	k.Zero()
	if priv.Bytes() != nil {
		t.Error("the key is still there")
	}
}

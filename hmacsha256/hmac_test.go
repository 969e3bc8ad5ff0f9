package hmacsha256

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestSum compares Sum with crypto/hmac, for keys of up to two blocks and for messages of up to five parts.
func TestSum(t *testing.T) {
	r := oracle.New(t)
	for n := range 130 {
		for range 40 {
			key := r.Bytes(n)
			parts := make([][]byte, r.IntN(6))
			want := hmac.New(sha256.New, key)
			for i := range parts {
				parts[i] = r.Message(130)
				want.Write(parts[i])
			}
			if got := Sum(key, parts...); !bytes.Equal(got[:], want.Sum(nil)) {
				t.Fatalf("Sum(%x, %x) = %x, want %x", key, parts, got, want.Sum(nil))
			}
		}
	}
}

// TestLong compares Sum with crypto/hmac, for a long key and long parts.
func TestLong(t *testing.T) {
	r := oracle.New(t)
	for _, n := range []int{1000, 70_000} {
		key, parts := r.Bytes(n), [][]byte{r.Bytes(n), {1}, r.Bytes(n)}
		want := hmac.New(sha256.New, key)
		want.Write(bytes.Join(parts, nil))
		if got := Sum(key, parts...); !bytes.Equal(got[:], want.Sum(nil)) {
			t.Errorf("%d bytes: %x", n, got)
		}
	}
}

// TestRFC4231 runs test cases of RFC 4231.
func TestRFC4231(t *testing.T) {
	counting := make([]byte, 25)
	for i := range counting {
		counting[i] = byte(i + 1)
	}
	for i, c := range []struct {
		key, data []byte
		want      string
	}{
		{bytes.Repeat([]byte{0x0b}, 20), []byte("Hi There"), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
		{[]byte("Jefe"), []byte("what do ya want for nothing?"), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
		{bytes.Repeat([]byte{0xaa}, 20), bytes.Repeat([]byte{0xdd}, 50), "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
		{counting, bytes.Repeat([]byte{0xcd}, 50), "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"},
		{bytes.Repeat([]byte{0xaa}, 131), []byte("Test Using Larger Than Block-Size Key - Hash Key First"), "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
	} {
		if got := Sum(c.key, c.data); hex.EncodeToString(got[:]) != c.want {
			t.Errorf("case %d: %x, want %s", i+1, got, c.want)
		}
	}
}

func TestAllocations(t *testing.T) {
	key, data := make([]byte, 32), make([]byte, 100)
	if n := testing.AllocsPerRun(10, func() { Sum(key, data, data) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkSum(b *testing.B) {
	b.ReportAllocs()
	key, data := make([]byte, 32), make([]byte, 32)
	for b.Loop() {
		sum := Sum(key, data)
		key[0] ^= sum[0]
	}
}

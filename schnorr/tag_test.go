package schnorr

import (
	"bytes"
	"encoding/hex"
	"testing"

	"p256k1.mleku.dev/v2/internal/oracle"
)

func TestTag(t *testing.T) {
	r := oracle.New(t)
	for _, name := range []string{"", "BIP0340/aux", "BIP0340/nonce", "BIP0340/challenge", "TapTweak"} {
		tag := NewTag(name)
		before := tag
		for range 1000 {
			parts := make([][]byte, r.IntN(5))
			for i := range parts {
				parts[i] = r.Message(130)
			}
			if got, want := tag.Sum(parts...), oracle.TaggedHash(name, parts...); got != want {
				t.Fatalf("%q of %x is %x, want %x", name, parts, got, want)
			}
			// The split of the data into parts must not matter.
			if got, want := tag.Sum(bytes.Join(parts, nil)), tag.Sum(parts...); got != want {
				t.Fatalf("%q of %x joined is %x, want %x", name, parts, got, want)
			}
		}
		if tag != before {
			t.Fatalf("the tag of %q was changed", name)
		}
	}
}

// TestTagKnown compares the hash that masks the key if the auxiliary randomness is zero with the constant in
// libsecp256k1.
func TestTagKnown(t *testing.T) {
	aux := NewTag("BIP0340/aux")
	got := aux.Sum(make([]byte, 32))
	if want := "54f169cfc9e2e5727480441f90ba25c488f461c70b5ea5dcaaf7af69270aa514"; hex.EncodeToString(got[:]) != want {
		t.Errorf("%x, want %s", got, want)
	}
}

func TestTagAllocations(t *testing.T) {
	var tag Tag
	data := make([]byte, 100)
	if n := testing.AllocsPerRun(10, func() { tag.Sum(data, data) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkTag(b *testing.B) {
	b.ReportAllocs()
	var tag Tag
	data := make([]byte, 96) // as long as the data of BIP-340's challenge
	for b.Loop() {
		sum := tag.Sum(data)
		data[0] ^= sum[0]
	}
}

package operations

import (
	"testing"

	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/schnorr"
)

// TestAllocs checks that operations allocate as often as they say. Most must not allocate at all if the caller does not
// let the results escape. A private key, its bytes and its scalar are one allocation each, because Zero would not reach
// all copies on the caller's stack, which moves when it grows.
func TestAllocs(t *testing.T) {
	skipRace(t)
	in, out := Seeded("allocs"), NewOut()
	held := 0
	for _, o := range All {
		if o.Allocs == Varies {
			continue
		}
		held++
		got := testing.AllocsPerRun(20, func() {
			out.buf = out.buf[:0]
			o.Run(in, out)
		})
		if got != float64(o.Allocs) {
			t.Errorf("%s: %v allocations, want %d", o.Name, got, o.Allocs)
		}
	}
	t.Logf("result: %d of %d operations allocate as often as they say", held, len(All))
}

// TestAllocsReset checks that a batch or a pool does not allocate when it is used again, with or without invalid items.
func TestAllocsReset(t *testing.T) {
	skipRace(t)
	in := Seeded("allocs")
	pub, uncompressed, x := in.Pub().Bytes(), in.Pub().BytesUncompressed(), in.X().Bytes()
	var ecdsaBatch ecdsa.Batch
	var schnorrBatch, flooded schnorr.Batch // flooded forms no combinations for a while, whose memory is then not there yet
	var ecdsaPool ecdsa.Pool
	var schnorrPool schnorr.Pool
	der, ctx := in.Sig().DER(), t.Context()
	invalid, ok := make([]int, 0, 200), false
	for name, f := range map[string]func(){
		"ecdsa.Batch": func() {
			ecdsaBatch.Reset()
			for range many {
				ecdsaBatch.Add(pub, in.Digest, in.Sig())
				ecdsaBatch.AddKey(in.Pub(), in.Digest, in.Sig())
			}
			ok = ecdsaBatch.Verify() && len(ecdsaBatch.Invalid(invalid)) == 0
			ecdsaBatch.Add(pub, in.Digest[:31], in.Sig())
			ecdsaBatch.Add(pub[:32], in.Digest, in.Sig())
			ecdsaBatch.Add(uncompressed, in.Digest, ecdsa.Signature{})
			ok = ok && len(ecdsaBatch.Invalid(invalid)) == 3
		},
		"ecdsa.Pool":   func() { ok, _ = ecdsaPool.VerifyDER(ctx, pub, in.Digest, der) },
		"schnorr.Pool": func() { ok, _ = schnorrPool.Verify(ctx, x, in.Msg, in.SchnorrSig()) },
		"schnorr.Batch": func() {
			schnorrBatch.Reset()
			for range 100 {
				schnorrBatch.Add(x, in.Msg, in.SchnorrSig())
				schnorrBatch.AddKey(in.Key().PublicKey().XOnly(), in.Msg, in.SchnorrSig())
			}
			ok = schnorrBatch.Verify() && len(schnorrBatch.Invalid(invalid)) == 0
		},
		"schnorr.Batch, with bad ones": func() {
			flooded.Reset()
			for i := range 100 {
				flooded.Add(x, in.Msg, in.SchnorrSig()[:i%65])
				flooded.AddKey(in.PeerX(), in.Msg[:i%33], in.SchnorrSig())
			}
			ok = !flooded.Verify() && len(flooded.Invalid(invalid)) > 0
		},
	} {
		if got := testing.AllocsPerRun(20, f); got != 0 || !ok {
			t.Errorf("%s: %v allocations; works: %t", name, got, ok)
		}
	}
}

func skipRace(t *testing.T) {
	if Setting("-race") == "true" {
		t.Skip("the race detector allocates")
	}
}

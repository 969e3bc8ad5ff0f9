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

// TestAllocsReset checks that a batch does not allocate when it is used again, with or without invalid items.
func TestAllocsReset(t *testing.T) {
	skipRace(t)
	in := Seeded("allocs")
	pub, uncompressed, x := in.Pub().Bytes(), in.Pub().BytesUncompressed(), in.X().Bytes()
	var ofECDSA ecdsa.Batch
	var ofSchnorr schnorr.Batch
	invalid, ok := make([]int, 0, 200), false
	for name, f := range map[string]func(){
		"ecdsa.Batch": func() {
			ofECDSA.Reset()
			for range many {
				ofECDSA.Add(pub, in.Digest, in.Sig())
				ofECDSA.AddKey(in.Pub(), in.Digest, in.Sig())
			}
			ok = ofECDSA.Verify() && len(ofECDSA.Invalid(invalid)) == 0
			ofECDSA.Add(pub, in.Digest[:31], in.Sig())
			ofECDSA.Add(pub[:32], in.Digest, in.Sig())
			ofECDSA.Add(uncompressed, in.Digest, ecdsa.Signature{})
			ok = ok && len(ofECDSA.Invalid(invalid)) == 3
		},
		"schnorr.Batch": func() {
			ofSchnorr.Reset()
			for range 100 {
				ofSchnorr.Add(x, in.Msg, in.SchnorrSig())
				ofSchnorr.AddKey(in.Key().PublicKey().XOnly(), in.Msg, in.SchnorrSig())
			}
			ok = ofSchnorr.Verify() && len(ofSchnorr.Invalid(invalid)) == 0
		},
		"schnorr.Batch, with bad ones": func() {
			ofSchnorr.Reset()
			for i := range 100 {
				ofSchnorr.Add(x, in.Msg, in.SchnorrSig()[:i%65])
				ofSchnorr.AddKey(in.PeerX(), in.Msg[:i%33], in.SchnorrSig())
			}
			ok = !ofSchnorr.Verify() && len(ofSchnorr.Invalid(invalid)) > 0
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

package ellswift

import (
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// FuzzDecode decodes random bytes to a public key, and computes a shared secret with the key.
func FuzzDecode(f *testing.F) {
	r := oracle.NewSeeded("ellswift")
	edges := oracle.FieldEdges() // 0, p and larger integers are among them
	for i, u := range edges {
		t := edges[(3*i+1)%len(edges)]
		f.Add(append(u[:], t[:]...), r.Bytes(32))
		f.Add(append(u[:], make([]byte, 32)...), r.Bytes(32))
		// Decode treats a t with u³ + t² + 7 = 0 as a special case.
		x := oracle.Int(u[:])
		g := oracle.Fp.Add(oracle.Fp.Mul(x, oracle.Fp.Mul(x, x)), oracle.B)
		if root, ok := oracle.Sqrt(oracle.Fp.Neg(g)); ok {
			b := oracle.Bytes(root)
			f.Add(append(u[:], b[:]...), r.Bytes(32))
		}
	}
	f.Fuzz(func(t *testing.T, encoding, random []byte) {
		if len(encoding) != 64 || len(random) != 32 {
			return
		}
		theirs := [64]byte(encoding)
		pub := Decode(&theirs)
		if !pub.Equal(libtest.Public(t, decoded(&theirs))) {
			t.Fatalf("%x is %v", theirs, pub)
		}
		again, err := Encode(pub, (*[32]byte)(random))
		if err != nil || !Decode(&again).Equal(pub) {
			t.Fatalf("%v is %x, %v", pub, again, err)
		}
		d := oracle.Int(random)
		if d.Sign() == 0 || d.Cmp(oracle.N) >= 0 {
			return
		}
		priv := libtest.Private(t, d)
		ours, err := Encode(priv.PublicKey(), (*[32]byte)(random))
		if err != nil {
			t.Fatal(err)
		}
		k, err1 := NewPrivateKey(priv, &ours)
		raw, err2 := NewPrivateKey(libtest.Private(t, d), &ours)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		wantX, want := secretOf(d, &ours, &theirs, true)
		if got, err := k.ECDH(&theirs, true); err != nil || got != want {
			t.Fatalf("ECDH of %x and %x: %x, %v, want %x", d, theirs, got, err, want)
		}
		if x, err := raw.X(&theirs); err != nil || x != wantX {
			t.Fatalf("X of %x and %x: %x, %v, want %x", d, theirs, x, err, wantX)
		}
	})
}

package conformance

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/vectors"
	"p256k1.mleku.dev/v2/rfc6979"
)

// signABC signs as Bitcoin ABC does: with the 16 bytes "ECDSA+DER" and spaces as additional data for the nonce. The library's API only
// takes 32 bytes, so that this is put together from the packages that it is made of.
func signABC(t testing.TB, priv *p256k1.PrivateKey, digest *[32]byte) ecdsa.Signature {
	t.Helper()
	var z curve.Scalar
	var nonces rfc6979.Generator
	var nonce [32]byte
	z.SetBytesReduced(digest)
	nonces.Init((*[32]byte)(priv.Bytes()), (*[32]byte)(z.Bytes()), []byte("ECDSA+DER       "))
	nonces.Next(&nonce)
	k := scalarOf(t, nonce[:])
	x, err := new(curve.Point).ScalarBaseMult(k).BytesX()
	if err != nil {
		t.Fatal(err)
	}
	r := new(curve.Scalar).SetBytesReduced((*[32]byte)(x))
	s := new(curve.Scalar).Mul(r, secretOf(t, priv))
	s.Add(s, &z).Mul(s, k.Invert(k))
	s.CondNegate(s, s.IsHigh())
	sig, ok := parseCompact(t, append(r.Bytes(), s.Bytes()...))
	if !ok {
		t.Fatal("not a signature")
	}
	return sig
}

// The rows are a private key, a message, whose SHA-256 is signed, and the signature. The files are named for the wallets of
// Bitcoin Core and of Bitcoin ABC.
func TestHaskoinRFC6979(t *testing.T) {
	core := func(t testing.TB, priv *p256k1.PrivateKey, digest *[32]byte) ecdsa.Signature {
		sig, err := ecdsa.Sign(priv, digest[:])
		signTogether(t, priv, digest[:], sig)
		if err != nil {
			t.Fatal(err)
		}
		return sig
	}
	for _, f := range []struct {
		name   string
		sign   func(testing.TB, *p256k1.PrivateKey, *[32]byte) ecdsa.Signature
		encode func(ecdsa.Signature) []byte
		want   string
	}{
		{"rfc6979core.json", core, ecdsa.Signature.Bytes, "12 signatures"},
		{"rfc6979DERcore.json", core, ecdsa.Signature.DER, "20 signatures"},
		{"rfc6979abc.json", signABC, ecdsa.Signature.Bytes, "12 signatures"},
		{"rfc6979DERabc.json", signABC, ecdsa.Signature.DER, "20 signatures"},
	} {
		t.Run(f.name, func(t *testing.T) {
			var file [][3]string
			vectors.JSON(t, "haskoin/"+f.name, &file)
			count := newTally(t)
			for i, row := range file {
				count.add("signatures")
				priv := privateKey(t, unhex(t, row[0]))
				digest := sha256.Sum256([]byte(row[1]))
				sig := f.sign(t, priv, &digest)
				if got := f.encode(sig); !bytes.Equal(got, unhex(t, row[2])) {
					t.Errorf("%d: %q: signature %x, want %s", i, row[1], got, row[2])
				}
				if !ecdsa.Verify(priv.PublicKey(), digest[:], sig) {
					t.Errorf("%d: %q: signature %x is not valid", i, row[1], sig.Bytes())
				}
				checkValidECDSA(t, priv.PublicKey(), digest[:], sig)
			}
			count.want(f.want)
		})
	}
}

// The texts are the signatures of Bitcoin's transactions, with a hash type behind the DER. Those which are not hexadecimal are
// comments, as the first of them says.
func TestHaskoinDER(t *testing.T) {
	for _, f := range []struct {
		name   string
		strict bool
		want   string
	}{
		{"sig_strict.json", true, "3 strict"},
		{"sig_nonstrict.json", false, "14 not strict, 1 of a hash type that does not exist, 2 of high s, 18 comments"},
	} {
		t.Run(f.name, func(t *testing.T) {
			var file []string
			vectors.JSON(t, "haskoin/"+f.name, &file)
			count := newTally(t)
			about := ""
			for _, text := range file {
				b, err := hex.DecodeString(text)
				if err != nil {
					count.add("comments")
					about = text
					continue
				}
				sig, ok := parseDER(t, b[:len(b)-1])
				switch {
				case !ok:
					count.add("not strict")
				case b[len(b)-1]&^0x80 > 3: // SIGHASH_ANYONECANPAY, SIGHASH_SINGLE
					count.add("of a hash type that does not exist")
				case !sig.IsLowS():
					count.add("of high s")
				default:
					count.add("strict")
					if !f.strict {
						t.Errorf("%s %x is accepted", about, b)
					}
				}
			}
			count.want(f.want)
		})
	}
}

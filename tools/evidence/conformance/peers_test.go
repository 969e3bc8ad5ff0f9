package conformance

import (
	"math/big"
	"testing"

	secp "github.com/decred/dcrd/dcrec/secp256k1/v4"
	secpecdsa "github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/tools/bench/libsecp"
	"p256k1.mleku.dev/v2/tools/bench/native"
)

// The functions below build the same value in this library and in decred. All keys and signatures that they build are
// valid, because the tests of the parsers check invalid input. A panic counts as a failure of the case.

// keys returns d as a private key of this library and of decred.
func (r *run) keys(d *big.Int) (*p256k1.PrivateKey, *secp.PrivateKey) {
	b := oracle.Bytes(d)
	return privateKey(b[:]), secp.PrivKeyFromBytes(b[:])
}

// publicKeys returns p as a public key of this library and of decred.
func (r *run) publicKeys(p oracle.Point) (*p256k1.PublicKey, *secp.PublicKey) {
	b := p.Uncompressed()
	return publicKey(b), must(secp.ParsePubKey(b))
}

// scalars returns k mod n as a scalar of this library and of decred.
func scalars(k *big.Int) (*curve.Scalar, *secp.ModNScalar) {
	b := oracle.Bytes(oracle.Fn.Reduce(k))
	theirs := new(secp.ModNScalar)
	theirs.SetBytes(&b)
	return new(curve.Scalar).SetBytesReduced(&b), theirs
}

// projective returns the point p, which may be infinity, in random projective coordinates.
func (r *run) projective(p oracle.Point) *curve.Point {
	ours := new(curve.Point)
	if p.IsInfinity() {
		if r.Uint64()&1 == 0 { // P − P, whose X and Y may be anything
			ours.SetGenerator().Sub(ours, ours)
		}
		return ours
	}
	k, _ := r.publicKeys(p)
	ours = k.Point()
	if r.Uint64()&1 == 0 { // (p + q) − q
		q := new(curve.Point).ScalarBaseMult(new(curve.Scalar).SetBytesReduced((*[32]byte)(r.Bytes(32))))
		ours.Add(ours, q).Sub(ours, q)
	}
	return ours
}

// encodeJacobian returns the encoding of a point of decred, or the byte 0 for infinity.
func encodeJacobian(p *secp.JacobianPoint) []byte {
	q := *p
	if (q.X.IsZero() && q.Y.IsZero()) || q.Z.IsZero() {
		return []byte{0}
	}
	q.ToAffine()
	return secp.NewPublicKey(&q.X, &q.Y).SerializeUncompressed()
}

// compact returns r‖s of a signature of decred.
func compact(sig *secpecdsa.Signature) []byte {
	r, s := sig.R(), sig.S()
	rb, sb := r.Bytes(), s.Bytes()
	return append(rb[:], sb[:]...)
}

// parseDecred returns the signature r‖s, parsed as decred's users have to do it.
func parseDecred(b []byte) (*secpecdsa.Signature, bool) {
	var r, s secp.ModNScalar
	if len(b) != 64 || r.SetByteSlice(b[:32]) || r.IsZero() || s.SetByteSlice(b[32:]) || s.IsZero() {
		return nil, false
	}
	return secpecdsa.NewSignature(&r, &s), true
}

// reduced returns a digest, reduced modulo n, as 32 bytes. Libraries that do not reduce the digest before they derive a
// nonce from it need this form.
func reduced(digest []byte) []byte {
	return slice(oracle.Bytes(oracle.Fn.Reduce(oracle.DigestInt(digest))))
}

// This library is compared with the release that the command native.Command builds, or with the library that
// libsecp.EnvPath names. The listed differences are differences from that release.

// Without libsecp256k1, TestLibsecp256k1 skips, or fails in CI, because no test compares with libsecp256k1.
func TestLibsecp256k1(t *testing.T) {
	if _, err := libsecp.Default(); err != nil {
		libtest.Untested(t, "NOT COMPARED WITH LIBSECP256K1: ", err)
	}
	t.Logf("compared with libsecp256k1 %s", secpName())
}

// newContext returns a context, which the caller closes, or nil without libsecp256k1.
func newContext() *libsecp.Context {
	l, err := libsecp.Default()
	if err != nil {
		return nil
	}
	return must(l.NewContext())
}

const missing = "NOT FOUND"

// secpName returns the version of libsecp256k1, or its path, or missing.
func secpName() string {
	l, err := libsecp.Default()
	if err != nil {
		return missing
	}
	if b, err := native.Current.Cached(); err == nil && b.Library == l.Path {
		return b.Version
	}
	return l.Path
}

// fixed returns a digest in the 32 bytes that libsecp256k1 takes.
func fixed(digest []byte) *[32]byte {
	b := oracle.Bytes(oracle.DigestInt(digest))
	return &b
}

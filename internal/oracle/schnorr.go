package oracle

import (
	"crypto/sha256"
	"math/big"
)

// TaggedHash returns SHA-256(SHA-256(tag) ‖ SHA-256(tag) ‖ parts…), the hash_tag of BIP-340.
func TaggedHash(tag string, parts ...[]byte) (sum [32]byte) {
	t := sha256.Sum256([]byte(tag))
	h := sha256.New()
	h.Write(t[:])
	h.Write(t[:])
	for _, part := range parts {
		h.Write(part)
	}
	h.Sum(sum[:0])
	return sum
}

// SignSchnorr signs a message of any length as in BIP-340. Its variables have the names that BIP-340 uses. It reports
// false if the secret key d0 is not in [1, N−1] or the nonce is 0.
func SignSchnorr(d0 *big.Int, msg []byte, aux [32]byte) (sig [64]byte, ok bool) {
	if !isNonzero(d0) {
		return sig, false
	}
	p := G.Mul(d0)
	d := d0
	if p.Y.Bit(0) == 1 {
		d = Fn.Neg(d0)
	}
	t, px := TaggedHash("BIP0340/aux", aux[:]), Bytes(p.X)
	for i, b := range Bytes(d) {
		t[i] ^= b
	}
	rand := TaggedHash("BIP0340/nonce", t[:], px[:], msg)
	k := Fn.Reduce(Int(rand[:]))
	if k.Sign() == 0 {
		return sig, false
	}
	r := G.Mul(k)
	if r.Y.Bit(0) == 1 {
		k = Fn.Neg(k)
	}
	rx := Bytes(r.X)
	s := Bytes(Fn.Add(k, Fn.Mul(challenge(rx[:], px[:], msg), d)))
	copy(sig[:32], rx[:])
	copy(sig[32:], s[:])
	return sig, true
}

// VerifySchnorr reports whether the 64-byte sig is a BIP-340 signature of msg by the 32-byte x-only key pub. It reports
// false if pub or sig has another length.
func VerifySchnorr(pub, msg, sig []byte) bool {
	if len(pub) != 32 || len(sig) != 64 {
		return false
	}
	p, ok := LiftX(Int(pub))
	r, s := Int(sig[:32]), Int(sig[32:])
	if !ok || r.Cmp(P) >= 0 || s.Cmp(N) >= 0 {
		return false
	}
	e := challenge(sig[:32], pub, msg)
	v := G.Mul(s).Add(p.Mul(e).Neg())
	return !v.IsInfinity() && v.Y.Bit(0) == 0 && v.X.Cmp(r) == 0
}

func challenge(r, pub, msg []byte) *big.Int {
	e := TaggedHash("BIP0340/challenge", r, pub, msg)
	return Fn.Reduce(Int(e[:]))
}

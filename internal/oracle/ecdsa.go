package oracle

import (
	"crypto/hmac"
	"crypto/sha256"
	"iter"
	"math/big"
)

// Signature is an ECDSA signature with its recovery id. Bit 0 of the id is set if the y coordinate of the nonce point
// is odd, and bit 1 is set if its x coordinate is N or more.
type Signature struct {
	R, S  *big.Int
	RecID int
}

// ParseCompact splits the 64 bytes R‖S and sets RecID to 0. It does not check ranges.
func ParseCompact(b [64]byte) Signature { return Signature{R: Int(b[:32]), S: Int(b[32:])} }

// Compact returns the 64 bytes R‖S. It panics if R or S does not fit in 32 bytes.
func (sig Signature) Compact() (b [64]byte) {
	r, s := Bytes(sig.R), Bytes(sig.S)
	copy(b[:32], r[:])
	copy(b[32:], s[:])
	return b
}

// HalfN is (N−1)/2, the largest low S.
var HalfN = new(big.Int).Rsh(N, 1)

// IsLowS reports whether S ≤ (N−1)/2.
func (sig Signature) IsLowS() bool { return sig.S.Cmp(HalfN) <= 0 }

// Negate returns the signature with −S in place of S, which is valid exactly if sig is.
func (sig Signature) Negate() Signature { return Signature{sig.R, Fn.Neg(sig.S), sig.RecID ^ 1} }

// DigestInt returns the leftmost 32 bytes of the digest, or all bytes of a shorter digest, as an integer that is not
// reduced mod N (SEC 1, §4.1.3, step 5; bits2int of RFC 6979, §2.3.2).
func DigestInt(digest []byte) *big.Int { return Int(digest[:min(32, len(digest))]) }

// SignECDSA signs digest with the nonce k and returns the signature with the low S. It reports false if d or k is not
// in [1, N−1] or if R or S is 0.
func SignECDSA(d *big.Int, digest []byte, k *big.Int) (Signature, bool) {
	if !isNonzero(d) || !isNonzero(k) {
		return Signature{}, false
	}
	kG := G.Mul(k)
	sig := Signature{R: Fn.Reduce(kG.X), RecID: int(kG.Y.Bit(0))}
	if kG.X.Cmp(N) >= 0 {
		sig.RecID |= 2
	}
	sig.S = Fn.Mul(Fn.Inv(k), Fn.Add(DigestInt(digest), Fn.Mul(sig.R, d)))
	if sig.R.Sign() == 0 || sig.S.Sign() == 0 {
		return Signature{}, false
	}
	if !sig.IsLowS() {
		sig = sig.Negate()
	}
	return sig, true
}

// SignRFC6979 signs digest with the first usable nonce of [NoncesRFC6979]. It reports false if d is not in [1, N−1].
func SignRFC6979(d *big.Int, digest, extra []byte) (Signature, bool) {
	if !isNonzero(d) {
		return Signature{}, false
	}
	for k := range NoncesRFC6979(d, digest, extra) {
		if sig, ok := SignECDSA(d, digest, k); ok {
			return sig, true
		}
	}
	panic("unreachable")
}

// NoncesRFC6979 yields the endless sequence of nonce candidates in [1, N−1] of RFC 6979, §3.2, with SHA-256. extra,
// which may be nil, is the additional data k' of §3.6.
func NoncesRFC6979(d *big.Int, digest, extra []byte) iter.Seq[*big.Int] {
	x, h := Bytes(d), Bytes(Fn.Reduce(DigestInt(digest))) // int2octets, bits2octets
	return func(yield func(*big.Int) bool) {
		k, v := make([]byte, 32), make([]byte, 32)
		for i := range v {
			v[i] = 1
		}
		k = hmacSHA256(k, v, []byte{0}, x[:], h[:], extra)
		v = hmacSHA256(k, v)
		k = hmacSHA256(k, v, []byte{1}, x[:], h[:], extra)
		v = hmacSHA256(k, v)
		for {
			v = hmacSHA256(k, v)
			if t := Int(v); isNonzero(t) && !yield(t) {
				return
			}
			k = hmacSHA256(k, v, []byte{0})
			v = hmacSHA256(k, v)
		}
	}
}

func hmacSHA256(key []byte, parts ...[]byte) []byte {
	h := hmac.New(sha256.New, key)
	for _, part := range parts {
		h.Write(part)
	}
	return h.Sum(nil)
}

// VerifyECDSA reports whether sig is a valid signature of digest by pub, with low or high S (SEC 1, §4.1.4). It ignores
// RecID.
func VerifyECDSA(pub Point, digest []byte, sig Signature) bool {
	if pub.IsInfinity() || !pub.OnCurve() || !isNonzero(sig.R) || !isNonzero(sig.S) {
		return false
	}
	w := Fn.Inv(sig.S)
	u1, u2 := Fn.Mul(DigestInt(digest), w), Fn.Mul(sig.R, w)
	r := G.Mul(u1).Add(pub.Mul(u2))
	return !r.IsInfinity() && Fn.Reduce(r.X).Cmp(sig.R) == 0
}

// RecoverECDSA returns the only key for which sig is valid and has this RecID, and whether there is such a key (SEC 1,
// §4.1.6).
func RecoverECDSA(digest []byte, sig Signature) (Point, bool) {
	if sig.RecID < 0 || sig.RecID > 3 || !isNonzero(sig.R) || !isNonzero(sig.S) {
		return Point{}, false
	}
	x := sig.R
	if sig.RecID&2 != 0 {
		x = new(big.Int).Add(x, N)
	}
	r, ok := LiftX(x)
	if !ok {
		return Point{}, false
	}
	r = r.withParity(uint(sig.RecID & 1))
	pub := r.Mul(sig.S).Add(G.Mul(Fn.Neg(DigestInt(digest)))).Mul(Fn.Inv(sig.R))
	return pub, !pub.IsInfinity()
}

// isNonzero reports whether k is in [1, N−1].
func isNonzero(k *big.Int) bool { return k.Sign() > 0 && k.Cmp(N) < 0 }

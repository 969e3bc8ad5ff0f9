package conformance

import (
	"bytes"
	"errors"
	"math/big"
	"slices"
	"testing"

	btcecdsa "github.com/btcsuite/btcd/btcec/v2/ecdsa"
	secp "github.com/decred/dcrd/dcrec/secp256k1/v4"
	secpecdsa "github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"golang.org/x/crypto/cryptobyte"
	"golang.org/x/crypto/cryptobyte/asn1"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// digest returns a digest, mostly of 32 bytes.
func (r *run) digest() []byte {
	if r.IntN(4) == 0 {
		return r.AnyDigest()
	}
	return slice(r.Digest())
}

// TestSignECDSA checks that all signing functions return the same signature.
func TestSignECDSA(t *testing.T) {
	differential(t, func(r *run) {
		k, theirs := r.keys(r.ValidScalar())
		d := [32]byte(k.Bytes())
		digest, compressed := r.digest(), r.IntN(2) == 0
		r.given("key %x, digest %x", d, digest)
		if len(digest) != 32 { // the other libraries truncate the digest themselves
			_, err := ecdsa.Sign(k, digest, nil)
			r.fails("Sign", err, p256k1.ErrLength)
			_, err = ecdsa.SignRecoverable(k, digest, nil)
			r.fails("SignRecoverable", err, p256k1.ErrLength)
		}
		truncated := ecdsa.TruncateHash(digest)
		if len(digest) == 0 {
			r.is(truncated == nil, "an empty digest is truncated to nil")
			r.add(emptyDigest)
			truncated = make([]byte, 32) // the other libraries read an empty digest as zeros
		}
		sig, recoverable := must(ecdsa.Sign(k, truncated, nil)), must(ecdsa.SignRecoverable(k, truncated, nil))
		b := recoverable.BytesBitcoin(compressed)
		r.is(sig.IsLowS(), "%x has a low s", sig.Bytes())
		r.same("recoverable", recoverable.Signature(), sig)
		r.same("recovered", result(ecdsa.Recover(truncated, recoverable)), k.PublicKey())
		again, compressedAgain, err := ecdsa.ParseRecoverableBitcoin(b)
		r.is(err == nil && again == recoverable, "%x is parsed, not as %x: %v", b, again.Bytes(), err)
		r.same("compressed", compressedAgain, compressed)
		r.is(must(ecdsa.ParseRecoverable(recoverable.Bytes())) == recoverable, "%x is parsed", recoverable.Bytes())
		if c := r.secp(); c != nil {
			other, ok := c.ECDSASign(&d, fixed(digest), nil)
			der, n, ok2 := c.ECDSASerializeDER(&other)
			r.same("libsecp256k1", sig, from(other, ok))
			r.same("libsecp256k1's DER", sig.DER(), from(der[:n], ok2))
			r.same("libsecp256k1, recoverable", recoverable, from(c.RecoverableSign(&d, fixed(digest), nil)))
		}
		if r.slow() {
			hash := digest
			if len(digest) > 0 && oracle.DigestInt(digest).Cmp(oracle.N) >= 0 {
				r.add(digestNotReduced)
				r.signNotReduced(k, theirs, digest, recoverable)
				hash = reduced(digest)
			}
			r.same("decred", sig, compact(secpecdsa.Sign(theirs, hash)))
			r.same("decred's DER", sig.DER(), secpecdsa.Sign(theirs, hash).Serialize())
			r.same("btcec", sig, compact(btcecdsa.Sign(theirs, hash)))
			r.same("decred, recoverable", b, secpecdsa.SignCompact(theirs, hash, compressed))
			r.same("btcec, recoverable", b, btcecdsa.SignCompact(theirs, hash, compressed))
		}
		if c := r.secp(); c != nil {
			extra := r.ScalarBytes()
			sig := must(ecdsa.Sign(k, truncated, &ecdsa.Options{Entropy: &extra}))
			r.same("libsecp256k1, with entropy", sig, from(c.ECDSASign(&d, fixed(digest), &extra)))
		}
	}, emptyDigest, digestNotReduced)
}

// signNotReduced checks that decred and btcec make another signature for a digest of n or more, that this library
// accepts decred's signature, and that decred accepts this library's signature.
func (r *run) signNotReduced(k *p256k1.PrivateKey, theirs *secp.PrivateKey, digest []byte, sig ecdsa.RecoverableSignature) {
	truncated := ecdsa.TruncateHash(digest)
	other := secpecdsa.Sign(theirs, digest)
	r.is(!bytes.Equal(compact(other), sig.Bytes()[:64]), "decred signs differently")
	r.is(!bytes.Equal(secpecdsa.SignCompact(theirs, digest, true), sig.BytesBitcoin(true)), "decred signs differently, recoverable")
	r.same("btcec as decred", compact(btcecdsa.Sign(theirs, digest)), compact(other))
	r.is(ecdsa.Verify(k.PublicKey(), truncated, must(ecdsa.ParseCompact(compact(other)))), "decred's is valid here")
	mine, _ := parseDecred(sig.Bytes()[:64])
	r.is(mine.Verify(digest, theirs.PubKey()), "ours is valid for decred")
	if r.IntN(8) == 0 { // compare with the oracle, which follows RFC 6979
		want, ok := oracle.SignRFC6979(oracle.Int(k.Bytes()), truncated, nil)
		r.same("RFC 6979", sig.Signature(), from(want.Compact(), ok))
	}
}

// These are kinds of signatures. In a wrapped signature, the x of R is n or more. In a falsely wrapped signature, r is
// x + p − n.
const (
	wrapped        = kind("R.x ≥ n")
	falselyWrapped = kind("r + n ≡ R.x")
)

var wrap = new(big.Int).Sub(oracle.P, oracle.N)

// signature returns a public key, a digest of 32 bytes and a signature r‖s, which is usually valid but not always with
// low s. It chooses the factors u1 and u2 of the verification, R = u1·G + u2·P, and computes the signature from them.
func (r *run) signature() (pub *p256k1.PublicKey, digest, rs []byte) {
	if r.IntN(16) == 0 {
		if pub, digest, rs = r.wrappedSignature(); pub != nil {
			r.add(wrapped)
			return pub, digest, rs
		}
	}
	for {
		p := r.Point()
		if r.IntN(4) == 0 {
			p = oracle.G
		}
		pub, _ = r.publicKeys(p)
		u1, _ := scalars(r.Scalar())
		u2, _ := scalars(r.ValidScalar())
		point := new(curve.Point).ScalarMult(u2, pub.Point())
		point.Add(point, new(curve.Point).ScalarBaseMult(u1))
		x, err := point.BytesX()
		if err != nil {
			continue
		}
		if v := new(big.Int).Add(oracle.Int(x), wrap); v.Cmp(oracle.N) < 0 && r.IntN(32) == 0 {
			r.add(falselyWrapped) // r + n ≡ x modulo p, but r + n ≥ p, so the signature is not valid
			v.FillBytes(x)
		}
		rx := new(curve.Scalar).SetBytesReduced((*[32]byte)(x))
		s := new(curve.Scalar).Invert(u2)
		s.Mul(s, rx) // u2 = r/s
		if rx.IsZero() == 1 {
			continue
		}
		z := new(curve.Scalar).Mul(u1, s) // u1 = z/s
		return pub, z.Bytes(), append(rx.Bytes(), s.Bytes()...)
	}
}

// wrappedSignature returns a signature for which the x coordinate of R is n or more. Nobody knows the discrete
// logarithm of such an R, so the key is recovered from the signature.
func (r *run) wrappedSignature() (pub *p256k1.PublicKey, digest, rs []byte) {
	rx, s, z := pick(r, oracle.WrapR()...), oracle.Bytes(r.ValidScalar()), r.Digest()
	sig := must(ecdsa.ParseRecoverable(slices.Concat(rx[:], s[:], []byte{byte(2 | r.IntN(2))})))
	pub, _ = ecdsa.Recover(z[:], sig) // nil if there is no key
	return pub, z[:], sig.Bytes()[:64]
}

// mutateSignature makes a change to a signature or its digest, which may or may not make it invalid.
func (r *run) mutateSignature(digest, rs []byte) ([]byte, []byte) {
	digest, rs = slices.Clone(digest), slices.Clone(rs)
	half := rs[32*r.IntN(2):][:32]
	switch r.IntN(14) {
	case 0, 1:
		rs[r.IntN(len(rs))] ^= 1 << r.IntN(8)
	case 2:
		digest[r.IntN(len(digest))] ^= 1 << r.IntN(8)
	case 3: // with n − s the signature is also valid
		copy(rs[32:], slice(oracle.Bytes(oracle.Fn.Neg(oracle.Int(rs[32:])))))
	case 4:
		copy(half, slice(r.ScalarBytes()))
	case 5:
		copy(half, slice(pick(r, oracle.RangeEdges()...)))
	case 6: // add n, if the sum fits: congruent modulo n, but out of range
		addN(half)
	case 7: // a digest that is equal modulo n
		addN(digest)
	case 8: // bytes after the first 32 do not count
		digest = append(digest, r.Bytes(1+r.IntN(32))...)
	case 9:
		digest = r.AnyDigest()
		if r.IntN(2) == 0 {
			digest = nil
		}
	case 10: // leading zeros do not count
		digest = bytes.TrimLeft(digest, "\x00")
	case 11:
		rs = r.mutate(rs)
	case 13:
		clear(half)
	case 12: // the largest low s and the smallest high s
		new(big.Int).Add(oracle.HalfN, big.NewInt(r.Int64N(2))).FillBytes(rs[32:])
	}
	return digest, rs
}

func TestVerifyECDSA(t *testing.T) {
	const unparsed = kind("refused by the parser")
	differential(t, func(r *run) {
		pub, digest, rs := r.signature()
		if r.IntN(3) > 0 {
			digest, rs = r.mutateSignature(digest, rs)
		}
		if r.IntN(16) == 0 {
			pub, _ = r.publicKeys(r.Point())
		}
		r.given("key %x, digest %x, signature %x", pub.Bytes(), digest, rs)
		sig, err := ecdsa.ParseCompact(rs)
		theirs, ok := parseDecred(rs)
		r.same("parsed by decred", err == nil, ok)
		if c := r.secp(); c != nil && len(rs) == 64 {
			// ECDSAParseCompact refuses numbers of n or more. It accepts zero, for which ECDSAVerify then fails.
			parsed, zero := c.ECDSAParseCompact((*[64]byte)(rs)), make([]byte, 32)
			if parsed && (bytes.Equal(rs[:32], zero) || bytes.Equal(rs[32:], zero)) {
				r.add(zeroParsed)
				r.is(errors.Is(err, p256k1.ErrRange), "zero is refused, not %v", err)
				r.same("zero", false, c.ECDSAVerify(pub.BytesUncompressed(), fixed(digest), (*[64]byte)(rs)))
			} else {
				r.same("parsed by libsecp256k1", err == nil, parsed)
			}
		}
		if err != nil {
			r.add(unparsed)
			return
		}
		truncated, low := ecdsa.TruncateHash(digest), sig.NormalizeS()
		got := ecdsa.Verify(pub, truncated, sig)
		r.verdict(got, valid, invalid)
		r.same("with low s", ecdsa.VerifyLowS(pub, truncated, sig), got && sig.IsLowS())
		for _, pub := range [][]byte{pub.Bytes(), pub.BytesUncompressed()} {
			r.same("from bytes", ecdsa.VerifyCompact(pub, truncated, rs), got)
			r.same("from DER", ecdsa.VerifyDER(pub, truncated, sig.DER()), got)
		}
		if len(digest) != 32 {
			r.same("with the whole digest", ecdsa.Verify(pub, digest, sig) || ecdsa.VerifyLowS(pub, digest, sig), false)
		}
		if c := r.secp(); c != nil && len(digest) > 0 {
			uncompressed := pub.BytesUncompressed()
			their, wasHigh, ok := c.ECDSANormalize((*[64]byte)(rs))
			r.same("with low s, libsecp256k1", low, from(their, ok))
			r.same("high s, libsecp256k1", !sig.IsLowS(), wasHigh)
			r.same("libsecp256k1", got, c.ECDSAVerify(uncompressed, fixed(digest), &their))
			accepts := c.ECDSAVerify(uncompressed, fixed(digest), (*[64]byte)(rs))
			r.is(!wasHigh || !accepts, "libsecp256k1 refuses a high s")
			r.addIf(wasHigh && got, highS)
		}
		if !r.slow() {
			return
		}
		theirKey, s := must(secp.ParsePubKey(pub.BytesUncompressed())), theirs.S()
		if len(digest) == 0 {
			r.add(emptyDigest)
			r.same("empty digest", got, false)
			got = ecdsa.Verify(pub, make([]byte, 32), sig) // decred reads an empty digest as zeros
		}
		r.same("decred", got, theirs.Verify(digest, theirKey))
		r.same("low s, decred", sig.IsLowS(), !s.IsOverHalfOrder())
		r.same("DER with low s, decred", low.DER(), theirs.Serialize())
		r.addIf(!sig.IsLowS(), serializedLow)
	}, valid, invalid, unparsed, wrapped, falselyWrapped, highS, zeroParsed, serializedLow, emptyDigest)
}

// integer returns an ASN.1 INTEGER with a value near the limits of signatures. It is not always in the shortest form,
// and its stated length is not always right.
func (r *run) integer() []byte {
	edge := r.ScalarBytes()
	v := bytes.TrimLeft(edge[:], "\x00")
	if r.IntN(16) == 0 {
		v = append(r.Bytes(1+r.IntN(3)), edge[:]...)
	}
	if len(v) == 0 {
		v = make([]byte, 1)
	}
	if v[0] >= 0x80 && r.IntN(16) != 0 {
		v = append([]byte{0}, v...)
	}
	if r.IntN(16) == 0 {
		v = append(make([]byte, 1+r.IntN(3)), v...)
	}
	header := []byte{2, byte(len(v))}
	switch r.IntN(24) {
	case 0:
		header = []byte{2, 0x81, byte(len(v))}
	case 1:
		v = nil
		header[1] = 0
	case 2:
		header[r.IntN(2)] = byte(r.Uint64())
	}
	return append(header, v...)
}

func (r *run) derSignature() []byte {
	content := append(r.integer(), r.integer()...)
	switch r.IntN(12) {
	case 0: // extra bytes in the sequence
		content = append(content, r.Bytes(1+r.IntN(3))...)
	case 1:
		content = append(content, r.integer()...)
	}
	b := append([]byte{0x30, byte(len(content))}, content...)
	switch r.IntN(6) {
	case 0:
		b = r.mutate(b)
	case 1:
		b = append(b, r.Bytes(1+r.IntN(4))...)
	case 2:
		b[r.IntN(2)] = byte(r.Uint64())
	}
	return b
}

func TestParseDER(t *testing.T) {
	differential(t, func(r *run) {
		r.all()
		b := r.derSignature()
		r.given("signature %x", b)
		sig, err := ecdsa.ParseDER(b)
		r.verdict(err == nil, accepted, refused)
		var ours any
		if err == nil {
			ours = sig.Bytes()
			r.same("encoded again", sig.DER(), b)
		} else {
			r.fails("ParseDER", err, p256k1.ErrRange, ecdsa.ErrDER)
		}
		r.same("decred", ours, compactOr(secpecdsa.ParseDERSignature(b)))

		// libsecp256k1 accepts any two integers in DER, and replaces an integer outside [0, n−1] by 0.
		x, y, ok := integers(b)
		r.same("its integers", err == nil, ok && inField(x) && inField(y) && x.Sign() > 0 && y.Sign() > 0)
		if c := r.secp(); c != nil {
			var want [64]byte
			if ok && inField(x) {
				x.FillBytes(want[:32])
			}
			if ok && inField(y) {
				y.FillBytes(want[32:])
			}
			theirs, theirOK := c.ECDSAParseDER(b)
			r.same("libsecp256k1 by its integers", from(theirs, theirOK), from(want, ok))
			if err == nil {
				r.same("libsecp256k1", ours, theirs)
			} else if theirOK {
				r.add(derOutOfRange)
			}
		}

		// Btcec ignores bytes after the sequence.
		cut := b
		if len(b) > 2 && len(b) <= 72 && b[1] < 0x80 && int(b[1])+2 < len(b) {
			cut = b[:int(b[1])+2]
		}
		wanted, wantedErr := ecdsa.ParseDER(cut)
		r.same("btcec, without what follows", result(wanted, wantedErr), compactOr(btcecdsa.ParseDERSignature(b)))
		r.addIf(wantedErr == nil && err != nil, trailingBytes)

		// Btcec's ParseSignature accepts all encodings that this library accepts, and more.
		other := compactOr(btcecdsa.ParseSignature(b))
		if err == nil {
			r.same("btcec's parser of BER", ours, other)
		} else if other != nil {
			r.add(berSignature)
			// The strict encoding of the same numbers must be accepted, and must differ from the input.
			again, err := ecdsa.ParseCompact(other.([]byte))
			r.is(err == nil && !bytes.Equal(again.DER(), b), "%x, which btcec's parser of BER finds, has another encoding: %v", other, err)
		}
	}, accepted, refused, derOutOfRange, trailingBytes, berSignature)
}

// compactOr returns r‖s of a signature of decred, or nil if err is not nil.
func compactOr(sig *secpecdsa.Signature, err error) any {
	if err != nil {
		return nil
	}
	return compact(sig)
}

// integers returns the integers of a signature in DER, of any size and sign, according to another parser.
func integers(b []byte) (x, y *big.Int, ok bool) {
	x, y = new(big.Int), new(big.Int)
	var sequence cryptobyte.String
	input := cryptobyte.String(b)
	ok = input.ReadASN1(&sequence, asn1.SEQUENCE) && input.Empty() &&
		sequence.ReadASN1Integer(x) && sequence.ReadASN1Integer(y) && sequence.Empty()
	return x, y, ok
}

// inField reports whether x is in [0, n−1].
func inField(x *big.Int) bool { return x.Sign() >= 0 && x.Cmp(oracle.N) < 0 }

func TestRecover(t *testing.T) {
	differential(t, func(r *run) {
		var digest, rs []byte
		if r.IntN(3) == 0 {
			z, rx, s := r.digest(), r.ScalarBytes(), r.ScalarBytes()
			if r.IntN(2) == 0 {
				rx = pick(r, oracle.WrapR()...)
			}
			digest, rs = z, append(rx[:], s[:]...)
		} else {
			_, digest, rs = r.signature()
			if r.IntN(2) == 0 {
				digest, rs = r.mutateSignature(digest, rs)
			}
		}
		if r.IntN(32) == 0 {
			digest = nil
		}
		header := byte(27 + r.IntN(8))
		if r.IntN(16) == 0 {
			header = byte(r.Uint64())
		}
		b := append([]byte{header}, rs...)
		r.given("digest %x, signature %x", digest, b)

		var pub *p256k1.PublicKey
		sig, compressed, err := ecdsa.ParseRecoverableBitcoin(b)
		parsed := err == nil
		truncated := ecdsa.TruncateHash(digest)
		if parsed {
			if len(digest) != 32 {
				pub, err := ecdsa.Recover(digest, sig)
				r.is(pub == nil && errors.Is(err, p256k1.ErrLength), "the error is ErrLength: %v", err)
			}
			pub, err = ecdsa.Recover(truncated, sig)
		} else {
			r.fails("parsing", err, p256k1.ErrLength, p256k1.ErrRange, ecdsa.ErrRecoveryID)
		}
		r.verdict(err == nil, recovered, refused)
		if err == nil {
			r.is(len(digest) > 0 && ecdsa.Verify(pub, truncated, sig.Signature()), "it is valid for %x", pub.Bytes())
			r.same("compressed", compressed, header >= 31)
		}
		if c := r.secp(); c != nil && len(digest) > 0 {
			// libsecp256k1 takes no header byte, and only numbers of 32 bytes.
			var want [33]byte
			ok := header >= 27 && header < 35 && len(rs) == 64
			if ok {
				want, ok = c.Recover(fixed(digest), (*[65]byte)(append(rs[:64:64], (header-27)&3)))
			}
			r.same("libsecp256k1", result(pub, err), from(want, ok))
		}
		if !r.slow() {
			return
		}
		theirs, theirCompressed, theirErr := secpecdsa.RecoverCompact(b, digest)
		other, _, otherErr := btcecdsa.RecoverCompact(b, digest)
		r.same("btcec as decred", serialized(other, otherErr), serialized(theirs, theirErr))
		if len(digest) == 0 && theirErr == nil {
			r.add(emptyDigest)
			r.is(errors.Is(err, p256k1.ErrLength), "the error is ErrLength: %v", err)
			pub, err = ecdsa.Recover(make([]byte, 32), sig) // the other libraries read an empty digest as zeros
		}
		r.same("decred", err == nil, theirErr == nil)
		if err == nil && theirErr == nil {
			r.samePublicKey(pub, theirs)
			r.same("compressed, decred", compressed, theirCompressed)
		}
	}, recovered, refused, wrapped, emptyDigest)
}

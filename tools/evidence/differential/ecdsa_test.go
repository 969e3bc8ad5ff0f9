package differential

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
	d := r.Digest()
	return d[:]
}

// otherLength makes sure that a digest which is not 32 bytes is refused as it is: peers truncate by themselves.
func (r *run) otherLength(k *p256k1.PrivateKey, digest []byte) {
	if len(digest) == 32 {
		return
	}
	if sig, err := ecdsa.SignRecoverable(k, digest); !errors.Is(err, p256k1.ErrLength) {
		r.errorf("key %x signs %x, which is no digest: %x, %v", k.Bytes(), digest, sig.Bytes(), err)
	}
}

func TestSignECDSA(t *testing.T) {
	differential(t, func(r *run) {
		k, theirs := r.keys(r.ValidScalar())
		digest := r.digest()
		r.otherLength(k, digest)
		sig, err := ecdsa.Sign(k, ecdsa.TruncateHash(digest))
		if len(digest) == 0 {
			r.expect(emptyDigest)
			if !errors.Is(err, p256k1.ErrLength) {
				r.errorf("key %x signs an empty digest: %v", k.Bytes(), err)
			}
			return
		}
		if err != nil {
			r.errorf("key %x, digest %x: %v", k.Bytes(), digest, err)
			return
		}
		r.kind(signed)
		if !sig.IsLowS() {
			r.errorf("key %x, digest %x: signature %x has a high s", k.Bytes(), digest, sig.Bytes())
		}
		if c := r.secp(); c != nil {
			d := [32]byte(k.Bytes())
			other, ok := c.ECDSASign(&d, fixed(digest), nil)
			der, n, ok2 := c.ECDSASerializeDER(&other)
			if !ok || !ok2 || !bytes.Equal(sig.Bytes(), other[:]) || !bytes.Equal(sig.DER(), der[:n]) {
				r.errorf("key %x, digest %x: signature %x, libsecp256k1 %x; %x, %x", d, digest, sig.Bytes(), other, sig.DER(), der[:n])
			}
		}
		if r.slow() {
			hash := digest
			if !isReduced(digest) {
				r.expect(digestNotReduced)
				hash = reduced(digest)
			}
			decred, other := secpecdsa.Sign(theirs, hash), btcecdsa.Sign(theirs, hash)
			if !bytes.Equal(sig.Bytes(), compact(decred)) || !bytes.Equal(sig.Bytes(), compact(other)) {
				r.errorf("key %x, digest %x: signature %x, decred %x, btcec %x", k.Bytes(), digest, sig.Bytes(), compact(decred), compact(other))
			}
			if !bytes.Equal(sig.DER(), decred.Serialize()) {
				r.errorf("key %x, digest %x: signature %x, decred %x", k.Bytes(), digest, sig.DER(), decred.Serialize())
			}
		}
		if r.IntN(4) == 0 {
			r.signWithEntropy(k, theirs, digest)
		}
	}, signed, emptyDigest, digestNotReduced)
}

const signed = kind("signed")

// signWithEntropy compares a signature with extra entropy: with that of libsecp256k1, and with one that is made from decred's
// nonce, for which it has no function.
func (r *run) signWithEntropy(k *p256k1.PrivateKey, theirs *secp.PrivateKey, digest []byte) {
	extra := r.ScalarBytes()
	sig := must(ecdsa.SignWithEntropy(k, ecdsa.TruncateHash(digest), &extra))
	if c := r.secp(); c != nil {
		d := [32]byte(k.Bytes())
		if other, ok := c.ECDSASign(&d, fixed(digest), &extra); !ok || !bytes.Equal(sig.Bytes(), other[:]) {
			r.errorf("key %x, digest %x, entropy %x: signature %x, libsecp256k1 %x", d, digest, extra, sig.Bytes(), other)
		}
	}
	if !r.slow() {
		return
	}
	hash := reduced(digest)
	nonce := secp.NonceRFC6979(k.Bytes(), hash, extra[:], nil, 0)
	var point secp.JacobianPoint
	secp.ScalarBaseMultNonConst(nonce, &point)
	point.ToAffine()
	var x, z, s secp.ModNScalar
	x.SetBytes(point.X.Bytes())
	z.SetByteSlice(hash)
	s.Mul2(&x, &theirs.Key).Add(&z).Mul(nonce.InverseNonConst())
	if s.IsOverHalfOrder() {
		s.Negate()
	}
	if want := compact(secpecdsa.NewSignature(&x, &s)); !bytes.Equal(sig.Bytes(), want) {
		r.errorf("key %x, digest %x, entropy %x: signature %x, decred's nonce makes %x", k.Bytes(), digest, extra, sig.Bytes(), want)
	}
}

// These are kinds of signatures: those whose R has an x of n or more, and those whose r is p − n more than that x.
const (
	wrapped        = kind("R.x ≥ n")
	falselyWrapped = kind("r + n ≡ R.x")
)

var wrap = new(big.Int).Sub(oracle.P, oracle.N)

// signature returns a public key, a digest of 32 bytes and r‖s that is mostly valid for them, not always of low s, with chosen
// factors of the verification, R = u1·G + u2·P.
func (r *run) signature() (pub *p256k1.PublicKey, digest, rs []byte) {
	if r.IntN(16) == 0 {
		if pub, digest, rs = r.wrappedSignature(); pub != nil {
			r.kind(wrapped)
			return pub, digest, rs
		}
	}
	for {
		p := r.point()
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
			r.kind(falselyWrapped) // r + n is x modulo p, but only because it is p or more: not valid
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

// wrappedSignature returns the same for an R whose x coordinate is n or more, of which no discrete logarithm is known. The key
// is recovered.
func (r *run) wrappedSignature() (pub *p256k1.PublicKey, digest, rs []byte) {
	rx, s, z := pick(r, oracle.WrapR()...), oracle.Bytes(r.ValidScalar()), r.Digest()
	sig := must(ecdsa.ParseRecoverable(slices.Concat(rx[:], s[:], []byte{byte(2 | r.IntN(2))})))
	pub, err := ecdsa.Recover(z[:], sig)
	if err != nil {
		return nil, nil, nil
	}
	return pub, z[:], sig.Bytes()[:64]
}

// mutateSignature changes something of a signature of a digest, which may or may not make it invalid.
func (r *run) mutateSignature(digest, rs []byte) ([]byte, []byte) {
	digest, rs = slices.Clone(digest), slices.Clone(rs)
	half := rs[32*r.IntN(2):][:32]
	switch r.IntN(14) {
	case 0, 1:
		rs[r.IntN(len(rs))] ^= 1 << r.IntN(8)
	case 2:
		digest[r.IntN(len(digest))] ^= 1 << r.IntN(8)
	case 3: // n − s is as good
		s := oracle.Bytes(oracle.Fn.Neg(oracle.Int(rs[32:])))
		copy(rs[32:], s[:])
	case 4:
		v := r.ScalarBytes()
		copy(half, v[:])
	case 5:
		v := pick(r, oracle.RangeEdges()...)
		copy(half, v[:])
	case 6: // plus n, if it fits: the same number mod n, but not in range
		if v := new(big.Int).Add(oracle.Int(half), oracle.N); v.BitLen() <= 256 {
			v.FillBytes(half)
		}
	case 7: // the same digest mod n
		if v := new(big.Int).Add(oracle.Int(digest), oracle.N); v.BitLen() <= 256 {
			v.FillBytes(digest)
		}
	case 8: // what follows the first 32 bytes does not count
		digest = append(digest, r.Bytes(1+r.IntN(32))...)
	case 9:
		if digest = r.AnyDigest(); r.IntN(2) == 0 {
			digest = nil
		}
	case 10: // leading zeros do not count either, if there are any
		digest = bytes.TrimLeft(digest, "\x00")
	case 11:
		rs = r.mutate(rs)
	case 13:
		clear(half)
	case 12: // the last low s and the first high one
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
			pub, _ = r.publicKeys(r.point())
		}
		sig, err := ecdsa.ParseCompact(rs)
		theirs, ok := parseCompact(rs)
		if (err == nil) != ok {
			r.errorf("signature %x: %v, decred %v", rs, err, ok)
			return
		}
		if c := r.secp(); c != nil && len(rs) == 64 {
			// Libsecp256k1 refuses numbers of n or more here, and zero only when it verifies.
			parsed := c.ECDSAParseCompact((*[64]byte)(rs))
			hasZero := bytes.Equal(rs[:32], make([]byte, 32)) || bytes.Equal(rs[32:], make([]byte, 32))
			switch {
			case parsed && err != nil && hasZero:
				r.expect(zeroParsed)
				if c.ECDSAVerify(pub.BytesUncompressed(), fixed(digest), (*[64]byte)(rs)) {
					r.errorf("libsecp256k1: signature %x of %x by %x is valid", rs, digest, pub.Bytes())
				}
			case parsed != (err == nil):
				r.errorf("signature %x: %v, libsecp256k1 %v", rs, err, parsed)
			}
		}
		if err != nil {
			r.kind(unparsed)
			return
		}
		truncated, low := ecdsa.TruncateHash(digest), sig.NormalizeS()
		got, gotLow := ecdsa.Verify(pub, truncated, sig), ecdsa.VerifyLowS(pub, truncated, sig)
		r.verdict(got, valid, invalid)
		for _, pub := range [][]byte{pub.Bytes(), pub.BytesUncompressed()} {
			if ecdsa.VerifyCompact(pub, truncated, rs) != got || ecdsa.VerifyDER(pub, truncated, sig.DER()) != got {
				r.errorf("key %x, digest %x, signature %x: valid %v, but not so from bytes", pub, truncated, rs, got)
			}
		}
		if len(digest) != 32 && (ecdsa.Verify(pub, digest, sig) || ecdsa.VerifyLowS(pub, digest, sig)) {
			r.errorf("key %x, signature %x: valid for %x, which is no digest", pub.Bytes(), rs, digest)
		}
		if len(digest) == 0 && got || gotLow != (got && sig.IsLowS()) {
			r.errorf("key %x, digest %x, signature %x: valid %v, with low s %v", pub.Bytes(), digest, rs, got, gotLow)
		}
		if c := r.secp(); c != nil && len(digest) > 0 {
			their, wasHigh, ok := c.ECDSANormalize((*[64]byte)(rs))
			if !ok || wasHigh == sig.IsLowS() || !bytes.Equal(their[:], low.Bytes()) {
				r.errorf("signature %x: low s %v, else %x, libsecp256k1 %v, %x", rs, sig.IsLowS(), low.Bytes(), !wasHigh, their)
			}
			if want := c.ECDSAVerify(pub.BytesUncompressed(), fixed(digest), &their); got != want {
				r.errorf("key %x, digest %x, signature %x: valid %v, libsecp256k1 %v", pub.Bytes(), digest, rs, got, want)
			}
			if wasHigh && c.ECDSAVerify(pub.BytesUncompressed(), fixed(digest), (*[64]byte)(rs)) {
				r.errorf("libsecp256k1: signature %x with high s is valid", rs)
			}
			if wasHigh && got {
				r.expect(highS)
			}
		}
		if !r.slow() {
			return
		}
		theirKey := must(secp.ParsePubKey(pub.BytesUncompressed()))
		want, s := theirs.Verify(digest, theirKey), theirs.S()
		if len(digest) == 0 {
			// Valid or not there, it is not here.
			r.expect(emptyDigest)
			want = false
		}
		if got != want {
			r.errorf("key %x, digest %x, signature %x: valid %v, decred %v", pub.Bytes(), digest, rs, got, want)
		}
		if sig.IsLowS() == s.IsOverHalfOrder() {
			r.errorf("signature %x: IsLowS is %v", rs, sig.IsLowS())
		}
		if !bytes.Equal(low.DER(), theirs.Serialize()) {
			r.errorf("signature %x encodes as %x with low s, decred %x", rs, low.DER(), theirs.Serialize())
		}
		if !sig.IsLowS() {
			r.expect(serializedLow)
		}
	}, valid, invalid, unparsed, wrapped, falselyWrapped, highS, zeroParsed, serializedLow, emptyDigest)
}

// integer returns an ASN.1 INTEGER with one of the values that are around the limits of a signature, not always in the shortest
// form, and not always with the length that it says.
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
	case 0: // more in the sequence than belongs there
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
		sig, err := ecdsa.ParseDER(b)
		r.verdict(err == nil, accepted, refused)
		if err == nil && !bytes.Equal(sig.DER(), b) {
			r.errorf("signature %x becomes %x", b, sig.DER())
		}
		theirs, theirErr := secpecdsa.ParseDERSignature(b)
		if (err == nil) != (theirErr == nil) {
			r.errorf("signature %x: %v, decred %v", b, err, theirErr)
		} else if err == nil && !bytes.Equal(sig.Bytes(), compact(theirs)) {
			r.errorf("signature %x: %x, decred %x", b, sig.Bytes(), compact(theirs))
		}

		// Libsecp256k1 takes any two integers in DER, and makes 0 of one that is not in [0, n−1].
		x, y, ok := integers(b)
		inRange := ok && inField(x) && inField(y) && x.Sign() > 0 && y.Sign() > 0
		if (err == nil) != inRange {
			r.errorf("signature %x: %v, but its integers are %x and %x", b, err, x, y)
		}
		if c := r.secp(); c != nil {
			var want [64]byte
			if ok && inField(x) {
				x.FillBytes(want[:32])
			}
			if ok && inField(y) {
				y.FillBytes(want[32:])
			}
			theirs, theirOK := c.ECDSAParseDER(b)
			if theirOK != ok || theirs != want || err == nil && !bytes.Equal(sig.Bytes(), theirs[:]) {
				r.errorf("signature %x: %x (%v), libsecp256k1 %x, %v", b, sig.Bytes(), err, theirs, theirOK)
			}
			if theirOK && err != nil {
				r.expect(derOutOfRange)
			}
		}

		// Btcec passes over what follows the sequence.
		cut := b
		if len(b) > 2 && len(b) <= 72 && b[1] < 0x80 && int(b[1])+2 < len(b) {
			cut = b[:int(b[1])+2]
		}
		wanted, wantedErr := ecdsa.ParseDER(cut)
		theirs, theirErr = btcecdsa.ParseDERSignature(b)
		if (theirErr == nil) != (wantedErr == nil) || theirErr == nil && !bytes.Equal(compact(theirs), wanted.Bytes()) {
			r.errorf("signature %x: btcec %v, but without what follows it is %v here", b, theirErr, wantedErr)
		}
		if wantedErr == nil && err != nil {
			r.expect(trailingBytes)
		}

		// Its other parser takes everything that is taken here, and more.
		theirs, theirErr = btcecdsa.ParseSignature(b)
		if err == nil && (theirErr != nil || !bytes.Equal(compact(theirs), sig.Bytes())) {
			r.errorf("signature %x: btcec's parser of BER: %v", b, theirErr)
		}
		if err != nil && theirErr == nil {
			r.expect(berSignature)
			// The strict encoding of the same must be taken here, and must be another.
			if again, err := ecdsa.ParseCompact(compact(theirs)); err != nil || bytes.Equal(again.DER(), b) {
				r.errorf("signature %x: refused, btcec's parser of BER finds %x in it, which is %v here", b, compact(theirs), err)
			}
		}
	}, accepted, refused, derOutOfRange, trailingBytes, berSignature)
}

// integers returns those of a signature in DER, of any size and sign, as another parser reads it.
func integers(b []byte) (x, y *big.Int, ok bool) {
	x, y = new(big.Int), new(big.Int)
	var sequence cryptobyte.String
	in := cryptobyte.String(b)
	ok = in.ReadASN1(&sequence, asn1.SEQUENCE) && in.Empty() && sequence.ReadASN1Integer(x) && sequence.ReadASN1Integer(y) &&
		sequence.Empty()
	return x, y, ok
}

// inField reports whether x is in [0, n−1].
func inField(x *big.Int) bool { return x.Sign() >= 0 && x.Cmp(oracle.N) < 0 }

func TestSignRecoverable(t *testing.T) {
	differential(t, func(r *run) {
		k, theirs := r.keys(r.ValidScalar())
		digest, compressed := r.digest(), r.IntN(2) == 0
		r.otherLength(k, digest)
		sig, err := ecdsa.SignRecoverable(k, ecdsa.TruncateHash(digest))
		if len(digest) == 0 {
			r.expect(emptyDigest)
			if !errors.Is(err, p256k1.ErrLength) {
				r.errorf("key %x signs an empty digest: %v", k.Bytes(), err)
			}
			return
		}
		if err != nil {
			r.errorf("key %x, digest %x: %v", k.Bytes(), digest, err)
			return
		}
		b := sig.BytesBitcoin(compressed)
		if c := r.secp(); c != nil {
			d := [32]byte(k.Bytes())
			if other, ok := c.RecoverableSign(&d, fixed(digest), nil); !ok || !bytes.Equal(sig.Bytes(), other[:]) {
				r.errorf("key %x, digest %x: signature %x, libsecp256k1 %x", d, digest, sig.Bytes(), other)
			}
		}
		if r.slow() {
			hash := digest
			if !isReduced(digest) {
				r.expect(digestNotReduced)
				hash = reduced(digest)
			}
			decred, other := secpecdsa.SignCompact(theirs, hash, compressed), btcecdsa.SignCompact(theirs, hash, compressed)
			if !bytes.Equal(b, decred) || !bytes.Equal(b, other) {
				r.errorf("key %x, digest %x: signature %x, decred %x, btcec %x", k.Bytes(), digest, b, decred, other)
			}
		}
		again, compressedAgain, err := ecdsa.ParseRecoverableBitcoin(b)
		if err != nil || again != sig || compressedAgain != compressed || must(ecdsa.ParseRecoverable(sig.Bytes())) != sig {
			r.errorf("signature %x becomes %x (%v)", b, again.Bytes(), err)
		}
		if pub, err := ecdsa.Recover(ecdsa.TruncateHash(digest), sig); err != nil || !pub.Equal(k.PublicKey()) {
			r.errorf("key %x, digest %x: the key is not recovered from %x: %v", k.Bytes(), digest, sig.Bytes(), err)
		}
	}, emptyDigest, digestNotReduced)
}

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

		var pub *p256k1.PublicKey
		sig, compressed, err := ecdsa.ParseRecoverableBitcoin(b)
		truncated := ecdsa.TruncateHash(digest)
		if err == nil && len(digest) != 32 {
			if pub, err := ecdsa.Recover(digest, sig); pub != nil || !errors.Is(err, p256k1.ErrLength) {
				r.errorf("digest %x, signature %x: recovered %x (%v), but that is no digest", digest, b, pub, err)
			}
		}
		if err == nil {
			pub, err = ecdsa.Recover(truncated, sig)
		}
		if err == nil && (len(digest) == 0 || compressed != (header >= 31) || !ecdsa.Verify(pub, truncated, sig.Signature())) {
			r.errorf("digest %x, signature %x: recovered %x, for which it is not valid; compressed %v", digest, b, pub.Bytes(), compressed)
		}
		r.verdict(err == nil, recovered, refused)
		if c := r.secp(); c != nil && len(digest) > 0 {
			// Libsecp256k1 has no header, and no numbers of another length.
			var want [33]byte
			ok := header >= 27 && header < 35 && len(rs) == 64
			if ok {
				want, ok = c.Recover(fixed(digest), (*[65]byte)(append(rs[:64:64], (header-27)&3)))
			}
			if ok != (err == nil) || ok && !bytes.Equal(pub.Bytes(), want[:]) {
				r.errorf("digest %x, signature %x: %v, libsecp256k1 %x, %v", digest, b, err, want, ok)
			}
		}
		if !r.slow() {
			return
		}
		theirs, theirCompressed, theirErr := secpecdsa.RecoverCompact(b, digest)
		if len(digest) == 0 && theirErr == nil {
			r.expect(emptyDigest)
			if !errors.Is(err, p256k1.ErrLength) {
				r.errorf("signature %x of an empty digest: %v", b, err)
			}
			return
		}
		if (err == nil) != (theirErr == nil) {
			r.errorf("digest %x, signature %x: %v, decred %v", digest, b, err, theirErr)
		} else if err == nil {
			r.samePublicKey(pub, theirs, "recovered from digest %x, signature %x", digest, b)
			if compressed != theirCompressed {
				r.errorf("signature %x: compressed %v, decred %v", b, compressed, theirCompressed)
			}
			if other, _, err := btcecdsa.RecoverCompact(b, digest); err != nil || !other.IsEqual(theirs) {
				r.errorf("digest %x, signature %x: btcec %v", digest, b, err)
			}
		}
	}, recovered, refused, wrapped, emptyDigest)
}

const recovered = kind("recovered")

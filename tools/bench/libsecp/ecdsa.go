package libsecp

import "p256k1.mleku.dev/v2/tools/bench/internal/dl"

// ECDSASign signs a digest with the nonce of RFC 6979 and returns r and s, with s in the lower half. If entropy is not
// nil, it is passed to the nonce function as libsecp256k1's 32 bytes of ndata.
func (c *Context) ECDSASign(seckey, digest, entropy *[32]byte) ([64]byte, bool) {
	return c.compact(c.ecdsaSign(seckey, digest, entropy))
}

// ECDSASignDER signs like ECDSASign, but returns the signature in DER, in the first n bytes of der.
func (c *Context) ECDSASignDER(seckey, digest, entropy *[32]byte) (der [72]byte, n int, ok bool) {
	return c.derOf(c.ecdsaSign(seckey, digest, entropy))
}

// ECDSAVerify verifies r and s over a digest. It also returns false if the key or the signature does not parse, or if s
// is in the upper half.
func (c *Context) ECDSAVerify(pub []byte, digest *[32]byte, sig *[64]byte) bool {
	return c.parse(pub) && c.ECDSAParseCompact(sig) && c.ecdsaVerify(digest)
}

// ECDSAVerifyDER verifies a signature in DER over a digest. It also returns false if the key or the signature does not
// parse, or if s is in the upper half.
func (c *Context) ECDSAVerifyDER(pub []byte, digest *[32]byte, der []byte) bool {
	return c.parse(pub) && c.parseDER(der) && c.ecdsaVerify(digest)
}

// ECDSAParseCompact reports whether C accepts r and s: both must be below n.
func (c *Context) ECDSAParseCompact(sig *[64]byte) bool {
	c.s.sig64 = *sig
	return c.call(c.fn.ecdsaSignatureParseCompact, dl.Addr(&c.s.sig), dl.Addr(&c.s.sig64))
}

// ECDSAParseDER parses a signature in DER and returns r and s. C accepts values that are negative or not below n as
// well-formed, and sets such a value to zero.
func (c *Context) ECDSAParseDER(der []byte) ([64]byte, bool) { return c.compact(c.parseDER(der)) }

// ECDSASerializeDER writes r and s in DER to der and returns the length n.
func (c *Context) ECDSASerializeDER(sig *[64]byte) (der [72]byte, n int, ok bool) {
	return c.derOf(c.ECDSAParseCompact(sig))
}

// ECDSANormalize returns the signature with s in the lower half, and whether it was in the upper half before.
func (c *Context) ECDSANormalize(sig *[64]byte) (normalized [64]byte, wasHigh, ok bool) {
	if !c.ECDSAParseCompact(sig) {
		return normalized, false, false
	}
	wasHigh = c.call(c.fn.ecdsaSignatureNormalize, dl.Addr(&c.s.sig), dl.Addr(&c.s.sig))
	normalized, ok = c.compact(true)
	return normalized, wasHigh, ok
}

// RecoverableSign signs like ECDSASign, but returns r, s and the recovery id, which is from 0 to 3.
func (c *Context) RecoverableSign(seckey, digest, entropy *[32]byte) (sig [65]byte, ok bool) {
	c.s.seckey, c.s.digest = *seckey, *digest
	if !c.call(c.fn.ecdsaSignRecoverable, dl.Addr(&c.s.rsig), dl.Addr(&c.s.digest), dl.Addr(&c.s.seckey), 0, c.aux(entropy)) {
		return sig, false
	}
	c.call(c.fn.ecdsaRecoverableSignatureSerializeCompact, dl.Addr(&c.s.sig64), dl.Addr(&c.s.value), dl.Addr(&c.s.rsig))
	copy(sig[:], c.s.sig64[:])
	sig[64] = byte(c.s.value)
	return sig, true
}

// Recover returns the compressed public key for which r, s and the recovery id are a signature over the digest. It
// refuses recovery ids above 3, which C treats as a mistake of the caller.
func (c *Context) Recover(digest *[32]byte, sig *[65]byte) (pub [33]byte, ok bool) {
	c.s.digest, c.s.sig64 = *digest, [64]byte(sig[:64])
	return c.compressed(sig[64] <= 3 &&
		c.call(c.fn.ecdsaRecoverableSignatureParseCompact, dl.Addr(&c.s.rsig), dl.Addr(&c.s.sig64), uintptr(sig[64])) &&
		c.call(c.fn.ecdsaRecover, dl.Addr(&c.s.pubkey), dl.Addr(&c.s.rsig), dl.Addr(&c.s.digest)))
}

// aux copies b into c and returns the address of the copy, or 0, which is C's NULL, if b is nil.
func (c *Context) aux(b *[32]byte) uintptr {
	if b == nil {
		return 0
	}
	c.s.aux = *b
	return dl.Addr(&c.s.aux)
}

func (c *Context) ecdsaSign(seckey, digest, entropy *[32]byte) bool {
	c.s.seckey, c.s.digest = *seckey, *digest
	return c.call(c.fn.ecdsaSign, dl.Addr(&c.s.sig), dl.Addr(&c.s.digest), dl.Addr(&c.s.seckey), 0, c.aux(entropy))
}

// ecdsaVerify verifies the signature with the public key in the scratch space.
func (c *Context) ecdsaVerify(digest *[32]byte) bool {
	c.s.digest = *digest
	return c.call(c.fn.ecdsaVerify, dl.Addr(&c.s.sig), dl.Addr(&c.s.digest), dl.Addr(&c.s.pubkey))
}

func (c *Context) parseDER(der []byte) bool {
	return c.call(c.fn.ecdsaSignatureParseDer, dl.Addr(&c.s.sig), put(&c.s.data, der), uintptr(len(der)))
}

// compact encodes the signature in the scratch space, if ok.
func (c *Context) compact(ok bool) ([64]byte, bool) {
	if ok {
		c.call(c.fn.ecdsaSignatureSerializeCompact, dl.Addr(&c.s.sig64), dl.Addr(&c.s.sig))
	}
	return result(ok, &c.s.sig64)
}

// derOf encodes the signature in the scratch space, if ok.
func (c *Context) derOf(ok bool) (der [72]byte, n int, _ bool) {
	if !ok {
		return der, 0, false
	}
	c.s.length = derCap
	ok = c.call(c.fn.ecdsaSignatureSerializeDer, dl.Addr(&c.s.der), dl.Addr(&c.s.length), dl.Addr(&c.s.sig))
	return [72]byte(c.s.der[:72]), int(c.s.length), ok
}

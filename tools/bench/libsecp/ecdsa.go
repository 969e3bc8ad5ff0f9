package libsecp

// ECDSASign signs a digest with the nonce of RFC 6979 and returns r and s, with
// s in the lower half. Unless it is nil, entropy goes into the nonce as
// libsecp256k1's 32 bytes of ndata.
func (c *Context) ECDSASign(seckey, digest, entropy *[32]byte) (sig [64]byte, ok bool) {
	if !c.ecdsaSign(seckey, digest, entropy) {
		return sig, false
	}
	return c.compactSignature(), true
}

// ECDSASignDER is ECDSASign, but returns the signature in DER: n bytes of der.
func (c *Context) ECDSASignDER(seckey, digest, entropy *[32]byte) (der [72]byte, n int, ok bool) {
	if !c.ecdsaSign(seckey, digest, entropy) {
		return der, 0, false
	}
	return c.derSignature()
}

// ECDSAVerify verifies r and s over a digest. It is false also if the key or the
// signature does not parse, or if s is in the upper half.
func (c *Context) ECDSAVerify(pub []byte, digest *[32]byte, sig *[64]byte) bool {
	return c.parse(pub) && c.parseCompact(sig) && c.ecdsaVerify(digest)
}

// ECDSAVerifyDER is ECDSAVerify for a signature in DER.
func (c *Context) ECDSAVerifyDER(pub []byte, digest *[32]byte, der []byte) bool {
	return c.parse(pub) && c.parseDER(der) && c.ecdsaVerify(digest)
}

// ECDSAParseCompact reports whether C accepts r and s: both must be below n.
func (c *Context) ECDSAParseCompact(sig *[64]byte) bool { return c.parseCompact(sig) }

// ECDSAParseDER parses a signature in DER and returns r and s. To C, values that
// are negative or not below n are well-formed, and it sets both to zero.
func (c *Context) ECDSAParseDER(der []byte) (sig [64]byte, ok bool) {
	if !c.parseDER(der) {
		return sig, false
	}
	return c.compactSignature(), true
}

// ECDSASerializeDER returns r and s in DER: n bytes of der.
func (c *Context) ECDSASerializeDER(sig *[64]byte) (der [72]byte, n int, ok bool) {
	if !c.parseCompact(sig) {
		return der, 0, false
	}
	return c.derSignature()
}

// ECDSANormalize returns the signature with s in the lower half, and whether it
// was in the upper half before.
func (c *Context) ECDSANormalize(sig *[64]byte) (normalized [64]byte, wasHigh, ok bool) {
	if !c.parseCompact(sig) {
		return normalized, false, false
	}
	wasHigh = c.call(c.fn.ecdsaNormalize, c.ctx, addr(&c.s.sig), addr(&c.s.sig))
	return c.compactSignature(), wasHigh, true
}

// RecoverableSign is ECDSASign, but returns r, s and the recovery id in 0 to 3.
func (c *Context) RecoverableSign(seckey, digest, entropy *[32]byte) (sig [65]byte, ok bool) {
	c.s.seckey, c.s.digest = *seckey, *digest
	if !c.call(c.fn.recoverableSign, c.ctx, addr(&c.s.rsig), addr(&c.s.digest), addr(&c.s.seckey),
		0, c.aux(entropy)) {
		return sig, false
	}
	c.call(c.fn.recoverableSerialize, c.ctx, addr(&c.s.sig64), addr(&c.s.value), addr(&c.s.rsig))
	copy(sig[:], c.s.sig64[:])
	sig[64] = byte(c.s.value)
	return sig, true
}

// Recover returns, compressed, the public key under which r, s and the recovery
// id are a signature over the digest. It refuses recovery ids above 3, which to C
// are a mistake of the caller.
func (c *Context) Recover(digest *[32]byte, sig *[65]byte) (pub [33]byte, ok bool) {
	if sig[64] > 3 {
		return pub, false
	}
	c.s.digest, c.s.sig64 = *digest, [64]byte(sig[:64])
	if !c.call(c.fn.recoverableParse, c.ctx, addr(&c.s.rsig), addr(&c.s.sig64), uintptr(sig[64])) ||
		!c.call(c.fn.recover, c.ctx, addr(&c.s.pubkey), addr(&c.s.rsig), addr(&c.s.digest)) {
		return pub, false
	}
	return c.compressed(), true
}

// aux copies optional bytes and returns where they are, or 0, C's NULL.
func (c *Context) aux(b *[32]byte) uintptr {
	if b == nil {
		return 0
	}
	c.s.aux = *b
	return addr(&c.s.aux)
}

func (c *Context) ecdsaSign(seckey, digest, entropy *[32]byte) bool {
	c.s.seckey, c.s.digest = *seckey, *digest
	return c.call(c.fn.ecdsaSign, c.ctx, addr(&c.s.sig), addr(&c.s.digest), addr(&c.s.seckey),
		0, c.aux(entropy))
}

// ecdsaVerify verifies the signature with the public key in the scratch space.
func (c *Context) ecdsaVerify(digest *[32]byte) bool {
	c.s.digest = *digest
	return c.call(c.fn.ecdsaVerify, c.ctx, addr(&c.s.sig), addr(&c.s.digest), addr(&c.s.pubkey))
}

func (c *Context) parseCompact(sig *[64]byte) bool {
	c.s.sig64 = *sig
	return c.call(c.fn.ecdsaParseCompact, c.ctx, addr(&c.s.sig), addr(&c.s.sig64))
}

func (c *Context) parseDER(der []byte) bool {
	return c.call(c.fn.ecdsaParseDER, c.ctx, addr(&c.s.sig), put(&c.s.data, der), uintptr(len(der)))
}

// compactSignature encodes the signature in the scratch space.
func (c *Context) compactSignature() [64]byte {
	c.call(c.fn.ecdsaSerializeCompact, c.ctx, addr(&c.s.sig64), addr(&c.s.sig))
	return c.s.sig64
}

// derSignature encodes the signature in the scratch space.
func (c *Context) derSignature() (der [72]byte, n int, ok bool) {
	c.s.length = derCap
	ok = c.call(c.fn.ecdsaSerializeDER, c.ctx, addr(&c.s.der), addr(&c.s.length), addr(&c.s.sig))
	return [72]byte(c.s.der[:72]), int(c.s.length), ok
}

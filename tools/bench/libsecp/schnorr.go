package libsecp

// SchnorrSign makes a BIP-340 signature over a message of 32 bytes. A nil aux
// gives what 32 zero bytes give, with one compression of SHA-256 less.
func (c *Context) SchnorrSign(pair *Keypair, msg, aux *[32]byte) (sig [64]byte, ok bool) {
	c.s.keypair, c.s.digest = *pair, *msg
	if !c.call(c.fn.schnorrSign32, c.ctx, addr(&c.s.sig64), addr(&c.s.digest), addr(&c.s.keypair),
		c.aux(aux)) {
		return sig, false
	}
	return c.s.sig64, true
}

// SchnorrSignCustom makes a BIP-340 signature over a message of any length, with
// aux as in SchnorrSign.
func (c *Context) SchnorrSignCustom(pair *Keypair, msg []byte, aux *[32]byte) (sig [64]byte, ok bool) {
	c.s.keypair = *pair
	c.s.params.ndata = c.aux(aux)
	if !c.call(c.fn.schnorrSignCustom, c.ctx, addr(&c.s.sig64), put(&c.s.data, msg), uintptr(len(msg)),
		addr(&c.s.keypair), addr(&c.s.params)) {
		return sig, false
	}
	return c.s.sig64, true
}

// SchnorrVerify verifies a BIP-340 signature over a message of any length. It is
// false also if the key does not parse.
func (c *Context) SchnorrVerify(pub *[32]byte, msg []byte, sig *[64]byte) bool {
	if !c.parseXOnly(pub) {
		return false
	}
	c.s.sig64 = *sig
	return c.call(c.fn.schnorrVerify, c.ctx, addr(&c.s.sig64), put(&c.s.data, msg), uintptr(len(msg)),
		addr(&c.s.xonly))
}

// XOnlyParse reports whether C accepts 32 bytes as the x of a public key.
func (c *Context) XOnlyParse(pub *[32]byte) bool { return c.parseXOnly(pub) }

// XOnlyTweakAdd returns the point with that x and even y plus tweak times the
// generator, compressed.
func (c *Context) XOnlyTweakAdd(pub, tweak *[32]byte) (tweaked [33]byte, ok bool) {
	if !c.parseXOnly(pub) {
		return tweaked, false
	}
	c.s.tweak = *tweak
	if !c.call(c.fn.xonlyTweakAdd, c.ctx, addr(&c.s.pubkey), addr(&c.s.xonly), addr(&c.s.tweak)) {
		return tweaked, false
	}
	return c.compressed(), true
}

// parseXOnly sets the x-only public key in the scratch space.
func (c *Context) parseXOnly(pub *[32]byte) bool {
	c.s.secret = *pub
	return c.call(c.fn.xonlyParse, c.ctx, addr(&c.s.xonly), addr(&c.s.secret))
}

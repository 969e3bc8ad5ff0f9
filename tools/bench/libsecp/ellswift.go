package libsecp

import "unsafe"

// HasEllswift reports whether the library has what the methods of Context with Ellswift in
// their names call. They fail if not.
func (l *Library) HasEllswift() bool {
	return l.fn.ellswiftEncode != 0 && l.fn.ellswiftDecode != 0 && l.fn.ellswiftCreate != 0 && l.fn.ellswiftXDH != 0 && l.fn.ellswiftBIP324 != 0
}

// EllswiftEncode returns an encoding of the key by ElligatorSwift.
func (c *Context) EllswiftEncode(key *Pubkey, random *[32]byte) (encoding [64]byte, ok bool) {
	c.s.pubkey, c.s.aux = *key, *random
	if c.fn.ellswiftEncode == 0 || !c.call(c.fn.ellswiftEncode, c.ctx, addr(&c.s.swift[0]), addr(&c.s.pubkey), addr(&c.s.aux)) {
		return encoding, false
	}
	return c.s.swift[0], true
}

// EllswiftDecode returns the public key that is encoded, compressed.
func (c *Context) EllswiftDecode(encoding *[64]byte) (pub [33]byte, ok bool) {
	c.s.swift[0] = *encoding
	if c.fn.ellswiftDecode == 0 || !c.call(c.fn.ellswiftDecode, c.ctx, addr(&c.s.pubkey), addr(&c.s.swift[0])) {
		return pub, false
	}
	return c.compressed(), true
}

// EllswiftCreate returns an encoding of the public key of a secret key.
func (c *Context) EllswiftCreate(seckey, aux *[32]byte) (encoding [64]byte, ok bool) {
	c.s.seckey, c.s.aux = *seckey, *aux
	if c.fn.ellswiftCreate == 0 || !c.call(c.fn.ellswiftCreate, c.ctx, addr(&c.s.swift[0]), addr(&c.s.seckey), addr(&c.s.aux)) {
		return encoding, false
	}
	return c.s.swift[0], true
}

// EllswiftXDH returns the shared secret of BIP-324 between ours, of which seckey is the
// secret key, and theirs.
func (c *Context) EllswiftXDH(seckey *[32]byte, ours, theirs *[64]byte, initiator bool) (secret [32]byte, ok bool) {
	if c.fn.ellswiftXDH == 0 || c.fn.ellswiftBIP324 == 0 {
		return secret, false
	}
	c.s.seckey = *seckey
	party := uintptr(1)
	c.s.swift = [2][64]byte{*theirs, *ours}
	if initiator {
		party = 0
		c.s.swift = [2][64]byte{*ours, *theirs}
	}
	hash := **(**uintptr)(unsafe.Pointer(&c.fn.ellswiftBIP324)) // the address is C's, of which vet knows nothing
	if !c.call(c.fn.ellswiftXDH, c.ctx, addr(&c.s.secret), addr(&c.s.swift[0]), addr(&c.s.swift[1]), addr(&c.s.seckey), party, hash, 0) {
		return secret, false
	}
	return c.s.secret, true
}

package libsecp

import (
	"unsafe"

	"p256k1.mleku.dev/v2/tools/bench/internal/dl"
)

// EllswiftEncode returns an ElligatorSwift encoding of the key.
func (c *Context) EllswiftEncode(key *Pubkey, random *[32]byte) ([64]byte, bool) {
	c.s.pubkey, c.s.aux = *key, *random
	return result(c.call(c.fn.ellswiftEncode, dl.Addr(&c.s.swift[0]), dl.Addr(&c.s.pubkey), dl.Addr(&c.s.aux)), &c.s.swift[0])
}

// EllswiftDecode returns the encoded public key, compressed.
func (c *Context) EllswiftDecode(encoding *[64]byte) ([33]byte, bool) {
	c.s.swift[0] = *encoding
	return c.compressed(c.call(c.fn.ellswiftDecode, dl.Addr(&c.s.pubkey), dl.Addr(&c.s.swift[0])))
}

// EllswiftCreate returns an ElligatorSwift encoding of the public key of a secret key.
func (c *Context) EllswiftCreate(seckey, aux *[32]byte) ([64]byte, bool) {
	c.s.seckey, c.s.aux = *seckey, *aux
	return result(c.call(c.fn.ellswiftCreate, dl.Addr(&c.s.swift[0]), dl.Addr(&c.s.seckey), dl.Addr(&c.s.aux)), &c.s.swift[0])
}

// EllswiftXDH returns the shared secret of BIP-324 between ours, which encodes the public key of seckey, and theirs.
func (c *Context) EllswiftXDH(seckey *[32]byte, ours, theirs *[64]byte, initiator bool) ([32]byte, bool) {
	c.s.seckey = *seckey
	party := uintptr(1)
	c.s.swift = [2][64]byte{*theirs, *ours}
	if initiator {
		party = 0
		c.s.swift = [2][64]byte{*ours, *theirs}
	}
	hash := **(**uintptr)(unsafe.Pointer(&c.fn.ellswiftXdhHashFunctionBip324)) // the address comes from C, so vet cannot know it
	return result(c.call(c.fn.ellswiftXdh, dl.Addr(&c.s.secret), dl.Addr(&c.s.swift[0]), dl.Addr(&c.s.swift[1]),
		dl.Addr(&c.s.seckey), party, hash, 0), &c.s.secret)
}

package libsecp

import (
	"cmp"

	"p256k1.mleku.dev/v2/tools/bench/internal/dl"
)

// SchnorrSign makes a BIP-340 signature over a message of 32 bytes. A nil aux gives the same signature as 32 zero
// bytes. In versions since mid-2021, a nil aux saves one compression of SHA-256.
func (c *Context) SchnorrSign(pair *Keypair, msg, aux *[32]byte) ([64]byte, bool) {
	c.s.keypair, c.s.digest = *pair, *msg
	sig, digest, key := dl.Addr(&c.s.sig64), dl.Addr(&c.s.digest), dl.Addr(&c.s.keypair)
	if c.oldSchnorr() {
		if aux == nil { // versions before mid-2021 chose another nonce for a nil aux
			aux = new([32]byte)
		}
		return result(c.call(c.fn.schnorrsigSign, sig, digest, key, 0, c.aux(aux)), &c.s.sig64)
	}
	return result(c.call(cmp.Or(c.fn.schnorrsigSign32, c.fn.schnorrsigSign), sig, digest, key, c.aux(aux)), &c.s.sig64)
}

// SchnorrSignCustom makes a BIP-340 signature over a message of any length, with aux as in SchnorrSign.
func (c *Context) SchnorrSignCustom(pair *Keypair, msg []byte, aux *[32]byte) ([64]byte, bool) {
	c.s.keypair = *pair
	c.s.params.ndata = c.aux(aux)
	return result(c.call(c.fn.schnorrsigSignCustom, dl.Addr(&c.s.sig64), put(&c.s.data, msg), uintptr(len(msg)),
		dl.Addr(&c.s.keypair), dl.Addr(&c.s.params)), &c.s.sig64)
}

// SchnorrVerify verifies a BIP-340 signature over a message. Versions before mid-2021 accept only messages of 32 bytes.
// It also returns false if the key does not parse.
func (c *Context) SchnorrVerify(pub *[32]byte, msg []byte, sig *[64]byte) bool {
	if !c.XOnlyParse(pub) {
		return false
	}
	c.s.sig64 = *sig
	if c.oldSchnorr() {
		return len(msg) == 32 && c.call(c.fn.schnorrsigVerify, dl.Addr(&c.s.sig64), put(&c.s.data, msg), dl.Addr(&c.s.xonly))
	}
	return c.call(c.fn.schnorrsigVerify, dl.Addr(&c.s.sig64), put(&c.s.data, msg), uintptr(len(msg)), dl.Addr(&c.s.xonly))
}

// oldSchnorr reports whether the library is from before mid-2021. In such a library, signing takes a nonce function and
// its data, and verifying takes no message length. The change that added the message length also added the function
// schnorrsig_sign_custom.
func (c *Context) oldSchnorr() bool { return c.fn.schnorrsigSignCustom == 0 }

// XOnlyParse reports whether C accepts 32 bytes as the x coordinate of a public key.
func (c *Context) XOnlyParse(pub *[32]byte) bool {
	c.s.secret = *pub
	return c.call(c.fn.xonlyPubkeyParse, dl.Addr(&c.s.xonly), dl.Addr(&c.s.secret))
}

// XOnlyTweakAdd returns the compressed point P + tweak·G, where P has the given x and an even y.
func (c *Context) XOnlyTweakAdd(pub, tweak *[32]byte) ([33]byte, bool) {
	c.s.tweak = *tweak
	return c.compressed(c.XOnlyParse(pub) &&
		c.call(c.fn.xonlyPubkeyTweakAdd, dl.Addr(&c.s.pubkey), dl.Addr(&c.s.xonly), dl.Addr(&c.s.tweak)))
}

package libsecp

import (
	"sync"

	"p256k1.mleku.dev/v2/tools/bench/internal/dl"
)

// copyX is a secp256k1_ecdh_hash_function that takes x for the secret.
var copyX = sync.OnceValue(func() uintptr {
	return dl.Callback(func(output, x *[32]byte, _, _ uintptr) uintptr {
		*output = *x
		return 1
	})
})

// ECDHX returns the x coordinate of the product of secret and public key. C has
// this only through a callback into Go, whose time is added to its own, and which
// allocates.
func (c *Context) ECDHX(key *Pubkey, seckey *[32]byte) (x [32]byte, ok bool) {
	c.s.pubkey, c.s.seckey = *key, *seckey
	if !c.call(c.fn.ecdh, c.ctx, addr(&c.s.secret), addr(&c.s.pubkey), addr(&c.s.seckey), copyX(), 0) {
		return x, false
	}
	return c.s.secret, true
}

package libsecp

import (
	"crypto/rand"
	"errors"
	"runtime"
	"unsafe"

	"p256k1.mleku.dev/v2/tools/bench/internal/dl"
)

// Constants of secp256k1.h and secp256k1_schnorrsig.h.
const (
	flagContextNone  = 1
	flagCompressed   = 1<<1 | 1<<8
	flagUncompressed = 1 << 1

	// derCap is what bench.c reserves for a signature in DER; 72 bytes suffice.
	derCap = 74

	// yieldEvery is how many calls Context.call makes between two yields.
	yieldEvery = 128
)

// A Context is a context object of libsecp256k1 with room for the arguments and
// results of its functions. It must not be used by two goroutines at a time.
//
// Arguments are copied into that room before each call and results out of it
// afterwards. It is on the heap, where Go never moves it, so C gets plain
// addresses and nothing is allocated.
//
// Each method that can be refused returns, last, whether the C function accepted
// its input; the other results are zero if not.
type Context struct {
	fn     *functions
	handle uintptr // of the library
	ctx    uintptr
	s      *scratch
	calls  uint
}

type scratch struct {
	seckey  [32]byte
	digest  [32]byte
	aux     [32]byte
	tweak   [32]byte
	secret  [32]byte
	sig64   [64]byte
	swift   [2][64]byte // encodings by ElligatorSwift
	pub     [65]byte
	der     [derCap]byte
	pubkey  Pubkey
	xonly   [64]byte // secp256k1_xonly_pubkey
	keypair Keypair
	sig     [64]byte // secp256k1_ecdsa_signature
	rsig    [65]byte // secp256k1_ecdsa_recoverable_signature
	length  uintptr  // size_t
	value   int32    // int
	params  extraparams

	// args is what call passes on.
	args [10]uintptr

	// Inputs of any length.
	key  []byte
	data []byte

	pubkeys  []Pubkey
	pointers []uintptr
}

// extraparams is secp256k1_schnorrsig_extraparams.
type extraparams struct {
	magic [4]byte
	_     uintptr // noncefp: NULL, for BIP-340's own
	ndata uintptr
}

// Pubkey is a public key in the internal form of libsecp256k1 (secp256k1_pubkey).
// Only [Context.LoadPubkey] makes a valid one; C aborts the process over others.
type Pubkey struct {
	//lint:ignore U1000 only C looks inside
	opaque [64]byte
}

// Keypair is a secret key with its public key in the internal form of
// libsecp256k1 (secp256k1_keypair). Only [Context.LoadKeypair] makes a valid one;
// C aborts the process over others.
type Keypair struct {
	//lint:ignore U1000 only C looks inside
	opaque [96]byte
}

// NewContext returns a new context, blinded against side channels with random
// bytes, as the documentation of libsecp256k1 asks of programs that sign.
func (l *Library) NewContext() (*Context, error) {
	c := &Context{fn: &l.fn, handle: l.handle, s: new(scratch)}
	c.s.params.magic = [4]byte{0xda, 0x6f, 0xb3, 0x8c}
	c.ctx = dl.Call(c.fn.contextCreate, []uintptr{flagContextNone})
	if c.ctx == 0 {
		return nil, errors.New("libsecp: secp256k1_context_create failed")
	}
	rand.Read(c.s.aux[:])
	if !c.call(c.fn.contextRandomize, c.ctx, addr(&c.s.aux)) {
		c.Close()
		return nil, errors.New("libsecp: secp256k1_context_randomize failed")
	}
	return c, nil
}

// Close frees the C object. The context must not be used afterwards.
func (c *Context) Close() {
	if c.ctx != 0 {
		dl.Call(c.fn.contextDestroy, []uintptr{c.ctx})
		c.ctx = 0
	}
}

// call calls a C function that returns an int and reports whether it was 1.
func (c *Context) call(fn uintptr, args ...uintptr) bool {
	n := copy(c.s.args[:], args)
	r := dl.Call(fn, c.s.args[:n])
	// The addresses among args do not keep the scratch space alive.
	runtime.KeepAlive(c.s)
	// A goroutine that spends 10 ms in C without going through the scheduler is
	// taken for stuck: the runtime's monitor wakes every 20 µs to take its
	// processor away, and a loop of such calls runs up to 20 % slower than the
	// same loop in C. A yield from time to time costs less than 0.1 µs a call.
	if c.calls++; c.calls%yieldEvery == 0 {
		runtime.Gosched()
	}
	// C leaves the upper half of the register undefined.
	return int32(r) == 1
}

// addr returns an address to hand to C. What p points to must be in the scratch
// space of the context whose call method gets it.
func addr[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }

// put copies b to *buf, which it grows if need be, and returns where the copy
// is. It is never nil: to C that would be a mistake of the caller.
func put(buf *[]byte, b []byte) uintptr {
	if cap(*buf) <= len(b) {
		*buf = make([]byte, 2*len(b)+64)
	}
	*buf = append((*buf)[:0], b...)
	return addr(unsafe.SliceData(*buf))
}

// SeckeyVerify reports whether the secret key is in [1, n-1].
func (c *Context) SeckeyVerify(seckey *[32]byte) bool {
	c.s.seckey = *seckey
	return c.call(c.fn.seckeyVerify, c.ctx, addr(&c.s.seckey))
}

// SeckeyNegate returns n - seckey.
func (c *Context) SeckeyNegate(seckey *[32]byte) (negated [32]byte, ok bool) {
	c.s.seckey = *seckey
	if !c.call(c.fn.seckeyNegate, c.ctx, addr(&c.s.seckey)) {
		return negated, false
	}
	return c.s.seckey, true
}

// SeckeyTweakAdd returns seckey + tweak mod n.
func (c *Context) SeckeyTweakAdd(seckey, tweak *[32]byte) (tweaked [32]byte, ok bool) {
	return c.seckeyTweak(c.fn.seckeyTweakAdd, seckey, tweak)
}

// SeckeyTweakMul returns seckey * tweak mod n.
func (c *Context) SeckeyTweakMul(seckey, tweak *[32]byte) (tweaked [32]byte, ok bool) {
	return c.seckeyTweak(c.fn.seckeyTweakMul, seckey, tweak)
}

func (c *Context) seckeyTweak(fn uintptr, seckey, tweak *[32]byte) (tweaked [32]byte, ok bool) {
	c.s.seckey, c.s.tweak = *seckey, *tweak
	if !c.call(fn, c.ctx, addr(&c.s.seckey), addr(&c.s.tweak)) {
		return tweaked, false
	}
	return c.s.seckey, true
}

// PubkeyCreate returns the public key of a secret key, compressed.
func (c *Context) PubkeyCreate(seckey *[32]byte) (pub [33]byte, ok bool) {
	if !c.create(seckey) {
		return pub, false
	}
	return c.compressed(), true
}

// PubkeyCreateUncompressed returns the public key of a secret key, uncompressed.
func (c *Context) PubkeyCreateUncompressed(seckey *[32]byte) (pub [65]byte, ok bool) {
	if !c.create(seckey) {
		return pub, false
	}
	return c.uncompressed(), true
}

// PubkeyParse parses a public key in any of the encodings that C accepts, hybrid
// included, and returns it compressed.
func (c *Context) PubkeyParse(encoded []byte) (pub [33]byte, ok bool) {
	if !c.parse(encoded) {
		return pub, false
	}
	return c.compressed(), true
}

// PubkeyParseUncompressed is PubkeyParse, but returns the key uncompressed.
func (c *Context) PubkeyParseUncompressed(encoded []byte) (pub [65]byte, ok bool) {
	if !c.parse(encoded) {
		return pub, false
	}
	return c.uncompressed(), true
}

// PubkeyNegate returns the negative of a public key, compressed.
func (c *Context) PubkeyNegate(encoded []byte) (pub [33]byte, ok bool) {
	if !c.parse(encoded) || !c.call(c.fn.pubkeyNegate, c.ctx, addr(&c.s.pubkey)) {
		return pub, false
	}
	return c.compressed(), true
}

// PubkeyTweakAdd returns the public key plus tweak times the generator,
// compressed.
func (c *Context) PubkeyTweakAdd(encoded []byte, tweak *[32]byte) (pub [33]byte, ok bool) {
	return c.pubkeyTweak(c.fn.pubkeyTweakAdd, encoded, tweak)
}

// TweakMul computes tweak * key, and leaves the product in the scratch space.
func (c *Context) TweakMul(key *Pubkey, tweak *[32]byte) bool {
	c.s.pubkey, c.s.tweak = *key, *tweak
	return c.call(c.fn.pubkeyTweakMul, c.ctx, addr(&c.s.pubkey), addr(&c.s.tweak))
}

// PubkeyTweakMul returns tweak times the public key, compressed.
func (c *Context) PubkeyTweakMul(encoded []byte, tweak *[32]byte) (pub [33]byte, ok bool) {
	return c.pubkeyTweak(c.fn.pubkeyTweakMul, encoded, tweak)
}

func (c *Context) pubkeyTweak(fn uintptr, encoded []byte, tweak *[32]byte) (pub [33]byte, ok bool) {
	c.s.tweak = *tweak
	if !c.parse(encoded) || !c.call(fn, c.ctx, addr(&c.s.pubkey), addr(&c.s.tweak)) {
		return pub, false
	}
	return c.compressed(), true
}

// PubkeyCombine returns the sum of public keys, compressed. It refuses to sum
// none, which to C is a mistake of the caller.
func (c *Context) PubkeyCombine(encoded ...[]byte) (pub [33]byte, ok bool) {
	if len(encoded) == 0 {
		return pub, false
	}
	// All keys first: growing the slice moves what is in it.
	c.s.pubkeys = c.s.pubkeys[:0]
	for _, e := range encoded {
		if !c.parse(e) {
			return pub, false
		}
		c.s.pubkeys = append(c.s.pubkeys, c.s.pubkey)
	}
	c.s.pointers = c.s.pointers[:0]
	for i := range c.s.pubkeys {
		c.s.pointers = append(c.s.pointers, addr(&c.s.pubkeys[i]))
	}
	if !c.call(c.fn.pubkeyCombine, c.ctx, addr(&c.s.pubkey),
		addr(unsafe.SliceData(c.s.pointers)), uintptr(len(c.s.pointers))) {
		return pub, false
	}
	return c.compressed(), true
}

// LoadPubkey parses a public key for the operations that want it parsed.
func (c *Context) LoadPubkey(encoded []byte) (key Pubkey, ok bool) {
	if !c.parse(encoded) {
		return key, false
	}
	return c.s.pubkey, true
}

// LoadKeypair prepares a secret key for Schnorr signatures.
func (c *Context) LoadKeypair(seckey *[32]byte) (pair Keypair, ok bool) {
	c.s.seckey = *seckey
	if !c.call(c.fn.keypairCreate, c.ctx, addr(&c.s.keypair), addr(&c.s.seckey)) {
		return pair, false
	}
	return c.s.keypair, true
}

// create sets the public key in the scratch space to that of the secret key.
func (c *Context) create(seckey *[32]byte) bool {
	c.s.seckey = *seckey
	return c.call(c.fn.pubkeyCreate, c.ctx, addr(&c.s.pubkey), addr(&c.s.seckey))
}

// parse sets the public key in the scratch space to the encoded one.
func (c *Context) parse(encoded []byte) bool {
	return c.call(c.fn.pubkeyParse, c.ctx, addr(&c.s.pubkey), put(&c.s.key, encoded), uintptr(len(encoded)))
}

// compressed encodes the public key in the scratch space.
func (c *Context) compressed() [33]byte {
	c.s.length = 33
	c.call(c.fn.pubkeySerialize, c.ctx, addr(&c.s.pub), addr(&c.s.length), addr(&c.s.pubkey), flagCompressed)
	return [33]byte(c.s.pub[:33])
}

// uncompressed encodes the public key in the scratch space.
func (c *Context) uncompressed() [65]byte {
	c.s.length = 65
	c.call(c.fn.pubkeySerialize, c.ctx, addr(&c.s.pub), addr(&c.s.length), addr(&c.s.pubkey), flagUncompressed)
	return c.s.pub
}

// ECDH returns SHA-256 of the compressed product of secret and public key, the
// default of libsecp256k1.
func (c *Context) ECDH(key *Pubkey, seckey *[32]byte) (secret [32]byte, ok bool) {
	c.s.pubkey, c.s.seckey = *key, *seckey
	if !c.call(c.fn.ecdh, c.ctx, addr(&c.s.secret), addr(&c.s.pubkey), addr(&c.s.seckey), 0, 0) {
		return secret, false
	}
	return c.s.secret, true
}

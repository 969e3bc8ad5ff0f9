package libsecp

import (
	"crypto/rand"
	"errors"
	"runtime"
	"sync"
	"unsafe"

	"p256k1.mleku.dev/v2/tools/bench/internal/dl"
)

// Constants from secp256k1.h and secp256k1_schnorrsig.h.
const (
	// Since version 0.2 every context supports all operations. In earlier versions, a caller had to request the tables
	// for verifying and signing with these flags, which newer versions ignore.
	flagContext      = 1 | 1<<8 | 1<<9
	flagCompressed   = 1<<1 | 1<<8
	flagUncompressed = 1 << 1

	// derCap is the number of bytes that bench.c reserves for a signature in DER. 72 bytes would suffice.
	derCap = 74
)

// A Context is a context object of libsecp256k1 with memory for the arguments and results of its functions. Two
// goroutines must not use it at the same time.
//
// Arguments are copied into this memory before each call, and results out of it afterwards. The memory is on the heap,
// where Go never moves it, so C gets plain addresses, and calls allocate only in ECDHX and for longer inputs than
// before.
//
// If the C function can refuse its input, the last result says whether the function accepted its input. If not, the
// other results are zero. If the library lacks the C function, the method refuses its input (see Library.Lacks).
type Context struct {
	fn     *functions
	handle uintptr // the handle of the loaded library
	ctx    uintptr
	s      *scratch
}

type scratch struct {
	dl.Frame

	seckey  [32]byte
	digest  [32]byte
	aux     [32]byte
	tweak   [32]byte
	secret  [32]byte
	sig64   [64]byte
	swift   [2][64]byte // ElligatorSwift encodings
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

	// Inputs of any length.
	key  []byte
	data []byte

	pubkeys  []Pubkey
	pointers []uintptr
}

// extraparams is secp256k1_schnorrsig_extraparams.
type extraparams struct {
	magic [4]byte
	_     uintptr // noncefp: NULL selects BIP-340's nonce function
	ndata uintptr
}

// Pubkey is a public key in the internal form of libsecp256k1 (secp256k1_pubkey). Only [Context.LoadPubkey] makes a
// valid Pubkey; for any other, C aborts the process.
type Pubkey struct {
	//lint:ignore U1000 only C reads the contents
	opaque [64]byte
}

// Keypair is a secret key with its public key in the internal form of libsecp256k1 (secp256k1_keypair). Only
// [Context.LoadKeypair] makes a valid Keypair; for any other, C aborts the process.
type Keypair struct {
	//lint:ignore U1000 only C reads the contents
	opaque [96]byte
}

// NewContext returns a new context, blinded against side channels with random bytes, as the documentation of
// libsecp256k1 asks of programs that sign.
func (l *Library) NewContext() (*Context, error) {
	c := &Context{fn: &l.fn, handle: l.handle, s: &scratch{Frame: dl.Frame{Caller: l.caller}}}
	c.s.params.magic = [4]byte{0xda, 0x6f, 0xb3, 0x8c}
	if c.ctx = c.s.Call(c.fn.contextCreate, flagContext); c.ctx == 0 {
		return nil, errors.New("libsecp: secp256k1_context_create failed")
	}
	rand.Read(c.s.aux[:])
	if !c.call(c.fn.contextRandomize, dl.Addr(&c.s.aux)) {
		c.Close()
		return nil, errors.New("libsecp: secp256k1_context_randomize failed")
	}
	return c, nil
}

// Close frees the C object. The context must not be used afterwards.
func (c *Context) Close() {
	if c.ctx != 0 {
		c.s.Call(c.fn.contextDestroy, c.ctx)
		c.ctx = 0
	}
}

// call calls a C function that returns an int, with the context as its first argument, and reports whether it was 1.
// Addresses among args must point into the scratch space.
func (c *Context) call(fn uintptr, args ...uintptr) bool {
	if fn == 0 {
		return false
	}
	var all [10]uintptr
	all[0] = c.ctx
	n := 1 + copy(all[1:], args)
	ok := c.s.OK(fn, all[:n]...)
	runtime.KeepAlive(c.s)
	return ok
}

// result returns the bytes that C wrote, or zero if C refused its input.
func result[T any](ok bool, written *T) (r T, _ bool) {
	if ok {
		r = *written
	}
	return r, ok
}

// put copies b to *buf, which it grows if necessary, and returns the address of the copy. The address is never nil,
// because C treats a nil pointer as a mistake of the caller.
func put(buf *[]byte, b []byte) uintptr {
	if cap(*buf) <= len(b) {
		*buf = make([]byte, 2*len(b)+64)
	}
	*buf = append((*buf)[:0], b...)
	return dl.Addr(unsafe.SliceData(*buf))
}

// pointers returns the address of an array with the addresses of the items, or NULL if there are none.
func pointers[T any](list *[]uintptr, items []T) uintptr {
	*list = (*list)[:0]
	for i := range items {
		*list = append(*list, dl.Addr(&items[i]))
	}
	if len(items) == 0 {
		return 0
	}
	return dl.Addr(unsafe.SliceData(*list))
}

// SeckeyVerify reports whether the secret key is in [1, n-1].
func (c *Context) SeckeyVerify(seckey *[32]byte) bool {
	c.s.seckey = *seckey
	return c.call(c.fn.ecSeckeyVerify, dl.Addr(&c.s.seckey))
}

// SeckeyNegate returns n - seckey.
func (c *Context) SeckeyNegate(seckey *[32]byte) ([32]byte, bool) {
	c.s.seckey = *seckey
	return result(c.call(c.fn.ecSeckeyNegate, dl.Addr(&c.s.seckey)), &c.s.seckey)
}

// SeckeyTweakAdd returns seckey + tweak mod n.
func (c *Context) SeckeyTweakAdd(seckey, tweak *[32]byte) ([32]byte, bool) {
	return c.seckeyTweak(c.fn.ecSeckeyTweakAdd, seckey, tweak)
}

// SeckeyTweakMul returns seckey * tweak mod n.
func (c *Context) SeckeyTweakMul(seckey, tweak *[32]byte) ([32]byte, bool) {
	return c.seckeyTweak(c.fn.ecSeckeyTweakMul, seckey, tweak)
}

func (c *Context) seckeyTweak(fn uintptr, seckey, tweak *[32]byte) ([32]byte, bool) {
	c.s.seckey, c.s.tweak = *seckey, *tweak
	return result(c.call(fn, dl.Addr(&c.s.seckey), dl.Addr(&c.s.tweak)), &c.s.seckey)
}

// PubkeyCreate returns the public key of a secret key, compressed.
func (c *Context) PubkeyCreate(seckey *[32]byte) ([33]byte, bool) {
	return c.compressed(c.create(seckey))
}

// PubkeyCreateUncompressed returns the public key of a secret key, uncompressed.
func (c *Context) PubkeyCreateUncompressed(seckey *[32]byte) ([65]byte, bool) {
	return c.uncompressed(c.create(seckey))
}

// PubkeyParse parses a public key in any of the encodings that C accepts, including hybrid encodings, and returns it
// compressed.
func (c *Context) PubkeyParse(encoded []byte) ([33]byte, bool) { return c.compressed(c.parse(encoded)) }

// PubkeyParseUncompressed parses a public key in any of the encodings that C accepts, including hybrid encodings, and
// returns it uncompressed.
func (c *Context) PubkeyParseUncompressed(encoded []byte) ([65]byte, bool) {
	return c.uncompressed(c.parse(encoded))
}

// PubkeyNegate returns the negative of a public key, compressed.
func (c *Context) PubkeyNegate(encoded []byte) ([33]byte, bool) {
	return c.compressed(c.parse(encoded) && c.call(c.fn.ecPubkeyNegate, dl.Addr(&c.s.pubkey)))
}

// PubkeyTweakAdd returns the public key plus tweak times the generator, compressed.
func (c *Context) PubkeyTweakAdd(encoded []byte, tweak *[32]byte) ([33]byte, bool) {
	return c.compressed(c.parse(encoded) && c.tweak(c.fn.ecPubkeyTweakAdd, tweak))
}

// PubkeyTweakMul returns tweak times the public key, compressed.
func (c *Context) PubkeyTweakMul(encoded []byte, tweak *[32]byte) ([33]byte, bool) {
	return c.compressed(c.parse(encoded) && c.tweak(c.fn.ecPubkeyTweakMul, tweak))
}

// TweakMul computes tweak * key, and leaves the product in the scratch space.
func (c *Context) TweakMul(key *Pubkey, tweak *[32]byte) bool {
	c.s.pubkey = *key
	return c.tweak(c.fn.ecPubkeyTweakMul, tweak)
}

// tweak tweaks the public key in the scratch space.
func (c *Context) tweak(fn uintptr, tweak *[32]byte) bool {
	c.s.tweak = *tweak
	return c.call(fn, dl.Addr(&c.s.pubkey), dl.Addr(&c.s.tweak))
}

// PubkeyCombine returns the sum of public keys, compressed. It refuses an empty list, which C treats as a mistake of
// the caller.
func (c *Context) PubkeyCombine(encoded ...[]byte) (pub [33]byte, ok bool) {
	if len(encoded) == 0 {
		return pub, false
	}
	// All keys are parsed first, because growing the slice moves the earlier keys.
	c.s.pubkeys = c.s.pubkeys[:0]
	for _, e := range encoded {
		if !c.parse(e) {
			return pub, false
		}
		c.s.pubkeys = append(c.s.pubkeys, c.s.pubkey)
	}
	return c.compressed(c.call(c.fn.ecPubkeyCombine, dl.Addr(&c.s.pubkey),
		pointers(&c.s.pointers, c.s.pubkeys), uintptr(len(c.s.pubkeys))))
}

// LoadPubkey parses a public key for the operations that take a parsed key.
func (c *Context) LoadPubkey(encoded []byte) (Pubkey, bool) {
	return result(c.parse(encoded), &c.s.pubkey)
}

// LoadKeypair prepares a secret key for Schnorr signatures.
func (c *Context) LoadKeypair(seckey *[32]byte) (Keypair, bool) {
	c.s.seckey = *seckey
	return result(c.call(c.fn.keypairCreate, dl.Addr(&c.s.keypair), dl.Addr(&c.s.seckey)), &c.s.keypair)
}

// create sets the public key in the scratch space to the public key of the secret key.
func (c *Context) create(seckey *[32]byte) bool {
	c.s.seckey = *seckey
	return c.call(c.fn.ecPubkeyCreate, dl.Addr(&c.s.pubkey), dl.Addr(&c.s.seckey))
}

// parse sets the public key in the scratch space to the key that encoded encodes.
func (c *Context) parse(encoded []byte) bool {
	return c.call(c.fn.ecPubkeyParse, dl.Addr(&c.s.pubkey), put(&c.s.key, encoded), uintptr(len(encoded)))
}

// parseAll parses compressed public keys into the memory of keys.
func (c *Context) parseAll(keys []Pubkey, encoded [][33]byte) ([]Pubkey, bool) {
	keys = keys[:0]
	for i := range encoded {
		if !c.parse(encoded[i][:]) {
			return keys, false
		}
		keys = append(keys, c.s.pubkey)
	}
	return keys, true
}

// compressed encodes the public key in the scratch space, if ok.
func (c *Context) compressed(ok bool) (pub [33]byte, _ bool) {
	if ok {
		c.serialize(33, flagCompressed)
		pub = [33]byte(c.s.pub[:33])
	}
	return pub, ok
}

// uncompressed encodes the public key in the scratch space, if ok.
func (c *Context) uncompressed(ok bool) ([65]byte, bool) {
	if ok {
		c.serialize(65, flagUncompressed)
	}
	return result(ok, &c.s.pub)
}

func (c *Context) serialize(length, flag uintptr) {
	c.s.length = length
	c.call(c.fn.ecPubkeySerialize, dl.Addr(&c.s.pub), dl.Addr(&c.s.length), dl.Addr(&c.s.pubkey), flag)
}

// ECDH returns SHA-256 of the compressed product of secret and public key, which is libsecp256k1's default.
func (c *Context) ECDH(key *Pubkey, seckey *[32]byte) ([32]byte, bool) { return c.ecdh(key, seckey, 0) }

// ECDHX returns the x coordinate of the product of secret and public key. C offers this only through a callback into
// Go. The callback allocates, and its time is added to the time of the C function.
func (c *Context) ECDHX(key *Pubkey, seckey *[32]byte) ([32]byte, bool) {
	return c.ecdh(key, seckey, copyX())
}

func (c *Context) ecdh(key *Pubkey, seckey *[32]byte, hash uintptr) ([32]byte, bool) {
	c.s.pubkey, c.s.seckey = *key, *seckey
	return result(c.call(c.fn.ecdh, dl.Addr(&c.s.secret), dl.Addr(&c.s.pubkey), dl.Addr(&c.s.seckey), hash, 0), &c.s.secret)
}

// copyX is a secp256k1_ecdh_hash_function that returns x as the shared secret.
var copyX = sync.OnceValue(func() uintptr {
	return dl.Callback(func(output, x *[32]byte, _, _ uintptr) uintptr {
		*output = *x
		return 1
	})
})

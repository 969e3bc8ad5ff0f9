package libsecp

import (
	"fmt"
	"runtime"

	"p256k1.mleku.dev/v2/tools/bench/internal/dl"
)

// musigFunctions holds the functions of the module musig, which not every libsecp256k1 has.
type musigFunctions struct {
	pubkeyAgg, pubkeyGet, pubkeyEcTweakAdd, pubkeyXonlyTweakAdd        uintptr
	nonceGen, nonceAgg, nonceProcess                                   uintptr
	partialSign, partialSigVerify, partialSigAgg                       uintptr
	pubnonceParse, pubnonceSerialize, aggnonceParse, aggnonceSerialize uintptr
	partialSigParse, partialSigSerialize                               uintptr
}

// A Musig is a set of keys with a session, in the module musig (BIP-327). It uses the memory of its context, and two
// goroutines must not use it at the same time.
type Musig struct {
	c  *Context
	fn musigFunctions
	s  *musigScratch
}

type musigScratch struct {
	cache    [197]byte
	session  [133]byte
	nonce    [132]byte
	sum      [132]byte
	sig      [36]byte
	encoded  [66]byte
	b32, m32 [32]byte
	secret   MusigNonce

	nonces   [][132]byte
	sigs     [][36]byte
	pubkeys  []Pubkey
	pointers []uintptr
}

// MusigNonce is a secret nonce (secp256k1_musig_secnonce). For benchmarks, a copy of a nonce can be used after C has
// wiped the original.
type MusigNonce struct {
	//lint:ignore U1000 only C reads the contents
	opaque [132]byte
}

// NewMusig returns a Musig, or an error if the library was built without that module.
func (c *Context) NewMusig() (*Musig, error) {
	m := &Musig{c: c, s: new(musigScratch)}
	if missing := dl.Bind(c.handle, "secp256k1_musig_", &m.fn); len(missing) > 0 {
		return nil, fmt.Errorf("libsecp: no %s", missing[0])
	}
	return m, nil
}

func (m *Musig) call(fn uintptr, args ...uintptr) bool {
	ok := m.c.call(fn, args...)
	runtime.KeepAlive(m.s)
	return ok
}

// Load sets the public keys to aggregate, at least one of which is needed.
func (m *Musig) Load(pubs [][33]byte) (ok bool) {
	m.s.pubkeys, ok = m.c.parseAll(m.s.pubkeys, pubs)
	return ok
}

// Set sets the public keys to aggregate to keys that are already parsed.
func (m *Musig) Set(keys []Pubkey) { m.s.pubkeys = append(m.s.pubkeys[:0], keys...) }

// Aggregate aggregates the keys that Load or Set has set.
func (m *Musig) Aggregate() bool {
	return m.call(m.fn.pubkeyAgg, 0, dl.Addr(&m.s.cache), pointers(&m.s.pointers, m.s.pubkeys), uintptr(len(m.s.pubkeys)))
}

// Key returns the aggregate key, compressed.
func (m *Musig) Key() ([33]byte, bool) {
	return m.c.compressed(m.call(m.fn.pubkeyGet, dl.Addr(&m.c.s.pubkey), dl.Addr(&m.s.cache)))
}

// Tweak adds a tweak to the aggregate key, plain or x-only.
func (m *Musig) Tweak(t *[32]byte, xOnly bool) bool {
	m.s.b32 = *t
	fn := m.fn.pubkeyEcTweakAdd
	if xOnly {
		fn = m.fn.pubkeyXonlyTweakAdd
	}
	return m.call(fn, 0, dl.Addr(&m.s.cache), dl.Addr(&m.s.b32))
}

// NonceGen returns a secret and a public nonce for a private key, from 32 random bytes.
func (m *Musig) NonceGen(random, seckey, msg *[32]byte) (secret MusigNonce, public [66]byte, ok bool) {
	m.s.b32, m.s.m32 = *random, *msg
	ok = m.c.create(seckey) && m.call(m.fn.nonceGen, dl.Addr(&m.s.secret), dl.Addr(&m.s.nonce), dl.Addr(&m.s.b32),
		dl.Addr(&m.c.s.seckey), dl.Addr(&m.c.s.pubkey), dl.Addr(&m.s.m32), dl.Addr(&m.s.cache), 0) &&
		m.call(m.fn.pubnonceSerialize, dl.Addr(&m.s.encoded), dl.Addr(&m.s.nonce))
	if !ok {
		return secret, public, false
	}
	return m.s.secret, m.s.encoded, true
}

// NonceAgg returns the sum of public nonces, at least one of which is needed.
func (m *Musig) NonceAgg(nonces [][66]byte) (sum [66]byte, ok bool) {
	m.s.nonces = make([][132]byte, len(nonces))
	for i := range nonces {
		m.s.encoded = nonces[i]
		if !m.call(m.fn.pubnonceParse, dl.Addr(&m.s.nonce), dl.Addr(&m.s.encoded)) {
			return sum, false
		}
		m.s.nonces[i] = m.s.nonce
	}
	return result(m.call(m.fn.nonceAgg, dl.Addr(&m.s.sum), pointers(&m.s.pointers, m.s.nonces), uintptr(len(nonces))) &&
		m.call(m.fn.aggnonceSerialize, dl.Addr(&m.s.encoded), dl.Addr(&m.s.sum)), &m.s.encoded)
}

// LoadSum sets the aggregate nonce.
func (m *Musig) LoadSum(sum *[66]byte) bool {
	m.s.encoded = *sum
	return m.call(m.fn.aggnonceParse, dl.Addr(&m.s.sum), dl.Addr(&m.s.encoded))
}

// Process starts the session for a message, with the aggregate nonce from LoadSum.
func (m *Musig) Process(msg *[32]byte) bool {
	m.s.m32 = *msg
	return m.call(m.fn.nonceProcess, dl.Addr(&m.s.session), dl.Addr(&m.s.sum), dl.Addr(&m.s.m32), dl.Addr(&m.s.cache))
}

// Sign returns the partial signature made with a secret nonce. C gets a copy of the nonce and wipes it.
func (m *Musig) Sign(secret *MusigNonce, pair *Keypair) (sig [32]byte, ok bool) {
	m.s.secret, m.c.s.keypair = *secret, *pair
	return result(m.call(m.fn.partialSign, dl.Addr(&m.s.sig), dl.Addr(&m.s.secret), dl.Addr(&m.c.s.keypair), dl.Addr(&m.s.cache), dl.Addr(&m.s.session)) &&
		m.call(m.fn.partialSigSerialize, dl.Addr(&m.s.b32), dl.Addr(&m.s.sig)), &m.s.b32)
}

// Verify verifies a partial signature.
func (m *Musig) Verify(sig *[32]byte, nonce *[66]byte, key *Pubkey) bool {
	m.s.b32, m.s.encoded, m.c.s.pubkey = *sig, *nonce, *key
	return m.call(m.fn.partialSigParse, dl.Addr(&m.s.sig), dl.Addr(&m.s.b32)) && m.call(m.fn.pubnonceParse, dl.Addr(&m.s.nonce), dl.Addr(&m.s.encoded)) &&
		m.call(m.fn.partialSigVerify, dl.Addr(&m.s.sig), dl.Addr(&m.s.nonce), dl.Addr(&m.c.s.pubkey), dl.Addr(&m.s.cache), dl.Addr(&m.s.session))
}

// Combine returns the signature that the partial signatures add up to. At least one is needed.
func (m *Musig) Combine(sigs [][32]byte) (sig [64]byte, ok bool) {
	m.s.sigs = make([][36]byte, len(sigs))
	for i := range sigs {
		m.s.b32 = sigs[i]
		if !m.call(m.fn.partialSigParse, dl.Addr(&m.s.sig), dl.Addr(&m.s.b32)) {
			return sig, false
		}
		m.s.sigs[i] = m.s.sig
	}
	return result(m.call(m.fn.partialSigAgg, dl.Addr(&m.c.s.sig64), dl.Addr(&m.s.session), pointers(&m.s.pointers, m.s.sigs), uintptr(len(sigs))), &m.c.s.sig64)
}

package subject

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"p256k1.mleku.dev/v2/tools/bench/plug/work"
)

// Constants of OpenSSL's headers.
const (
	nidSecp256k1    = 714
	pointCompressed = 2

	evpPublicKey = 0x86 // EVP_PKEY_PUBLIC_KEY
	evpKeyPair   = 0x87 // EVP_PKEY_KEYPAIR

	paramUnsigned = 2
	paramUTF8     = 4
	paramOctets   = 5
)

// parameter is OSSL_PARAM.
type parameter struct {
	key      uintptr
	dataType uint32
	data     uintptr
	size     uintptr
	returned uintptr
}

// newOpenSSL drives libcrypto of OpenSSL since 1.0. Where there are the low-level
// calls on EC_KEY, which have no look-ups of algorithms in each operation, they
// are used, otherwise EVP. Its signatures have random nonces, so they are checked
// by verifying them; ECDH gives the bare x coordinate.
func newOpenSSL(l *library, inputs []work.Input, options Options) *Subject {
	s := &Subject{Kind: KindOpenSSL, API: interfaceKeys, steps: map[work.Scenario]step{}, calls: map[work.Scenario]int{}}
	for _, name := range []string{"OpenSSL_version", "SSLeay_version"} {
		if fn, err := l.find(name); err == nil {
			s.Version = text(l.call(fn[0], 0))
			s.trivial = func() { l.call(fn[0], 0) }
			break
		}
	}
	o := &openssl{l, s, inputs}
	if options.EVP || !l.has("EC_KEY_new_by_curve_name") {
		s.API = interfaceEVP
		o.addEVP()
	} else {
		o.addKeys()
	}
	o.addDerive()
	return s
}

type openssl struct {
	l      *library
	s      *Subject
	inputs []work.Input
}

func (o *openssl) add(scenario work.Scenario, calls int, symbols []string, make func(fn []uintptr) step) {
	fn, err := o.l.find(symbols...)
	st := step{err: err}
	if err == nil {
		st = make(fn)
	}
	o.s.steps[scenario], o.s.calls[scenario] = st, calls
}

func (o *openssl) spoil(i int) { o.inputs[i].Digest[0] ^= 1 }

// group returns EC_GROUP and EC_POINT objects of the curve.
func (o *openssl) group() (group, point uintptr, err error) {
	fn, err := o.l.find("EC_GROUP_new_by_curve_name", "EC_POINT_new")
	if err != nil {
		return 0, 0, err
	}
	if group = o.l.call(fn[0], nidSecp256k1); group == 0 {
		return 0, 0, errors.New("this build of OpenSSL has no secp256k1")
	}
	return group, o.l.call(fn[1], group), nil
}

// secretKeys returns an EC_KEY for each input.
func (o *openssl) secretKeys() ([]uintptr, error) {
	fn, err := o.l.find("EC_KEY_new_by_curve_name", "EC_KEY_set_private_key", "BN_bin2bn", "BN_free")
	if err != nil {
		return nil, err
	}
	var keys []uintptr
	for i := range o.inputs {
		o.l.m.secret = o.inputs[i].Secret
		key := o.l.call(fn[0], nidSecp256k1)
		bn := o.l.call(fn[2], addr(&o.l.m.secret), 32, 0)
		if key == 0 || bn == 0 || !o.l.ok(fn[1], key, bn) {
			return nil, errors.New("EC_KEY_set_private_key failed")
		}
		o.l.call(fn[3], bn)
		keys = append(keys, key)
	}
	return keys, nil
}

func (o *openssl) addKeys() {
	l, m, inputs := o.l, o.l.m, o.inputs
	var group, point uintptr

	var verifier uintptr
	o.add(work.ECDSAVerify, 3, []string{"EC_POINT_oct2point", "EC_KEY_set_public_key", "ECDSA_verify", "EC_KEY_new_by_curve_name"}, func(fn []uintptr) step {
		return step{
			prepare: func() (err error) {
				if group, point, err = o.group(); err != nil {
					return err
				}
				verifier = l.call(fn[3], nidSecp256k1)
				return nil
			},
			run: func(i int) bool {
				in := &inputs[i]
				copy(m.pub[:], in.Public[:])
				copy(m.der[:], in.DER)
				m.digest = in.Digest
				return l.ok(fn[0], group, point, addr(&m.pub), 33, 0) && l.ok(fn[1], verifier, point) &&
					l.ok(fn[2], 0, addr(&m.digest), 32, addr(&m.der), uintptr(len(in.DER)), verifier)
			},
			spoil: o.spoil,
		}
	})

	var keys []uintptr
	prepareKeys := func() (err error) {
		if keys == nil {
			keys, err = o.secretKeys()
		}
		return err
	}
	o.add(work.ECDSASign, 1, []string{"ECDSA_sign"}, func(fn []uintptr) step {
		return step{
			prepare: prepareKeys,
			run: func(i int) bool {
				m.digest, m.length = inputs[i].Digest, 0
				return l.ok(fn[0], 0, addr(&m.digest), 32, addr(&m.der), addr(&m.length), keys[i])
			},
			check: o.checkSignature,
		}
	})
	o.add(work.ECDH, 2, []string{"EC_POINT_oct2point", "ECDH_compute_key"}, func(fn []uintptr) step {
		return step{
			prepare: func() (err error) {
				if group, point, err = o.group(); err != nil {
					return err
				}
				return prepareKeys()
			},
			run: func(i int) bool {
				copy(m.pub[:], inputs[i].Peer[:])
				return l.ok(fn[0], group, point, addr(&m.pub), 33, 0) &&
					int32(l.call(fn[1], addr(&m.out), 32, point, keys[i], 0)) == 32
			},
			check: func(i int) error { return compare("secret", m.out[:32], inputs[i].SharedX[:]) },
		}
	})
}

// checkSignature checks the signature of input i in memory, of the length there,
// which C may have written as 32 bits.
func (o *openssl) checkSignature(i int) error {
	n := int(uint32(o.l.m.length))
	if n > len(o.l.m.der) || !o.inputs[i].Verifies(o.l.m.der[:n]) {
		return fmt.Errorf("signature %x does not verify", o.l.m.der[:min(n, len(o.l.m.der))])
	}
	return nil
}

func (o *openssl) addDerive() {
	l, m, inputs := o.l, o.l.m, o.inputs
	var group, point, bn, bnCtx uintptr
	o.add(work.Derive, 3, []string{"BN_bin2bn", "EC_POINT_mul", "EC_POINT_point2oct", "BN_new", "BN_CTX_new"}, func(fn []uintptr) step {
		return step{
			prepare: func() (err error) {
				if group, point, err = o.group(); err != nil {
					return err
				}
				bn, bnCtx = l.call(fn[3]), l.call(fn[4])
				return nil
			},
			run: func(i int) bool {
				m.secret = inputs[i].Secret
				return l.call(fn[0], addr(&m.secret), 32, bn) != 0 && l.ok(fn[1], group, point, bn, 0, 0, bnCtx) &&
					l.call(fn[2], group, point, pointCompressed, addr(&m.out), 33, bnCtx) == 33
			},
			check: func(i int) error { return compare("key", m.out[:33], inputs[i].Public[:]) },
		}
	})
}

// evp makes EVP_PKEY objects.
type evp struct {
	l                               *library
	ctx                             uintptr // EVP_PKEY_CTX for making keys
	fromData, free, newCtx, freeCtx uintptr
}

var evpSymbols = []string{"EVP_PKEY_CTX_new_from_name", "EVP_PKEY_fromdata_init", "EVP_PKEY_fromdata",
	"EVP_PKEY_free", "EVP_PKEY_CTX_new", "EVP_PKEY_CTX_free"}

func (o *openssl) evp() (*evp, error) {
	fn, err := o.l.find(evpSymbols...)
	if err != nil {
		return nil, err
	}
	m := o.l.m
	copy(m.names[0][:], "EC\x00")
	ctx := o.l.call(fn[0], 0, addr(&m.names[0]), 0)
	if ctx == 0 || !o.l.ok(fn[1], ctx) {
		return nil, errors.New("EVP_PKEY_fromdata_init failed")
	}
	copy(m.group[:], "secp256k1\x00")
	copy(m.names[0][:], "group\x00")
	copy(m.names[1][:], "pub\x00")
	copy(m.names[2][:], "priv\x00")
	return &evp{o.l, ctx, fn[2], fn[3], fn[4], fn[5]}, nil
}

const unmodified = ^uintptr(0) // OSSL_PARAM_UNMODIFIED

// public returns an EVP_PKEY of the compressed key in memory, or 0.
func (e *evp) public() uintptr {
	m := e.l.m
	m.params = [4]parameter{
		{addr(&m.names[0]), paramUTF8, addr(&m.group), uintptr(len("secp256k1")), unmodified},
		{addr(&m.names[1]), paramOctets, addr(&m.pub), 33, unmodified},
	}
	m.pointer = 0
	e.l.call(e.fromData, e.ctx, addr(&m.pointer), evpPublicKey, addr(&m.params))
	return m.pointer
}

// pair returns an EVP_PKEY of the compressed key and the secret key in memory.
func (e *evp) pair() uintptr {
	m := e.l.m
	slices.Reverse(m.secret[:]) // the machine's order of bytes, little-endian where this is run
	m.params = [4]parameter{
		{addr(&m.names[0]), paramUTF8, addr(&m.group), uintptr(len("secp256k1")), unmodified},
		{addr(&m.names[1]), paramOctets, addr(&m.pub), 33, unmodified},
		{addr(&m.names[2]), paramUnsigned, addr(&m.secret), 32, unmodified},
	}
	m.pointer = 0
	e.l.call(e.fromData, e.ctx, addr(&m.pointer), evpKeyPair, addr(&m.params))
	return m.pointer
}

func (o *openssl) addEVP() {
	l, m, inputs := o.l, o.l.m, o.inputs
	var e *evp
	prepare := func() (err error) {
		if e == nil {
			e, err = o.evp()
		}
		return err
	}
	with := func(symbols ...string) []string { return append(symbols, evpSymbols...) }

	o.add(work.ECDSAVerify, 6, with("EVP_PKEY_verify_init", "EVP_PKEY_verify"), func(fn []uintptr) step {
		return step{
			prepare: prepare,
			run: func(i int) bool {
				in := &inputs[i]
				copy(m.pub[:], in.Public[:])
				copy(m.der[:], in.DER)
				m.digest = in.Digest
				key := e.public()
				if key == 0 {
					return false
				}
				ctx := l.call(e.newCtx, key, 0)
				ok := l.ok(fn[0], ctx) && l.ok(fn[1], ctx, addr(&m.der), uintptr(len(in.DER)), addr(&m.digest), 32)
				l.call(e.freeCtx, ctx)
				l.call(e.free, key)
				return ok
			},
			spoil: o.spoil,
		}
	})

	var keys []uintptr
	prepareKeys := func() error {
		if err := prepare(); err != nil || keys != nil {
			return err
		}
		for i := range inputs {
			copy(m.pub[:], inputs[i].Public[:])
			m.secret = inputs[i].Secret
			key := e.pair()
			if key == 0 {
				return errors.New("EVP_PKEY_fromdata failed")
			}
			keys = append(keys, key)
		}
		return nil
	}
	o.add(work.ECDSASign, 4, with("EVP_PKEY_sign_init", "EVP_PKEY_sign"), func(fn []uintptr) step {
		return step{
			prepare: prepareKeys,
			run: func(i int) bool {
				m.digest, m.length = inputs[i].Digest, uintptr(len(m.der))
				ctx := l.call(e.newCtx, keys[i], 0)
				ok := l.ok(fn[0], ctx) && l.ok(fn[1], ctx, addr(&m.der), addr(&m.length), addr(&m.digest), 32)
				l.call(e.freeCtx, ctx)
				return ok
			},
			check: o.checkSignature,
		}
	})
	o.add(work.ECDH, 7, with("EVP_PKEY_derive_init", "EVP_PKEY_derive_set_peer", "EVP_PKEY_derive"), func(fn []uintptr) step {
		return step{
			prepare: prepareKeys,
			run: func(i int) bool {
				copy(m.pub[:], inputs[i].Peer[:])
				peer := e.public()
				if peer == 0 {
					return false
				}
				m.length = 32
				ctx := l.call(e.newCtx, keys[i], 0)
				ok := l.ok(fn[0], ctx) && l.ok(fn[1], ctx, peer) && l.ok(fn[2], ctx, addr(&m.out), addr(&m.length))
				l.call(e.freeCtx, ctx)
				l.call(e.free, peer)
				return ok
			},
			check: func(i int) error { return compare("secret", m.out[:32], inputs[i].SharedX[:]) },
		}
	})
}

// parameter must have the layout of the C struct.
var _ [5 * unsafe.Sizeof(uintptr(0))]byte = [unsafe.Sizeof(parameter{})]byte{}

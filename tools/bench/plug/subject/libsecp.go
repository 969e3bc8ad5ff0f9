package subject

import (
	"errors"

	"p256k1.mleku.dev/v2/tools/bench/plug/work"
)

// Constants of secp256k1.h, the same in all versions.
const (
	// Since 0.2.0 any context does everything; before, the tables for signing and
	// verifying had to be asked for.
	secpContext    = 1 | 1<<8 | 1<<9 // verify, sign
	secpCompressed = 1<<1 | 1<<8
)

// newLibsecp drives libsecp256k1 of any version since its interface of 2015.
//
// What changed is told apart by symbols. Until mid-2021, signing with Schnorr took
// a nonce function and its data, and verifying no length of the message; the
// function schnorrsig_sign_custom came in the same change as the lengths. ECDH
// took no hash function before 2018, and then ignores the two arguments more
// that it is given here, as C's calling conventions allow.
func newLibsecp(l *library, inputs []work.Input) *Subject {
	s := &Subject{Kind: KindLibsecp, steps: map[work.Scenario]step{}, calls: map[work.Scenario]int{}}
	m := l.m
	var ctx uintptr
	context := func() error {
		if ctx != 0 {
			return nil
		}
		fn, err := l.find("secp256k1_context_create")
		if err != nil {
			return err
		}
		if ctx = l.call(fn[0], secpContext); ctx == 0 {
			return errors.New("secp256k1_context_create failed")
		}
		// Blinding, as its documentation asks of programs that sign.
		if fn, err := l.find("secp256k1_context_randomize"); err == nil {
			m.aux = inputs[0].Digest
			l.call(fn[0], ctx, addr(&m.aux))
		}
		return nil
	}
	add := func(scenario work.Scenario, calls int, symbols []string, make func(fn []uintptr) step) {
		for i := range symbols {
			symbols[i] = "secp256k1_" + symbols[i]
		}
		fn, err := l.find(append(symbols, "secp256k1_context_create")...)
		st := step{err: err}
		if err == nil {
			st = make(fn)
			prepare := st.prepare
			st.prepare = func() error {
				if err := context(); err != nil || prepare == nil {
					return err
				}
				return prepare()
			}
		}
		s.steps[scenario], s.calls[scenario] = st, calls
	}
	spoil := func(i int) { inputs[i].Digest[0] ^= 1 }

	add(work.ECDSAVerify, 3, []string{"ec_pubkey_parse", "ecdsa_signature_parse_der", "ecdsa_verify"}, func(fn []uintptr) step {
		return step{
			run: func(i int) bool {
				in := &inputs[i]
				copy(m.pub[:], in.Public[:])
				copy(m.der[:], in.DER)
				m.digest = in.Digest
				return l.ok(fn[0], ctx, addr(&m.public), addr(&m.pub), 33) &&
					l.ok(fn[1], ctx, addr(&m.object), addr(&m.der), uintptr(len(in.DER))) &&
					l.ok(fn[2], ctx, addr(&m.object), addr(&m.digest), addr(&m.public))
			},
			spoil: spoil,
		}
	})
	add(work.ECDSASign, 2, []string{"ecdsa_sign", "ecdsa_signature_serialize_der"}, func(fn []uintptr) step {
		return step{
			run: func(i int) bool {
				m.secret, m.digest, m.length = inputs[i].Secret, inputs[i].Digest, uintptr(len(m.der))
				return l.ok(fn[0], ctx, addr(&m.object), addr(&m.digest), addr(&m.secret), 0, 0) &&
					l.ok(fn[1], ctx, addr(&m.der), addr(&m.length), addr(&m.object))
			},
			check: func(i int) error {
				return compare("signature", m.der[:min(m.length, uintptr(len(m.der)))], inputs[i].DER)
			},
		}
	})

	lengths := l.has("secp256k1_schnorrsig_sign_custom")
	switch {
	case lengths:
		s.API = "Schnorr with lengths"
	case l.has("secp256k1_schnorrsig_sign"):
		s.API = "Schnorr of 2020"
	default:
		s.API = "without Schnorr"
	}
	add(work.SchnorrVerify, 2, []string{"xonly_pubkey_parse", "schnorrsig_verify"}, func(fn []uintptr) step {
		return step{
			run: func(i int) bool {
				in := &inputs[i]
				copy(m.pub[:], in.Public[1:])
				copy(m.sig[:], in.Schnorr[:])
				m.digest = in.Digest
				if !l.ok(fn[0], ctx, addr(&m.public), addr(&m.pub)) {
					return false
				}
				if lengths {
					return l.ok(fn[1], ctx, addr(&m.sig), addr(&m.digest), 32, addr(&m.public))
				}
				return l.ok(fn[1], ctx, addr(&m.sig), addr(&m.digest), addr(&m.public))
			},
			spoil: spoil,
		}
	})
	// Since mid-2021 the same function has a name that tells the length, and since
	// 0.8.0 only that.
	sign := "schnorrsig_sign"
	if l.has("secp256k1_schnorrsig_sign32") {
		sign = "schnorrsig_sign32"
	}
	add(work.SchnorrSign, 1, []string{"keypair_create", sign}, func(fn []uintptr) step {
		pairs := make([][96]byte, len(inputs))
		return step{
			prepare: func() error {
				for i := range inputs {
					m.secret = inputs[i].Secret
					if !l.ok(fn[0], ctx, addr(&m.keypair), addr(&m.secret)) {
						return errors.New("secp256k1_keypair_create failed")
					}
					pairs[i] = m.keypair
				}
				m.aux = [32]byte{}
				return nil
			},
			run: func(i int) bool {
				m.digest, m.keypair = inputs[i].Digest, pairs[i]
				if lengths {
					return l.ok(fn[1], ctx, addr(&m.sig), addr(&m.digest), addr(&m.keypair), addr(&m.aux))
				}
				return l.ok(fn[1], ctx, addr(&m.sig), addr(&m.digest), addr(&m.keypair), 0, addr(&m.aux))
			},
			check: func(i int) error { return compare("signature", m.sig[:64], inputs[i].Schnorr[:]) },
		}
	})
	add(work.ECDH, 2, []string{"ec_pubkey_parse", "ecdh"}, func(fn []uintptr) step {
		return step{
			run: func(i int) bool {
				copy(m.pub[:], inputs[i].Peer[:])
				m.secret = inputs[i].Secret
				return l.ok(fn[0], ctx, addr(&m.public), addr(&m.pub), 33) &&
					l.ok(fn[1], ctx, addr(&m.out), addr(&m.public), addr(&m.secret), 0, 0)
			},
			check: func(i int) error { return compare("secret", m.out[:32], inputs[i].Shared[:]) },
		}
	})
	serialize := func(fn uintptr) bool {
		m.length = 33
		return l.ok(fn, ctx, addr(&m.out), addr(&m.length), addr(&m.public), secpCompressed)
	}
	add(work.Derive, 2, []string{"ec_pubkey_create", "ec_pubkey_serialize"}, func(fn []uintptr) step {
		return step{
			run: func(i int) bool {
				m.secret = inputs[i].Secret
				return l.ok(fn[0], ctx, addr(&m.public), addr(&m.secret)) && serialize(fn[1])
			},
			check: func(i int) error { return compare("key", m.out[:33], inputs[i].Public[:]) },
		}
	})
	add(work.Recover, 3, []string{"ecdsa_recoverable_signature_parse_compact", "ecdsa_recover", "ec_pubkey_serialize"}, func(fn []uintptr) step {
		return step{
			run: func(i int) bool {
				in := &inputs[i]
				m.sig, m.digest = in.RSV, in.Digest
				return l.ok(fn[0], ctx, addr(&m.object), addr(&m.sig), uintptr(in.RSV[64])) &&
					l.ok(fn[1], ctx, addr(&m.public), addr(&m.object), addr(&m.digest)) && serialize(fn[2])
			},
			check: func(i int) error { return compare("key", m.out[:33], inputs[i].Public[:]) },
		}
	})

	if fn, err := l.find("secp256k1_ec_seckey_verify", "secp256k1_context_create"); err == nil {
		s.trivial = func() {
			if ctx == 0 && context() != nil {
				return
			}
			m.secret[31] |= 1
			l.call(fn[0], ctx, addr(&m.secret))
		}
	}
	return s
}

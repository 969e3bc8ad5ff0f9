//go:build exhaustive

package exhaustive

import (
	"bytes"
	"context"
	"errors"
	"math/big"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/protocols/adaptor"
	"p256k1.mleku.dev/v2/protocols/cashu"
	"p256k1.mleku.dev/v2/protocols/dleq"
	"p256k1.mleku.dev/v2/protocols/halfagg"
	"p256k1.mleku.dev/v2/protocols/silentpayments"
	"p256k1.mleku.dev/v2/schnorr"
)

// only checks that every function accepts b, and that none accepts it if a multiple of n is added to the scalar in the
// 32 bytes from a place on: n, 2n, or the largest multiple.
func (c *count) only(b []byte, place int, accept map[string]func(b []byte) bool) {
	v, order := oracle.Int(b[place:place+32]), big.NewInt(n)
	largest := new(big.Int).Sub(two256, big.NewInt(n))
	largest.Add(largest, new(big.Int).Mod(new(big.Int).Sub(v, largest), order))
	for i, lift := range []*big.Int{v, new(big.Int).Add(v, order), new(big.Int).Add(v, big.NewInt(2*n)), largest} {
		raw := oracle.Bytes(lift)
		changed := bytes.Clone(b)
		copy(changed[place:], raw[:])
		for name, f := range accept {
			same(c, f(changed), i == 0, "%s accepts the scalar %x in place of %x", name, raw, v)
			c.add("scalars")
		}
	}
}

// TestOutOfRange adds multiples of n to the scalars of valid signatures and proofs. A function that reduces them would
// accept the sum. For secp256k1 itself, nobody can find a Schnorr signature or a proof with a scalar below 2²⁵⁶ − n,
// and TestVerifyReduced of package ecdsa has signatures of ECDSA with small r and s.
func TestOutOfRange(t *testing.T) {
	c := newCount(t, "numbers out of range")
	msg := make([]byte, 32)
	for v := range c.every(400, n-1, n-1) {
		d, k := v[0]+1, v[1]+1
		priv, pub, other := privateKeys[d], publicKeys[d], publicKeys[k]
		x := pub.XOnly()
		msg[0], msg[1] = byte(c.IntN(256)), byte(c.IntN(256))
		if sig, err := schnorr.Sign(priv, msg, nil); err == nil {
			claims := []halfagg.Claim{{PublicKey: [32]byte(x.Bytes()), Message: [32]byte(msg)}}
			aggregate, err := halfagg.Aggregate(claims, [][64]byte{sig})
			failIf(t, err != nil, "halfagg.Aggregate: %v", err)
			batch := func(add func(b *schnorr.Batch)) bool {
				var b schnorr.Batch
				add(&b)
				return b.Verify()
			}
			c.only(sig[:], 32, map[string]func(b []byte) bool{
				"schnorr.Verify":       func(b []byte) bool { return schnorr.Verify(x, msg, b) },
				"schnorr.VerifyBytes":  func(b []byte) bool { return schnorr.VerifyBytes(x.Bytes(), msg, b) },
				"schnorr.Batch.Add":    func(sig []byte) bool { return batch(func(b *schnorr.Batch) { b.Add(x.Bytes(), msg, sig) }) },
				"schnorr.Batch.AddKey": func(sig []byte) bool { return batch(func(b *schnorr.Batch) { b.AddKey(x, msg, sig) }) },
				"schnorr.Pool": func(b []byte) bool {
					var p schnorr.Pool
					ok, err := p.Verify(context.Background(), x.Bytes(), msg, b)
					return ok && err == nil
				},
				"halfagg.Aggregate": func(b []byte) bool { _, err := halfagg.Aggregate(claims, [][64]byte{[64]byte(b)}); return err == nil },
			})
			c.only(aggregate, 32, map[string]func(b []byte) bool{
				"halfagg.Verify": func(b []byte) bool { return halfagg.Verify(b, claims) },
				"halfagg.Add":    func(b []byte) bool { _, err := halfagg.Add(b, claims, nil, nil); return err == nil },
			})
		}
		if point, proof, err := dleq.Prove(priv, other, nil); err == nil {
			accept := map[string]func(b []byte) bool{
				"dleq.Verify": func(b []byte) bool { return dleq.Verify(pub, other, point, b, nil) },
				"dleq.Invalid": func(b []byte) bool {
					return dleq.Invalid(nil, []dleq.Item{{A: pub, B: other, C: point, Proof: b}}) == nil
				},
			}
			if dleq.Verify(pub, other, point, proof[:], nil) { // not if R is infinity
				c.only(proof[:], 0, accept)
				c.only(proof[:], 32, accept)
			}
		}
		if signed, err := cashu.Sign(priv, other); err == nil {
			accept := map[string]func(b []byte) bool{"cashu.DLEQ.Verify": func(b []byte) bool {
				return (&cashu.DLEQ{E: cashu.Integer(b[:32]), S: cashu.Integer(b[32:])}).Verify(pub, other, signed.C)
			}}
			c.only(append(signed.DLEQ.E[:], signed.DLEQ.S[:]...), 0, accept)
			c.only(append(signed.DLEQ.E[:], signed.DLEQ.S[:]...), 32, accept)
		}
		if pre, err := adaptor.SignSchnorr(priv, other, msg); err == nil {
			c.only(pre.Bytes(), 33, map[string]func(b []byte) bool{"adaptor.ParseSchnorrPreSignature": func(b []byte) bool {
				p, err := adaptor.ParseSchnorrPreSignature(b)
				return err == nil && p.Verify(x, other, msg)
			}})
			sig, err := pre.Adapt(privateKeys[k])
			failIf(t, err != nil, "Adapt: %v", err)
			c.only(sig[:], 32, map[string]func(b []byte) bool{
				"SchnorrPreSignature.Extract": func(b []byte) bool { _, err := pre.Extract(b, other); return err == nil },
			})
		}
		if pre, err := adaptor.SignECDSA(priv, other, msg); err == nil {
			c.only(pre.Bytes(), 130, map[string]func(b []byte) bool{"adaptor.ParseECDSAPreSignature": func(b []byte) bool {
				p, err := adaptor.ParseECDSAPreSignature(b)
				return err == nil && p.Verify(pub, other, msg)
			}})
			c.only(pre.Bytes(), 66, map[string]func(b []byte) bool{"adaptor.ParseECDSAPreSignature, s'": func(b []byte) bool {
				p, err := adaptor.ParseECDSAPreSignature(b)
				return err == nil && p.Verify(pub, other, msg)
			}})
		}
		// A hash is never below a small n, so there is no payment (BIP-352).
		inputs := []silentpayments.Input{{ScriptPubKey: append([]byte{0x51, 0x20}, x.Bytes()...), Witness: [][]byte{nil}}}
		tweak, err := silentpayments.Tweak(inputs)
		failIf(t, tweak != nil, "silentpayments.Tweak: a hash of n or more is reduced: %v, %v", tweak, err)
		_, err = silentpayments.CreateOutputs(inputs, []*p256k1.PrivateKey{priv}, []silentpayments.Recipient{{Scan: pub, Spend: other}})
		failIf(t, err == nil || errors.Is(err, p256k1.ErrNoKey), "silentpayments.CreateOutputs: %v", err)
	}
}

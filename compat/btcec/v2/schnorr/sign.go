package schnorr

import (
	"crypto/sha256"

	"github.com/btcsuite/btcd/btcec/v2"
	dcr "github.com/decred/dcrd/dcrec/secp256k1/v4/schnorr"
	"p256k1.mleku.dev/v2/schnorr"
)

// SignOption is an option of Sign.
type SignOption func(*signOptions)

type signOptions struct {
	fast bool
	aux  *[32]byte
}

// FastSign makes Sign return the signature without verifying it, which is about 3 × as fast. If the hardware computes
// wrongly, such a signature can reveal the private key.
func FastSign() SignOption {
	return func(o *signOptions) { o.fast = true }
}

// CustomNonce makes Sign derive the nonce as BIP-340 does, with auxData as the auxiliary randomness. Despite the name,
// auxData is not the nonce, which also depends on the key and on the hash.
func CustomNonce(auxData [32]byte) SignOption {
	return func(o *signOptions) { o.aux = &auxData }
}

// attempts is the number of nonces that Sign tries. One nonce suffices if the hardware computes correctly.
const attempts = 16

// Sign returns the signature of hash, 32 bytes, in constant time. The nonce follows RFC 6979, with the SHA-256 of
// "BIP-340" as extra data. With CustomNonce, it follows BIP-340 instead. Sign verifies the signature before it returns
// it, except with FastSign. The error is an Error with a kind that Decred's package schnorr defines.
func Sign(privKey *btcec.PrivateKey, hash []byte, signOpts ...SignOption) (*Signature, error) {
	var opts signOptions
	for _, option := range signOpts {
		option(&opts)
	}
	d := privKey.Key
	defer d.Zero()
	if len(hash) != 32 {
		return nil, fail(dcr.ErrInvalidHashLen, "wrong size for message hash (got %v, want 32)", len(hash))
	}
	if d.IsZero() {
		return nil, fail(dcr.ErrPrivateKeyIsZero, "private key is zero")
	}
	var p btcec.JacobianPoint
	btcec.ScalarBaseMultNonConst(&d, &p)
	negateIf(&d, p.Y.IsOddBit())
	var x [32]byte
	p.X.PutBytes(&x)

	b := d.Bytes()
	defer clear(b[:])
	if opts.aux != nil {
		custom := nonce(&b, &x, hash, opts.aux)
		defer custom.Zero()
		if custom.IsZero() {
			return nil, fail(dcr.ErrSchnorrHashValue, "generated nonce is zero")
		}
		return sign(&d, &custom, &x, hash, opts.fast)
	}
	extra := sha256.Sum256([]byte("BIP-340"))
	var err error
	for i := range uint32(attempts) {
		k := btcec.NonceRFC6979(b[:], hash, extra[:], nil, i)
		var sig *Signature
		sig, err = sign(&d, k, &x, hash, opts.fast)
		k.Zero()
		if err == nil {
			return sig, nil
		}
	}
	return nil, err
}

// negateIf sets v = −v if odd is 1, and leaves v unchanged if odd is 0. It computes v − 2·v·odd, without a branch.
func negateIf(v *btcec.ModNScalar, odd uint32) {
	var factor, twice btcec.ModNScalar
	factor.SetInt(odd)
	v.Add(twice.Add2(v, v).Mul(&factor).Negate())
	twice.Zero()
}

// nonce returns the BIP-340 nonce for the private key d, whose public key has the x coordinate x and an even y.
func nonce(d, x *[32]byte, hash []byte, aux *[32]byte) (k btcec.ModNScalar) {
	t := schnorr.TaggedHash("BIP0340/aux", aux[:])
	defer clear(t[:])
	for i := range t {
		t[i] ^= d[i]
	}
	b := schnorr.TaggedHash("BIP0340/nonce", t[:], x[:], hash)
	defer clear(b[:])
	k.SetBytes(&b)
	return k
}

// sign returns the signature of hash with the private key d and the nonce k, which it overwrites. The public key of d
// must have the x coordinate x and an even y.
func sign(d, k *btcec.ModNScalar, x *[32]byte, hash []byte, fast bool) (*Signature, error) {
	var R btcec.JacobianPoint
	btcec.ScalarBaseMultNonConst(k, &R)
	negateIf(k, R.Y.IsOddBit())
	var rx [32]byte
	R.X.PutBytes(&rx)
	e := schnorr.TaggedHash("BIP0340/challenge", rx[:], x[:], hash)

	sig := &Signature{r: R.X}
	sig.s.SetBytes(&e)
	sig.s.Mul(d).Add(k)
	if !fast && !sig.verify(x, hash) {
		return nil, fail(dcr.ErrUnequalRValues, "calculated R point was not given R")
	}
	return sig, nil
}

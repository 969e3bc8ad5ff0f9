package operations

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"math/big"
	"slices"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// A Secret is a value of 32 bytes, no part of which may be found in memory.
type Secret struct {
	What  string
	Value [32]byte
}

// Secrets returns the values that any operation may compute from the three secrets.
func (in *In) Secrets() []Secret {
	return slices.Concat(ofKey(in.d()), scalar("other key", in.e()), recoded("other key", in.e()), scalar("tweak", in.t()))
}

// d, e and t are the secrets as integers.
func (in *In) d() *big.Int { return oracle.Int(in.Secret) }
func (in *In) e() *big.Int { return oracle.Int(in.OtherSecret) }
func (in *In) t() *big.Int { return oracle.Int(in.Tweak) }

// pub and peer are the public keys.
func (in *In) pub() oracle.Point  { return oracle.G.Mul(in.d()) }
func (in *In) peer() oracle.Point { return oracle.G.Mul(in.e()) }

// is reports whether the first parts of the results, in order, equal the wanted bytes; nil stands for any bytes.
func (r Results) is(want ...[]byte) bool {
	for i, b := range want {
		if i >= len(r) || (b != nil && !bytes.Equal(r[i].Bytes, b)) {
			return false
		}
	}
	return true
}

// sized returns the parts of n bytes.
func (r Results) sized(n int) Results {
	return slices.DeleteFunc(slices.Clone(r), func(p Part) bool { return len(p.Bytes) != n })
}

// isKey reports whether the two parts at index i are the private key d and its public key.
func (r Results) isKey(i int, d *big.Int) bool {
	return len(r) > i+1 && r[i:].is(number(d), oracle.G.Mul(d).Compressed())
}

func number(v *big.Int) []byte {
	b := oracle.Bytes(v)
	return b[:]
}

// parts are the wanted bytes of results; nil stands for any.
type parts = [][]byte

// gives returns the oracle of an operation whose results are known and whose secrets lead to no further secrets.
func gives(want func(in *In) parts) oracleOf {
	return func(in *In, r Results) ([]Secret, bool) { return nil, r.is(want(in)...) }
}

// givesKey returns the oracle of an operation that makes the key want(in).
func givesKey(want func(in *In) *big.Int) oracleOf {
	return func(in *In, r Results) ([]Secret, bool) {
		d := want(in)
		return ofResult(d), r.isKey(0, d)
	}
}

// generated is the oracle of an operation that returns a randomly generated key.
func generated(_ *In, r Results) ([]Secret, bool) {
	d := oracle.Int(r[0].Bytes)
	return ofKey(d), d.Sign() > 0 && r.isKey(0, d)
}

// shared returns the oracle of a key agreement; hash computes its result from the shared point.
func shared(what string, hash func(in *In, p oracle.Point) []byte) oracleOf {
	return func(in *In, r Results) ([]Secret, bool) {
		p := in.peer().Mul(in.d())
		want := hash(in, p)
		all := slices.Concat(halves(in.d()), coordinates("shared point", p))
		return append(all, opaque(what, want)), r.is(want)
	}
}

func opaque(what string, b []byte) Secret { return Secret{what, [32]byte(b)} }

func integer(what string, v *big.Int) Secret { return Secret{what, oracle.Bytes(v)} }

// scalar returns an integer modulo n and its negation, because each reveals the other.
func scalar(what string, v *big.Int) []Secret {
	return []Secret{integer(what, v), integer(what+", negated", oracle.Fn.Neg(v))}
}

func coordinates(what string, p oracle.Point) []Secret {
	return []Secret{integer("x of the "+what, p.X), integer("y of the "+what, p.Y), integer("y of the "+what+", negated", oracle.Fp.Neg(p.Y))}
}

// recoded returns the integer from which multiplication of the generator by k takes its digits (internal/ecmult, Base).
func recoded(what string, k *big.Int) []Secret {
	return []Secret{integer(what+", recoded", half(oracle.Fn.Add(k, pow2(258, -1))))}
}

// ofKey returns the secrets that key derivation computes with.
func ofKey(d *big.Int) []Secret { return slices.Concat(scalar("key", d), recoded("key", d)) }

// ofResult returns the secrets of ofKey for a key that an operation makes.
func ofResult(d *big.Int) []Secret {
	return slices.Concat(scalar("resulting key", d), recoded("resulting key", d))
}

// ofNonce returns the secrets that signing computes with: the nonce, and the integers from which the multiplication k·G
// takes its digits, for k and for its negation.
func ofNonce(k *big.Int) []Secret {
	return slices.Concat(scalar("nonce", k), recoded("nonce", k), recoded("nonce", oracle.Fn.Neg(k)))
}

// halves returns the integers from which multiplication of other points by k takes its digits (internal/ecmult,
// Variable).
func halves(k *big.Int) []Secret {
	offset := oracle.Fn.Mul(new(big.Int).Sub(pow2(130, -1), pow2(129, 0)), new(big.Int).Add(oracle.Lambda, big.NewInt(1)))
	s := half(oracle.Fn.Add(k, offset))
	s1, s2 := oracle.SplitLambda(s)
	return []Secret{
		integer("key, recoded to be split", s),
		integer("key, first half", s1.Add(s1, pow2(128, 0))),
		integer("key, second half", s2.Add(s2, pow2(128, 0))),
	}
}

// hashed returns a tagged hash modulo n.
func hashed(tag string, parts ...[]byte) *big.Int {
	hash := oracle.TaggedHash(tag, parts...)
	return oracle.Fn.Reduce(oracle.Int(hash[:]))
}

// masked returns b XOR the hash of auxiliary randomness.
func masked(tag string, aux *[32]byte, b []byte) []byte {
	t := oracle.TaggedHash(tag, aux[:])
	for i := range b {
		t[i] ^= b[i]
	}
	return t[:]
}

// deterministicNonces returns the two nonces that FROST or MuSig2 derives from a masked secret, and their secrets.
func deterministicNonces(tag string, parts ...[]byte) (nonces [2]*big.Int, all []Secret) {
	for i := range nonces {
		hash := oracle.TaggedHash(tag, append(parts, []byte{byte(i)})...)
		nonces[i] = oracle.Fn.Reduce(oracle.Int(hash[:]))
		all = append(append(all, ofNonce(nonces[i])...), opaque("hash of the nonce", hash[:]))
	}
	return nonces, append(all, opaque("masked secret", parts[0]))
}

// held returns the two secret nonces that are the first results, with their secrets, and their public nonces.
func held(r Results) (k [2]*big.Int, all []Secret, public []byte) {
	for i := range k {
		k[i] = oracle.Int(r[i].Bytes)
		all, public = append(all, ofNonce(k[i])...), append(public, oracle.G.Mul(k[i]).Compressed()...)
	}
	return k, all, public
}

// blinded returns what signing with two nonces computes with the coefficient b.
func blinded(k [2]*big.Int, b *big.Int) []Secret {
	bk := oracle.Fn.Mul(b, k[1])
	return append(scalar("b·k2", bk), scalar("k1 + b·k2", oracle.Fn.Add(k[0], bk))...)
}

// revealed is the oracle of an operation that ends by revealing its private keys, each with its public key.
func revealed(_ *In, r Results) (all []Secret, right bool) {
	for i := range r {
		if len(r[i].Bytes) == 32 && r[i].Secret == 32 {
			d := oracle.Int(r[i].Bytes)
			right = r.isKey(i, d)
			all = append(all, ofResult(d)...)
		}
	}
	return all, right
}

func half(k *big.Int) *big.Int { return oracle.Fn.Mul(k, oracle.Fn.Inv(big.NewInt(2))) }

func pow2(n uint, plus int64) *big.Int {
	v := new(big.Int).Lsh(big.NewInt(1), n)
	return v.Add(v, big.NewInt(plus))
}

// lifted returns p or −p, whichever has even y.
func lifted(p oracle.Point) oracle.Point {
	p, _ = oracle.LiftX(p.X)
	return p
}

// even returns d if p has even y, and n − d otherwise.
func even(d *big.Int, p oracle.Point) *big.Int {
	if p.Y.Bit(0) == 1 {
		return oracle.Fn.Neg(d)
	}
	return d
}

func hmacSHA256(key []byte, parts ...[]byte) []byte {
	h := hmac.New(sha256.New, key)
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

// pads returns the first blocks that HMAC hashes with a key of 32 bytes: key ⊕ ipad and key ⊕ opad.
func pads(what string, key []byte) []Secret {
	inner, outer := slices.Clone(key), slices.Clone(key)
	for i := range key {
		inner[i] ^= 0x36
		outer[i] ^= 0x5c
	}
	return []Secret{opaque(what+", inner pad", inner), opaque(what+", outer pad", outer)}
}

package operations

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"math/big"
	"slices"

	"p256k1.mleku.dev/v2/internal/oracle"
)

// A Secret is 32 bytes, no part of which may be found in memory.
type Secret struct {
	What  string
	Value [32]byte
}

// Secrets returns what all operations may compute with, of the three secrets.
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

// is reports whether parts of the results, in their order, are those wanted, of which nil stands for any.
func (r Results) is(want ...[]byte) bool {
	for i, b := range want {
		if i >= len(r) || b != nil && !bytes.Equal(r[i].Bytes, b) {
			return false
		}
	}
	return true
}

// isKey is is for the two parts of a private key.
func (r Results) isKey(at int, d *big.Int) bool {
	return len(r) > at+1 && r[at:].is(number(d), oracle.G.Mul(d).Compressed())
}

func number(v *big.Int) []byte {
	b := oracle.Bytes(v)
	return b[:]
}

// parts are bytes of results that are wanted, nil for any.
type parts = [][]byte

// gives is the oracle of an operation whose results are known and lead to no other secrets.
func gives(want func(in *In) parts) oracleOf {
	return func(in *In, r Results) ([]Secret, bool) { return nil, r.is(want(in)...) }
}

// givesKey is the oracle of an operation that makes a key.
func givesKey(want func(in *In) *big.Int) oracleOf {
	return func(in *In, r Results) ([]Secret, bool) {
		d := want(in)
		return ofResult(d), r.isKey(0, d)
	}
}

// generated is for keys that the library chose.
func generated(_ *In, r Results) ([]Secret, bool) {
	d := oracle.Int(r[0].Bytes)
	return ofKey(d), d.Sign() > 0 && r.isKey(0, d)
}

// shared is the oracle of an agreement, of which hash says what comes of the shared point.
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

// scalar is an integer modulo n, from whose negation it follows.
func scalar(what string, v *big.Int) []Secret {
	return []Secret{integer(what, v), integer(what+", negated", oracle.Fn.Neg(v))}
}

func coordinates(what string, p oracle.Point) []Secret {
	return []Secret{integer("x of the "+what, p.X), integer("y of the "+what, p.Y), integer("y of the "+what+", negated", oracle.Fp.Neg(p.Y))}
}

// recoded is the integer from which multiplication of the generator takes its digits
// (internal/ecmult, Base).
func recoded(what string, k *big.Int) []Secret {
	return []Secret{integer(what+", recoded", half(oracle.Fn.Add(k, pow2(258, -1))))}
}

// ofKey has the secrets with which key derivation computes.
func ofKey(d *big.Int) []Secret { return slices.Concat(scalar("key", d), recoded("key", d)) }

// ofResult is ofKey for a key that the operation makes.
func ofResult(d *big.Int) []Secret {
	return slices.Concat(scalar("resulting key", d), recoded("resulting key", d))
}

// ofNonce has the secrets with which signing computes: the nonce and the integers that k·G takes
// from it, or its negation.
func ofNonce(k *big.Int) []Secret {
	return slices.Concat(scalar("nonce", k), recoded("nonce", k), recoded("nonce", oracle.Fn.Neg(k)))
}

// halves are the integers from which multiplication of other points takes its digits
// (internal/ecmult, Variable).
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

func half(k *big.Int) *big.Int { return oracle.Fn.Mul(k, oracle.Fn.Inv(big.NewInt(2))) }

func pow2(n uint, plus int64) *big.Int {
	v := new(big.Int).Lsh(big.NewInt(1), n)
	return v.Add(v, big.NewInt(plus))
}

// lifted returns p or −p, whichever has an even y.
func lifted(p oracle.Point) oracle.Point {
	p, _ = oracle.LiftX(p.X)
	return p
}

// even returns d or n − d, for a point with even or odd y.
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

// pads are the blocks that an HMAC with a key of 32 bytes begins with.
func pads(what string, key []byte) []Secret {
	inner, outer := slices.Clone(key), slices.Clone(key)
	for i := range key {
		inner[i] ^= 0x36
		outer[i] ^= 0x5c
	}
	return []Secret{opaque(what+", inner pad", inner), opaque(what+", outer pad", outer)}
}

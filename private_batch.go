package p256k1

import (
	"crypto/rand"
	"fmt"
	"sync"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/parts"
	"p256k1.mleku.dev/v2/secret"
)

// GenerateKeys returns n new private keys from the system's randomness (crypto/rand). It takes less time than n calls
// of GenerateKey. The error is always nil. GenerateKeys panics if n is negative.
func GenerateKeys(n int) ([]*PrivateKey, error) {
	if n < 0 {
		panic(fmt.Sprintf("p256k1: GenerateKeys of %d keys", n))
	}
	keys := newKeys(n)
	m := makings.Get().(*making)
	defer makings.Put(m)
	for from, to := range parts.Of(n, parts.Sums) {
		secret.Do(func() { m.generate(keys[from:to]) })
	}
	return keys, nil
}

// ParsePrivateKeys returns the private keys with the 32-byte big-endian integers b. It takes less time than one call of
// ParsePrivateKey for each integer. The error is nil if all integers are valid. Otherwise the error is a Failures, and
// the key is nil for each index in this list. The reasons are ErrLength, and ErrRange for an integer that is zero or
// not below the group order. ParsePrivateKeys is constant-time, except that the time shows which integers are refused.
func ParsePrivateKeys(b [][]byte) ([]*PrivateKey, error) {
	keys := newKeys(len(b))
	m := makings.Get().(*making)
	defer makings.Put(m)
	var failures Failures
	for from, to := range parts.Of(len(b), parts.Sums) {
		secret.Do(func() { failures = m.setBytes(failures, keys[from:to], b[from:to], from) })
	}
	for _, f := range failures {
		keys[f.Index] = nil
	}
	return keys, failures.Err()
}

// newKeys returns n keys that are not set, each in an allocation of its own.
func newKeys(n int) []*PrivateKey {
	keys := make([]*PrivateKey, n)
	for i := range keys {
		keys[i] = &newKeyPair().key
	}
	return keys
}

// making is the scratch memory for computing a part of the keys.
type making struct {
	random [32 * parts.Sums]byte
	d      [parts.Sums]curve.Scalar
	public [parts.Sums]curve.Point
}

// makings holds scratch memory that is not in use and whose secrets have been wiped.
var makings = sync.Pool{New: func() any { return new(making) }}

// generate sets the keys of a part to new random keys.
func (m *making) generate(keys []*PrivateKey) {
	random, d := m.random[:32*len(keys)], m.d[:len(keys)]
	defer clear(random)
	defer clear(d)
	rand.Read(random) // never fails
	for i := range d {
		b := random[32*i : 32*i+32]
		for setPrivate(&d[i], b) != nil {
			rand.Read(b)
		}
	}
	m.setScalars(keys)
}

// setBytes sets the keys of a part, whose first key has the index from, to the integers b. It appends the invalid
// integers to failures, and leaves their keys unset.
func (m *making) setBytes(failures Failures, keys []*PrivateKey, b [][]byte, from int) Failures {
	defer clear(m.d[:len(keys)])
	for i := range b {
		if err := setPrivate(&m.d[i], b[i]); err != nil {
			failures = append(failures, Failure{Index: from + i, Err: err})
		}
	}
	m.setScalars(keys)
	return failures
}

// setScalars sets the keys of a part to the first len(keys) scalars of m.d, and computes the public keys.
func (m *making) setScalars(keys []*PrivateKey) {
	d, public := m.d[:len(keys)], m.public[:len(keys)]
	curve.ScalarBaseMultBatch(public, d)
	for i, k := range keys {
		p := k.get()
		p.d.Set(&d[i])
		p.pub.point.Set(&public[i])
	}
}

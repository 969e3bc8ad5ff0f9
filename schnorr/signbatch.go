package schnorr

import (
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"sync"

	"p256k1.mleku.dev"
	"p256k1.mleku.dev/curve"
)

// SignBatch sets dst[i] to a signature of msgs[i] by keys[i], as Sign makes it, with fresh
// auxiliary randomness from crypto/rand for each. A key may stand in keys more than once.
// It is constant-time, except for the lengths of the messages, and takes less time than
// signing one by one.
//
// The error is p256k1.ErrRange for a key that is nil, was wiped or was never set. It names
// the index of the first, and all of dst is then zero. SignBatch panics if the slices
// differ in length. Messages must not lie in dst. It does not look for errors of the
// machine, as SignChecked does.
func SignBatch(dst [][64]byte, keys []*p256k1.PrivateKey, msgs [][]byte) error {
	if len(dst) != len(keys) || len(dst) != len(msgs) {
		panic(fmt.Sprintf("schnorr: SignBatch of %d signatures, %d keys and %d messages", len(dst), len(keys), len(msgs)))
	}
	s := signings.Get().(*signing)
	defer signings.Put(s)
	for from := 0; from < len(dst); from += group {
		to := min(from+group, len(dst))
		if i, err := s.sign(dst[from:to], keys[from:to], msgs[from:to]); err != nil {
			clear(dst)
			return fmt.Errorf("%w (index %d)", err, from+i)
		}
	}
	return nil
}

// A signing is what a group of signatures has in memory: nonces and what follows from
// them, but no key, each of which is used twice instead.
type signing struct {
	aux []byte // 32 bytes each
	pub []curve.Point
	k   []curve.Scalar
	r   []curve.Point // k·G
}

// group is how many signatures are in work at a time.
const group = 256

// signings are those that no SignBatch uses, without secrets.
var signings = sync.Pool{New: func() any { return new(signing) }}

// sign is SignBatch for a group. Beside an error it returns the index.
func (s *signing) sign(dst [][64]byte, keys []*p256k1.PrivateKey, msgs [][]byte) (int, error) {
	if n := len(dst); len(s.k) < n {
		*s = signing{make([]byte, 32*n), make([]curve.Point, n), make([]curve.Scalar, n), make([]curve.Point, n)}
	}
	n := len(dst)
	aux, pub, k, r := s.aux[:32*n], s.pub[:n], s.k[:n], s.r[:n]
	defer clear(k)
	rand.Read(aux) // never fails
	for i, key := range keys {
		if key == nil {
			key = new(p256k1.PrivateKey)
		}
		pub[i].Set(key.PublicKey().Point())
		if err := key.Use(func(d curve.Scalar) error {
			return setNonce(&k[i], &d, &pub[i], msgs[i], aux[32*i:32*i+32])
		}); err != nil {
			return i, err
		}
	}
	// Within Use for what it wipes.
	if err := keys[0].Use(func(curve.Scalar) error {
		curve.ScalarBaseMultBatch(r, k)
		return nil
	}); err != nil {
		return 0, err
	}
	for i, key := range keys {
		err := key.Use(func(d curve.Scalar) error { return set(&dst[i], &d, &pub[i], msgs[i], &k[i], &r[i]) })
		if err != nil {
			return i, err
		}
	}
	return 0, nil
}

// setNonce sets k to the nonce of BIP-340 for the private key d, whose public key is pub.
func setNonce(k, d *curve.Scalar, pub *curve.Point, msg, aux []byte) error {
	d.CondNegate(d, pub.IsYOdd())
	px, err := pub.BytesX()
	if err != nil {
		return err
	}
	t := auxTag.Sum(aux)
	defer clear(t[:])
	key := d.Bytes()
	defer clear(key)
	subtle.XORBytes(t[:], t[:], key)
	nonce := nonceTag.Sum(t[:], px, msg)
	defer clear(nonce[:])
	if k.SetBytesReduced(&nonce).IsZero() == 1 {
		return errNonce
	}
	return nil
}

// set sets sig to the signature with the private key d, whose public key is pub, and the
// nonce k with r = k·G.
func set(sig *[64]byte, d *curve.Scalar, pub *curve.Point, msg []byte, k *curve.Scalar, r *curve.Point) error {
	px, err := pub.BytesX()
	if err != nil {
		return err
	}
	rx, err := r.BytesX()
	if err != nil {
		return errNonce
	}
	d.CondNegate(d, pub.IsYOdd())
	k.CondNegate(k, r.IsYOdd())
	var e curve.Scalar
	setChallenge(&e, rx, px, msg)
	copy(sig[:32], rx)
	copy(sig[32:], e.Mul(&e, d).Add(&e, k).Bytes())
	return nil
}

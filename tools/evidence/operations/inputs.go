package operations

import (
	"math/big"
	"sync"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/signer"
)

// An In is the input of operations: two keys, a tweak and a digest. Values derived from the inputs are computed when an
// operation first asks for them, so that an operation may be the first use of the library. Many goroutines may share an
// In. The files that list operations compute no secret values except the values that they test, because lint reads all
// code that these files call. lint does not read this file.
type In struct {
	Secret, OtherSecret, Tweak []byte // 32 bytes each
	Digest, Msg                []byte // public, 32 and 100 bytes
	Aux                        *[32]byte

	Key, Other func() *p256k1.PrivateKey
	Pub, Peer  func() *p256k1.PublicKey // the public keys of Key and Other, declassified
	X, PeerX   func() *p256k1.XOnlyPublicKey
	Ready      func() *p256k1.PublicKey // Pub with a precomputed table

	K, L func() *curve.Scalar // the keys as scalars
	P, Q func() *curve.Point  // k·G and (k + l)·G, which is not normalized

	Sig         func() ecdsa.Signature // signature of Digest by Key
	Recoverable func() ecdsa.RecoverableSignature
	SchnorrSig  func() []byte    // a signature of Msg by Key
	Ours        func() *[64]byte // encodings of Pub and Peer for ellswift
	Theirs      func() *[64]byte

	ECDSASigner    func() *ecdsa.Signer
	SchnorrSigner  func() *schnorr.Signer
	Nostr, Watcher func() *signer.P256K1Signer // signers with Key, and with only its x coordinate
	Gen            func() *signer.P256K1Gen

	Signing   func() *signing
	Ceremony  func() *ceremony
	Committee func() *committee
	Panel     func() *panel
	Payment   func() *payment
	Minting   func() *minting
	Transport func() *transport
	Posted    func() *posted

	mu    sync.Mutex
	wipes []func()
}

// Size is the number of bytes that New takes: three secrets, a digest and auxiliary randomness.
const Size = 5 * 32

// New returns inputs that refer to b. Secret, OtherSecret and Tweak must be valid keys.
func New(b []byte) *In {
	in := &In{Secret: b[:32], OtherSecret: b[32:64], Tweak: b[64:96], Digest: b[96:128], Aux: (*[32]byte)(b[128:160])}
	for i := range byte(100) {
		in.Msg = append(in.Msg, in.Digest[i%32]+i)
	}
	key := func(b []byte) func() *p256k1.PrivateKey {
		return lazy(func() *p256k1.PrivateKey { return wiped(in, must(p256k1.ParsePrivateKey(b))) })
	}
	public := func(k func() *p256k1.PrivateKey) func() *p256k1.PublicKey {
		return lazy(func() *p256k1.PublicKey {
			b := k().PublicKey().Bytes()
			Declassify(b, len(b))
			return must(p256k1.ParsePublicKey(b))
		})
	}
	xOnly := func(p func() *p256k1.PublicKey) func() *p256k1.XOnlyPublicKey {
		return lazy(func() *p256k1.XOnlyPublicKey { return p().XOnly() })
	}
	scalar := func(k func() *p256k1.PrivateKey) func() *curve.Scalar {
		return lazy(func() *curve.Scalar { return wiped(in, must(k().Scalar())) })
	}
	encoding := func(p func() *p256k1.PublicKey) func() *[64]byte {
		return lazy(func() *[64]byte {
			encoding := must(ellswift.Encode(p(), new([32]byte)))
			return &encoding
		})
	}
	in.Key, in.Other = key(in.Secret), key(in.OtherSecret)
	in.Pub, in.Peer = public(in.Key), public(in.Other)
	in.X, in.PeerX = xOnly(in.Pub), xOnly(in.Peer)
	in.Ready = lazy(func() *p256k1.PublicKey { return in.Pub().Precomputed() })
	in.K, in.L = scalar(in.Key), scalar(in.Other)
	in.P = lazy(func() *curve.Point { return in.Key().PublicKey().Point() }) // computed through Key, because package curve would leave the key on the stack
	in.Q = lazy(func() *curve.Point { return new(curve.Point).Add(in.P(), in.Other().PublicKey().Point()) })
	in.Recoverable = lazy(func() ecdsa.RecoverableSignature { return must(ecdsa.SignRecoverable(in.Key(), in.Digest, nil)) })
	in.Sig = lazy(func() ecdsa.Signature { return in.Recoverable().Signature() })
	in.SchnorrSig = lazy(func() []byte {
		sig := must(schnorr.Sign(in.Key(), in.Msg, &schnorr.Options{AuxRand: in.Aux}))
		return sig[:]
	})
	in.Ours, in.Theirs = encoding(in.Pub), encoding(in.Peer)
	in.ECDSASigner = lazy(func() *ecdsa.Signer { return ecdsa.NewSigner(in.Key(), nil) })
	in.SchnorrSigner = lazy(func() *schnorr.Signer { return schnorr.NewSigner(in.Key(), nil) })
	in.Nostr = lazy(func() *signer.P256K1Signer {
		s := wiped(in, signer.NewP256K1Signer())
		check(s.InitSec(in.Secret))
		return s
	})
	in.Watcher = lazy(func() *signer.P256K1Signer {
		s := signer.NewP256K1Signer()
		check(s.InitPub(in.X().Bytes()))
		return s
	})
	in.Gen = lazy(func() *signer.P256K1Gen {
		g := signer.NewP256K1Gen()
		must(g.Generate())
		return g
	})
	in.Signing = lazy(func() *signing { return newSigning(in) })
	in.Ceremony = lazy(newCeremony)
	in.Committee = lazy(func() *committee { return newCommittee(in) })
	in.Panel = lazy(func() *panel { return newPanel(in) })
	in.Payment = lazy(func() *payment { return newPayment(in) })
	in.Minting = lazy(func() *minting { return newMinting(in) })
	in.Transport = lazy(func() *transport { return newTransport(in) })
	in.Posted = lazy(func() *posted { return newPosted(in) })
	return in
}

// Draw returns random bytes for New. If edges is true, as in TestSoak, half of the scalars have values at which carries
// occur. The keys and the tweak differ, and none of them and no sum of two of them is zero.
func Draw(r *oracle.Rand, edges bool) []byte {
	for {
		var b []byte
		var v [3]*big.Int
		for i := range v {
			v[i] = oracle.Fn.Reduce(oracle.Int(r.Bytes(32)))
			if edges && r.IntN(2) == 0 {
				v[i] = r.ValidScalar()
			}
			s := oracle.Bytes(v[i])
			b = append(b, s[:]...)
		}
		zero := false
		for i, a := range v {
			other := v[(i+1)%3]
			zero = zero || a.Sign() == 0 || a.Cmp(other) == 0 || oracle.Fn.Add(a, other).Sign() == 0
		}
		if !zero {
			return append(b, r.Bytes(64)...)
		}
	}
}

// Seeded returns inputs that depend only on the seed.
func Seeded(seed string) *In { return New(Draw(oracle.NewSeeded(seed), true)) }

// Zero wipes the keys, scalars and other values that were passed to wiped. It does not wipe the bytes that New was
// given.
func (in *In) Zero() {
	for _, wipe := range in.wipes {
		wipe()
	}
}

// wiped makes Zero wipe v, and returns v.
func wiped[T interface{ Zero() }](in *In, v T) T {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.wipes = append(in.wipes, v.Zero)
	return v
}

// If OwnStacks is true, values derived from inputs are computed on separate stacks, so that the stack of the operation
// does not grow. Package residue sets OwnStacks. Programs under memcheck cannot set it, because memcheck loses track of
// secrets when the program switches between stacks that lie close together.
var OwnStacks bool

// lazy returns a function that calls f the first time and returns the same value from then on.
func lazy[T any](f func() T) func() T {
	return sync.OnceValue(func() T {
		if !OwnStacks {
			return f()
		}
		made := make(chan T)
		go func() { made <- f() }()
		return <-made
	})
}

// must returns v, the result of a call that does not fail.
func must[T any](v T, err error) T {
	check(err)
	return v
}

// must2 returns two results of a call that does not fail.
func must2[T, U any](v T, w U, err error) (T, U) {
	check(err)
	return v, w
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// failure returns the error of a call that also returns a value.
func failure[T any](_ T, err error) error { return err }

// flip returns a copy of b with one bit changed, which the digest chooses.
func (in *In) flip(b []byte) []byte {
	b = append([]byte(nil), b...)
	b[int(in.Digest[0])%len(b)] ^= 1 << (in.Digest[1] % 8)
	return b
}

// The functions below return inputs of operations. Constructors of operations, such as agrees, take them as arguments.
func theKey(in *In) *p256k1.PrivateKey       { return in.Key() }
func thePeer(in *In) *p256k1.PublicKey       { return in.Peer() }
func thePeerX(in *In) *p256k1.XOnlyPublicKey { return in.PeerX() }
func theirs(in *In) *[64]byte                { return in.Theirs() }

// bit returns the lowest bit of the secret.
func (in *In) bit() int { return int(in.Secret[31] & 1) }

package schnorr_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log"
	"slices"
	"sync"
	"time"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/schnorr"
)

// key is the private key 3, as in BIP-340's first test vector.
func key() *p256k1.PrivateKey {
	k, err := p256k1.ParsePrivateKey(append(make([]byte, 31), 3))
	if err != nil {
		log.Fatal(err)
	}
	return k
}

func Example() {
	msg := []byte("a message of any length")
	sig, err := schnorr.Sign(key(), msg, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(schnorr.Verify(key().PublicKey().XOnly(), msg, sig[:]))
	// Output: true
}

// If the auxiliary randomness is all zeros, signatures are deterministic.
func ExampleSign() {
	sig, err := schnorr.Sign(key(), make([]byte, 32), &schnorr.Options{AuxRand: new([32]byte)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%X\n", sig[:schnorr.Size/2])
	fmt.Printf("%X\n", sig[schnorr.Size/2:])
	// Output:
	// E907831F80848D1069A5371B402410364BDF1C5F8307B0084C55F1CE2DCA8215
	// 25F66A4A85EA8B71E482A74F382D2CE5EBEEE8FDB2172F477DF4900D310536C0
}

// With Checked, a signature that was computed wrongly is not returned. Fresh randomness keeps the key secret even if an
// error in the nonce goes undetected.
func ExampleOptions_checked() {
	msg := []byte("a message of any length")
	sig, err := schnorr.Sign(key(), msg, &schnorr.Options{Checked: true})
	if errors.Is(err, p256k1.ErrFault) {
		log.Fatal("not to be signed with this machine: ", err)
	} else if err != nil {
		log.Fatal(err)
	}
	fmt.Println(schnorr.Verify(key().PublicKey().XOnly(), msg, sig[:]))
	// Output: true
}

// A Nostr event is verified from its public key, id and signature as bytes.
func ExampleVerifyBytes() {
	pub := key().PublicKey().XOnly().Bytes()
	id := sha256.Sum256([]byte(`[0,"` + hex.EncodeToString(pub) + `",1700000000,1,[],"hello"]`))
	sig, err := schnorr.Sign(key(), id[:], nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(schnorr.VerifyBytes(pub, id[:], sig[:]))
	fmt.Println(schnorr.VerifyBytes(pub[:31], id[:], sig[:]))
	// Output:
	// true
	// false
}

// This is the tweak of BIP-341 for an output key without scripts.
func ExampleTaggedHash() {
	x := key().PublicKey().XOnly()
	tweak := schnorr.TaggedHash("TapTweak", x.Bytes())
	output, err := x.TweakAdd(tweak[:])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", tweak)
	fmt.Printf("%x\n", output.XOnly().Bytes())
	// Output:
	// 965a70e32ca36371d64d9942813b6e96e42498e4483c319cd4316cbc53485c82
	// 418c46636d9e1a683f58e35b42336e776fdcc3b2d4e39e7a0bf1ab0716e3c5fa
}

// A protocol that uses a tag many times hashes the name of the tag only once.
func ExampleTag() {
	tag := schnorr.NewTag("TapBranch")
	left, right := make([]byte, 32), make([]byte, 32)
	fmt.Println(tag.Sum(left, right) == schnorr.TaggedHash("TapBranch", left, right))
	// Output: true
}

// A signature (R, s) is valid if s·G − e·P = R, where e is the challenge.
func ExampleChallenge() {
	pub, msg := key().PublicKey().XOnly(), []byte("a message")
	sig, err := schnorr.Sign(key(), msg, nil)
	if err != nil {
		log.Fatal(err)
	}
	s, err := new(curve.Scalar).SetBytes(sig[32:])
	if err != nil {
		log.Fatal(err)
	}
	e := schnorr.Challenge(sig[:32], pub.Bytes(), msg)
	R := new(curve.Point).DoubleScalarBaseMultVartime(e.Negate(&e), pub.Point(), s).Normalize()
	x, err := R.BytesX()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(bytes.Equal(x, sig[:32]), R.IsYOdd())
	// Output: true 0
}

// A Signer can be used wherever the standard library accepts a crypto.MessageSigner.
func ExampleSigner() {
	var signer crypto.MessageSigner = schnorr.NewSigner(key(), nil)
	msg := []byte("a message")
	sig, err := signer.SignMessage(rand.Reader, msg, crypto.Hash(0))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(schnorr.Verify(key().PublicKey().XOnly(), msg, sig))
	// Output: true
}

// A checked Signer verifies each signature before it returns it, and implements crypto.MessageSigner too.
func ExampleNewSigner() {
	var signer crypto.MessageSigner = schnorr.NewSigner(key(), &schnorr.Options{Checked: true})
	msg := []byte("a message")
	sig, err := signer.SignMessage(rand.Reader, msg, crypto.Hash(0))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(schnorr.Verify(key().PublicKey().XOnly(), msg, sig))
	// Output: true
}

// Signatures of Bitcoin transactions and of Nostr events are signatures of a digest.
func ExampleSigner_Sign() {
	s := schnorr.NewSigner(key(), nil)
	digest := sha256.Sum256([]byte("a message"))
	sig, err := s.Sign(nil, digest[:], crypto.SHA256)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(schnorr.Verify(s.Public().(*p256k1.XOnlyPublicKey), digest[:], sig))

	sig, err = s.SignMessage(nil, []byte("a message"), crypto.SHA256)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(schnorr.Verify(s.Public().(*p256k1.XOnlyPublicKey), digest[:], sig))
	// Output:
	// true
	// true
}

// A relay verifies dozens or thousands of events together, and gets a verdict on each. To use all cores, give each
// goroutine its own Batch.
func ExampleBatch() {
	x := key().PublicKey().XOnly()
	var b schnorr.Batch
	for i := range 5 {
		msg := []byte{byte(i)}
		sig, err := schnorr.Sign(key(), msg, nil)
		if err != nil {
			log.Fatal(err)
		}
		if i == 3 {
			msg = nil
		}
		if i%2 == 0 {
			b.Add(x.Bytes(), msg, sig[:])
		} else {
			b.AddKey(x, msg, sig[:]) // the key is already parsed
		}
	}
	if !b.Verify() {
		fmt.Println(b.Invalid(nil), "of", b.Len())
	}
	b.Reset() // for the next events
	fmt.Println(b.Len())
	// Output:
	// [3] of 5
	// 0
}

// Many goroutines, such as those of a server's connections, verify with one Pool.
func ExamplePool() {
	msg := []byte("a message of any length")
	sig, err := schnorr.Sign(key(), msg, nil)
	if err != nil {
		log.Fatal(err)
	}
	var pool schnorr.Pool
	var all sync.WaitGroup
	verdicts := make([]bool, 100)
	for i := range verdicts {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			valid, err := pool.Verify(ctx, key().PublicKey().XOnly().Bytes(), msg, sig[:])
			if err != nil { // the time is over
				log.Fatal(err)
			}
			verdicts[i] = valid
		})
	}
	all.Wait()
	fmt.Println(slices.Index(verdicts, false))
	// Output: -1
}

// Many messages are signed in one call, by one key or by several.
func ExampleSignBatch() {
	keys := []*p256k1.PrivateKey{key(), key()}
	msgs := [][]byte{[]byte("one"), []byte("another")}
	sigs := make([][64]byte, 2)
	if err := schnorr.SignBatch(sigs, keys, msgs, nil); err != nil {
		log.Fatal(err)
	}
	for i, sig := range sigs {
		fmt.Println(schnorr.Verify(keys[i].PublicKey().XOnly(), msgs[i], sig[:]))
	}

	keys[1] = new(p256k1.PrivateKey) // a key that was never set
	err := schnorr.SignBatch(sigs, keys, msgs, nil)
	fmt.Println(errors.Is(err, p256k1.ErrNoKey), err)
	fmt.Println(schnorr.Verify(keys[0].PublicKey().XOnly(), msgs[0], sigs[0][:]), sigs[1] == [64]byte{})
	// Output:
	// true
	// true
	// true p256k1: private key: no key: nil, wiped or never set (index 1)
	// true true
}

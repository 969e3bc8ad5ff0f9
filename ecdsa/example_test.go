package ecdsa_test

import (
	"crypto"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"log"

	"p256k1.mleku.dev"
	"p256k1.mleku.dev/curve"
	"p256k1.mleku.dev/ecdsa"
)

func fromHex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		log.Fatal(err)
	}
	return b
}

// key is the private key 1, which is everybody's.
func key() *p256k1.PrivateKey {
	k, err := p256k1.NewPrivateKey(append(make([]byte, 31), 1))
	if err != nil {
		log.Fatal(err)
	}
	return k
}

func Example() {
	digest := sha256.Sum256([]byte("Satoshi Nakamoto"))
	sig, err := ecdsa.Sign(key(), digest[:])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", sig.DER())
	fmt.Println(ecdsa.Verify(key().PublicKey(), digest[:], sig))

	// Output:
	// 3045022100934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d802202442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5
	// true
}

// Extra entropy makes the signatures of a digest different; all are valid.
func ExampleSignWithEntropy() {
	digest := sha256.Sum256([]byte("a message"))
	var entropy [32]byte
	rand.Read(entropy[:])
	sig, err := ecdsa.SignWithEntropy(key(), digest[:], &entropy)
	if err != nil {
		log.Fatal(err)
	}
	plain, err := ecdsa.Sign(key(), digest[:])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ecdsa.Verify(key().PublicKey(), digest[:], sig), sig == plain)

	_, err = ecdsa.Sign(key(), nil)
	fmt.Println(errors.Is(err, ecdsa.ErrDigest), err)

	// Output:
	// true false
	// true ecdsa: empty digest
}

// A server that signs for years meets memory that errs. If the key was made wrongly,
// its public key is not the expected one; if a signature is, no one gets it.
func ExampleSignChecked() {
	k := key()
	if !k.PublicKey().Equal(publicKey()) {
		log.Fatal("the key was read wrongly")
	}
	digest := sha256.Sum256([]byte("Satoshi Nakamoto"))
	var entropy [32]byte
	rand.Read(entropy[:])
	sig, err := ecdsa.SignChecked(k, digest[:], &entropy)
	if errors.Is(err, p256k1.ErrFault) {
		log.Fatal("not to be signed with this machine: ", err)
	} else if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ecdsa.Verify(publicKey(), digest[:], sig.Signature()))
	// Output: true
}

// publicKey is the public key of key, as it is known elsewhere.
func publicKey() *p256k1.PublicKey {
	p, err := p256k1.NewPublicKeyFromPoint(new(curve.Point).SetGenerator())
	if err != nil {
		log.Fatal(err)
	}
	return p
}

// Everybody can negate the s of a signature, and who takes signatures for
// identities should not accept that.
func ExampleVerifyLowS() {
	digest := sha256.Sum256([]byte("a message"))
	sig, err := ecdsa.Sign(key(), digest[:])
	if err != nil {
		log.Fatal(err)
	}
	// n − s in place of s.
	rs := sig.Bytes()
	s, err := new(curve.Scalar).SetBytes(rs[32:])
	if err != nil {
		log.Fatal(err)
	}
	high, err := ecdsa.ParseCompact(append(rs[:32], s.Negate(s).Bytes()...))
	if err != nil {
		log.Fatal(err)
	}
	pub := key().PublicKey()
	fmt.Println(sig.IsLowS(), ecdsa.Verify(pub, digest[:], sig), ecdsa.VerifyLowS(pub, digest[:], sig))
	fmt.Println(high.IsLowS(), ecdsa.Verify(pub, digest[:], high), ecdsa.VerifyLowS(pub, digest[:], high))
	fmt.Println(high.NormalizeS() == sig)

	// Output:
	// true true true
	// false true false
	// true
}

func ExampleParseDER() {
	sig, err := ecdsa.ParseDER(fromHex("3006020101020102"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", sig.Bytes())

	for _, s := range []string{"300702020001020102", "300602010102010200", "3006020101020100"} {
		_, err := ecdsa.ParseDER(fromHex(s))
		fmt.Println(errors.Is(err, ecdsa.ErrDER), errors.Is(err, ecdsa.ErrRange), err)
	}

	// Output:
	// 00000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000000000000000000000000000000000000002
	// true false ecdsa: signature: not strict DER: at byte 4: r has a superfluous leading zero
	// true false ecdsa: signature: not strict DER: at byte 1: length 6 of the sequence, but 7 bytes follow
	// false true ecdsa: signature: s out of range: not in [1, n-1]
}

func ExampleParseCompact() {
	sig, err := ecdsa.ParseCompact(fromHex("934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d82442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5"))
	if err != nil {
		log.Fatal(err)
	}
	digest := sha256.Sum256([]byte("Satoshi Nakamoto"))
	fmt.Println(ecdsa.Verify(key().PublicKey(), digest[:], sig))

	_, err = ecdsa.ParseCompact(make([]byte, 63))
	fmt.Println(errors.Is(err, ecdsa.ErrLength), err)

	var none ecdsa.Signature
	fmt.Println(ecdsa.Verify(key().PublicKey(), digest[:], none))

	// Output:
	// true
	// true ecdsa: signature: wrong length: 63 bytes, want 64
	// false
}

// Recover finds a key for almost every signature: what has to be checked is that
// it is the right one.
func ExampleRecover() {
	digest := sha256.Sum256([]byte("a message"))
	sig, err := ecdsa.SignRecoverable(key(), digest[:])
	if err != nil {
		log.Fatal(err)
	}
	pub, err := ecdsa.Recover(digest[:], sig)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(pub.Equal(key().PublicKey()), ecdsa.Verify(pub, digest[:], sig.Signature()))

	other := sha256.Sum256([]byte("another message"))
	pub, err = ecdsa.Recover(other[:], sig)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(pub.Equal(key().PublicKey()))

	_, err = ecdsa.Recover(digest[:], ecdsa.RecoverableSignature{})
	fmt.Println(errors.Is(err, ecdsa.ErrRecover), err)

	// Output:
	// true true
	// false
	// true ecdsa: no public key recoverable: r or s is zero
}

// Ethereum adds 27 to the recovery id of what wallets sign.
func ExampleParseRecoverable() {
	digest := sha256.Sum256([]byte("a message")) // Ethereum takes Keccak-256
	sig, err := ecdsa.SignRecoverable(key(), digest[:])
	if err != nil {
		log.Fatal(err)
	}
	sent := sig.Bytes()
	sent[64] += 27

	_, err = ecdsa.ParseRecoverable(sent)
	fmt.Println(errors.Is(err, ecdsa.ErrRecoveryID), err)
	sent[64] -= 27
	received, err := ecdsa.ParseRecoverable(sent)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(received == sig, received.RecoveryID())

	// Output:
	// true ecdsa: recoverable signature: invalid recovery id: v = 27, want 0 to 3
	// true 0
}

// A signed message of Bitcoin: base64, with a header byte.
func ExampleParseRecoverableBitcoin() {
	// Both texts have their length before them, 24 and 16 bytes.
	once := sha256.Sum256([]byte("\x18Bitcoin Signed Message:\n" + "\x10vires is numeris"))
	digest := sha256.Sum256(once[:])

	sig, err := ecdsa.SignRecoverable(key(), digest[:])
	if err != nil {
		log.Fatal(err)
	}
	encoded := base64.StdEncoding.EncodeToString(sig.BytesBitcoin(true))
	fmt.Println(encoded)

	decoded, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		log.Fatal(err)
	}
	sig, compressed, err := ecdsa.ParseRecoverableBitcoin(decoded)
	if err != nil {
		log.Fatal(err)
	}
	pub, err := ecdsa.Recover(digest[:], sig)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(compressed, pub.Equal(key().PublicKey()))

	// Output:
	// IF8nHqFr3K2UKYahhX3soVeoW8W1ECNbr0wfck7lzyXjCS5Q16Ek45zyBuy1Fiy9sTPKVgsqqOuPvbycuVSSVl8=
	// true true
}

// A Signer goes wherever the standard library takes a crypto.Signer.
func ExampleSigner() {
	var signer crypto.Signer = ecdsa.NewSigner(key())
	der, err := crypto.SignMessage(signer, rand.Reader, []byte("a message"), crypto.SHA256)
	if err != nil {
		log.Fatal(err)
	}
	digest := sha256.Sum256([]byte("a message"))
	sig, err := ecdsa.ParseDER(der)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ecdsa.VerifyLowS(key().PublicKey(), digest[:], sig))
	// Output: true
}

// Where a crypto.Signer is asked for, checking is a matter of which one is passed.
func ExampleNewCheckedSigner() {
	var signer crypto.Signer = ecdsa.NewCheckedSigner(key())
	digest := sha256.Sum256([]byte("a message"))
	der, err := signer.Sign(rand.Reader, digest[:], crypto.SHA256)
	if err != nil {
		log.Fatal(err)
	}
	sig, err := ecdsa.ParseDER(der)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ecdsa.Verify(key().PublicKey(), digest[:], sig))
	// Output: true
}

// Without randomness the nonce is that of RFC 6979 alone.
func ExampleSigner_Sign() {
	s := ecdsa.NewSigner(key())
	digest := sha256.Sum256([]byte("Satoshi Nakamoto"))
	der, err := s.Sign(nil, digest[:], crypto.SHA256)
	if err != nil {
		log.Fatal(err)
	}
	sig, err := ecdsa.Sign(key(), digest[:])
	if err != nil {
		log.Fatal(err)
	}
	parsed, err := ecdsa.ParseDER(der)
	fmt.Println(err, parsed == sig, key().PublicKey().Equal(s.Public()))
	// Output: <nil> true true
}

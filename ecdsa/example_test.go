package ecdsa_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/ecdsa"
)

func fromHex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		log.Fatal(err)
	}
	return b
}

// key returns the private key 1, which everybody knows.
func key() *p256k1.PrivateKey {
	k, err := p256k1.ParsePrivateKey(append(make([]byte, 31), 1))
	if err != nil {
		log.Fatal(err)
	}
	return k
}

func Example() {
	digest := sha256.Sum256([]byte("Satoshi Nakamoto"))
	sig, err := ecdsa.Sign(key(), digest[:], nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", sig.DER())
	fmt.Println(ecdsa.Verify(key().PublicKey(), digest[:], sig))

	// Output:
	// 3045022100934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d802202442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5
	// true
}

// A recoverable signature is 65 bytes or 130 digits. The first 64 bytes, or 128 digits, are the signature without the
// recovery id.
func ExampleRecoverableSignature_AppendText() {
	digest := sha256.Sum256([]byte("a message"))
	recoverable, err := ecdsa.SignRecoverable(key(), digest[:], nil)
	if err != nil {
		log.Fatal(err)
	}
	sig := recoverable.Signature()
	fmt.Println(recoverable.String() == sig.String()+"00")

	line, err := recoverable.AppendText([]byte("sig="))
	if err != nil {
		log.Fatal(err)
	}
	short, err := sig.AppendText([]byte("sig="))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(line), len(short))

	record, err := recoverable.AppendBinary(digest[:])
	if err != nil {
		log.Fatal(err)
	}
	record, err = sig.AppendBinary(record)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(record))

	// Output:
	// true
	// 134 132
	// 161
}

// Extra entropy gives different signatures of the same digest. All of them are valid.
func ExampleOptions_entropy() {
	digest := sha256.Sum256([]byte("a message"))
	var entropy [32]byte
	rand.Read(entropy[:])
	sig, err := ecdsa.Sign(key(), digest[:], &ecdsa.Options{Entropy: &entropy})
	if err != nil {
		log.Fatal(err)
	}
	plain, err := ecdsa.Sign(key(), digest[:], nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ecdsa.Verify(key().PublicKey(), digest[:], sig), sig == plain)

	// Output: true false
}

// VerifyDER takes keys and signatures as bytes, as they come from the network.
func ExampleVerifyDER() {
	digest := sha256.Sum256([]byte("a message"))
	pub := fromHex("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
	sig, err := ecdsa.Sign(key(), digest[:], nil)
	if err != nil {
		log.Fatal(err)
	}
	der := sig.DER()
	fmt.Println(ecdsa.VerifyDER(pub, digest[:], der), ecdsa.VerifyDER(pub, digest[:], der[1:]))

	// Output: true false
}

// Some protocols encode signatures as 64 bytes: r and s.
func ExampleVerifyCompact() {
	digest := sha256.Sum256([]byte("a message"))
	pub := fromHex("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
	sig, err := ecdsa.Sign(key(), digest[:], nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ecdsa.VerifyCompact(pub, digest[:], sig.Bytes()))

	// Output: true
}

// Some protocols hash with SHA-512 or SHA-1. Sign refuses digests that are not 32 bytes long, because they may be
// messages, and a truncated message must not be signed.
func ExampleTruncateHash() {
	hash := sha512.Sum512([]byte("a message"))
	_, err := ecdsa.Sign(key(), hash[:], nil)
	fmt.Println(errors.Is(err, p256k1.ErrLength), err)

	digest := ecdsa.TruncateHash(hash[:])
	sig, err := ecdsa.Sign(key(), digest, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ecdsa.Verify(key().PublicKey(), digest, sig))

	// If the options name the hash function, a Signer calls TruncateHash itself.
	der, err := ecdsa.NewSigner(key(), nil).Sign(nil, hash[:], crypto.SHA512)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(bytes.Equal(der, sig.DER()))

	// Output:
	// true ecdsa: digest: wrong length: 64 bytes, want 32: hash messages first; for other hashes see TruncateHash
	// true
	// true
}

// Signatures have a text form for JSON and logs: r‖s or r‖s‖v in hexadecimal.
func ExampleSignature_UnmarshalText() {
	type row struct {
		Digest string
		Sig    ecdsa.Signature
	}
	digest := sha256.Sum256([]byte("Satoshi Nakamoto"))
	sig, err := ecdsa.Sign(key(), digest[:], nil)
	if err != nil {
		log.Fatal(err)
	}
	b, err := json.Marshal(row{"Satoshi Nakamoto", sig})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", b)

	var read row
	if err := json.Unmarshal(b, &read); err != nil {
		log.Fatal(err)
	}
	fmt.Println(read.Sig == sig)

	err = read.Sig.UnmarshalText([]byte("0x" + sig.String()))
	fmt.Println(errors.Is(err, p256k1.ErrHex), err, read.Sig == sig)
	_, err = json.Marshal(row{"never signed", ecdsa.Signature{}})
	fmt.Println(errors.Is(err, p256k1.ErrRange))

	// Output:
	// {"Digest":"Satoshi Nakamoto","Sig":"934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d82442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5"}
	// true
	// true ecdsa: signature: not lower-case hexadecimal: begins with 0x true
	// true
}

// A server that runs for years encounters memory errors. An error in the private key shows in its public key, which the
// program compares with the expected one. With Checked, a wrong signature is not returned.
func ExampleOptions_checked() {
	k := key()
	if !k.PublicKey().Equal(publicKey()) {
		log.Fatal("the key was read wrongly")
	}
	digest := sha256.Sum256([]byte("Satoshi Nakamoto"))
	var entropy [32]byte
	rand.Read(entropy[:])
	sig, err := ecdsa.Sign(k, digest[:], &ecdsa.Options{Entropy: &entropy, Checked: true})
	if errors.Is(err, p256k1.ErrFault) {
		log.Fatal("not to be signed with this machine: ", err)
	} else if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ecdsa.Verify(publicKey(), digest[:], sig))
	// Output: true
}

// publicKey returns the public key of key, as if it came from another source.
func publicKey() *p256k1.PublicKey {
	p, err := p256k1.NewPublicKey(new(curve.Point).SetGenerator())
	if err != nil {
		log.Fatal(err)
	}
	return p
}

// Anyone can replace the s of a signature by n − s. Programs that identify things by their signatures should not accept
// a high s.
func ExampleVerifyLowS() {
	digest := sha256.Sum256([]byte("a message"))
	sig, err := ecdsa.Sign(key(), digest[:], nil)
	if err != nil {
		log.Fatal(err)
	}
	// The other signature has n − s in place of s.
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
		fmt.Println(errors.Is(err, ecdsa.ErrDER), errors.Is(err, p256k1.ErrRange), err)
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
	fmt.Println(errors.Is(err, p256k1.ErrLength), err)

	var none ecdsa.Signature
	fmt.Println(ecdsa.Verify(key().PublicKey(), digest[:], none))

	// Output:
	// true
	// true ecdsa: signature: wrong length: 63 bytes, want 64
	// false
}

// About half of all signatures give some key, so programs must compare the key with the expected one.
func ExampleRecover() {
	digest := sha256.Sum256([]byte("a message"))
	sig, err := ecdsa.SignRecoverable(key(), digest[:], nil)
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

func ExampleParseRecoverable() {
	digest := sha256.Sum256([]byte("a message"))
	sig, err := ecdsa.SignRecoverable(key(), digest[:], nil)
	if err != nil {
		log.Fatal(err)
	}
	received, err := ecdsa.ParseRecoverable(sig.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(received == sig, received.RecoveryID())

	_, err = ecdsa.ParseRecoverable(sig.BytesEthereum())
	fmt.Println(errors.Is(err, ecdsa.ErrRecoveryID), err)

	// Output:
	// true 0
	// true ecdsa: recoverable signature: invalid recovery id: v = 27, want 0 to 3
}

// A wallet returned this signature for personal_sign or eth_signTypedData_v4. The digest is the Keccak-256 hash of the
// message as EIP-191 or EIP-712 encodes it. The address is computed from the key, also with Keccak-256.
func ExampleParseRecoverableEthereum() {
	digest := sha256.Sum256([]byte("a message")) // in place of Keccak-256
	sig, err := ecdsa.SignRecoverable(key(), digest[:], nil)
	if err != nil {
		log.Fatal(err)
	}
	sent := sig.BytesEthereum()
	fmt.Println("v =", sent[64])

	received, err := ecdsa.ParseRecoverableEthereum(sent)
	if err != nil {
		log.Fatal(err)
	}
	pub, err := ecdsa.Recover(digest[:], received)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(received == sig, pub.Equal(key().PublicKey()))

	sent[64] = 37 // as in a transaction with chain id 1
	_, err = ecdsa.ParseRecoverableEthereum(sent)
	fmt.Println(errors.Is(err, ecdsa.ErrRecoveryID), err)

	// Output:
	// v = 27
	// true true
	// true ecdsa: Ethereum signature: invalid recovery id: v = 37, want 0, 1, 27 or 28; with the chain id of a transaction (EIP-155), take (v-35) mod 2 instead
}

// Contracts take signatures in 64 bytes (ERC-2098) because calldata costs gas.
func ExampleParseRecoverableERC2098() {
	digest := sha256.Sum256([]byte("a message")) // in place of Keccak-256
	sig, err := ecdsa.SignRecoverable(key(), digest[:], nil)
	if err != nil {
		log.Fatal(err)
	}
	sent, err := sig.BytesERC2098()
	if err != nil {
		log.Fatal(err)
	}
	received, err := ecdsa.ParseRecoverableERC2098(sent)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(sent), received == sig)

	_, err = ecdsa.ParseRecoverableERC2098(sig.BytesEthereum())
	fmt.Println(errors.Is(err, p256k1.ErrLength))

	// Output:
	// 64 true
	// true
}

// A device returns signatures whose s may be high. NormalizeS changes s and the recovery id together.
func ExampleRecoverableSignature_NormalizeS() {
	digest := sha256.Sum256([]byte("a message"))
	sig, err := ecdsa.SignRecoverable(key(), digest[:], nil)
	if err != nil {
		log.Fatal(err)
	}
	s, err := new(curve.Scalar).SetBytes(sig.Bytes()[32:64])
	if err != nil {
		log.Fatal(err)
	}
	device := append(sig.Bytes()[:32], s.Negate(s).Bytes()...)
	high, err := ecdsa.ParseRecoverable(append(device, byte(1^sig.RecoveryID())))
	if err != nil {
		log.Fatal(err)
	}

	low := high.NormalizeS()
	pub, err := ecdsa.Recover(digest[:], low)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(high.Signature().IsLowS(), low.Signature().IsLowS(), low == sig, pub.Equal(key().PublicKey()))

	// Output: false true true true
}

// Bitcoin's signed messages have signatures in base64, with a header byte.
func ExampleParseRecoverableBitcoin() {
	// Each of the two texts is preceded by a byte with its length, 24 or 16.
	once := sha256.Sum256([]byte("\x18Bitcoin Signed Message:\n" + "\x10vires is numeris"))
	digest := sha256.Sum256(once[:])

	sig, err := ecdsa.SignRecoverable(key(), digest[:], nil)
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

// A Signer can be used wherever the standard library accepts a crypto.Signer.
func ExampleSigner() {
	var signer crypto.Signer = ecdsa.NewSigner(key(), nil)
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

// A checked Signer verifies each signature before it returns it, and implements crypto.Signer too.
func ExampleNewSigner() {
	var signer crypto.Signer = ecdsa.NewSigner(key(), &ecdsa.Options{Checked: true})
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

// Without randomness the nonce is deterministic (RFC 6979).
func ExampleSigner_Sign() {
	s := ecdsa.NewSigner(key(), nil)
	digest := sha256.Sum256([]byte("Satoshi Nakamoto"))
	der, err := s.Sign(nil, digest[:], crypto.SHA256)
	if err != nil {
		log.Fatal(err)
	}
	sig, err := ecdsa.Sign(key(), digest[:], nil)
	if err != nil {
		log.Fatal(err)
	}
	parsed, err := ecdsa.ParseDER(der)
	fmt.Println(err, parsed == sig, key().PublicKey().Equal(s.Public()))
	// Output: <nil> true true
}

// A block contains many signatures. The batch reports which of them are invalid, with the same verdicts as Verify.
func ExampleBatch() {
	var digests, ders [][]byte
	for i := range 5 {
		digest := sha256.Sum256([]byte{byte(i)})
		sig, err := ecdsa.Sign(key(), digest[:], nil)
		if err != nil {
			log.Fatal(err)
		}
		digests, ders = append(digests, digest[:]), append(ders, sig.DER())
	}
	ders[1] = ders[2]
	ders[3] = ders[3][1:]

	b := ecdsa.Batch{LowSOnly: true}
	for i, der := range ders {
		b.AddDER(key().PublicKey().Bytes(), digests[i], der) // an item with malformed DER is invalid
	}
	sig, err := ecdsa.ParseDER(ders[0])
	if err != nil {
		log.Fatal(err)
	}
	b.Add([]byte("no key"), digests[0], sig)
	fmt.Println(b.Len(), b.Verify(), b.Invalid(nil))

	b.Reset()
	b.AddKey(key().PublicKey(), digests[0], sig) // the key is already parsed
	fmt.Println(b.Len(), b.Verify(), b.Invalid(nil))

	// Output:
	// 6 false [1 3 5]
	// 1 true []
}

// The public keys of the senders are recovered from the signatures of many transactions.
func ExampleRecoverBatch() {
	digests := make([][]byte, 3)
	sigs := make([]ecdsa.RecoverableSignature, 3)
	for i := range 2 { // the third signature stays the zero value
		digest := sha256.Sum256([]byte{byte(i)})
		sig, err := ecdsa.SignRecoverable(key(), digest[:], nil)
		if err != nil {
			log.Fatal(err)
		}
		digests[i], sigs[i] = digest[:], sig
	}
	keys := make([]p256k1.PublicKey, 3)
	err := ecdsa.RecoverBatch(keys, digests, sigs)
	var failures p256k1.Failures
	if errors.As(err, &failures) {
		fmt.Println(failures[0].Index, errors.Is(failures[0], p256k1.ErrLength))
	}
	fmt.Println(keys[0].Equal(key().PublicKey()), keys[1].Equal(key().PublicKey()), keys[2])
	// Output:
	// 2 true
	// true true p256k1.PublicKey(unset)
}

// Many digests are signed in one call, by one key or by several.
func ExampleSignBatch() {
	keys := []*p256k1.PrivateKey{key(), key()}
	one, two := sha256.Sum256([]byte("one")), sha256.Sum256([]byte("two"))
	sigs := make([]ecdsa.Signature, 2)
	if err := ecdsa.SignBatch(sigs, keys, [][]byte{one[:], two[:]}, nil); err != nil {
		log.Fatal(err)
	}
	sig, err := ecdsa.Sign(key(), two[:], nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sigs[1] == sig)

	err = ecdsa.SignBatch(sigs, keys, [][]byte{one[:], []byte("two")}, nil)
	fmt.Println(errors.Is(err, p256k1.ErrLength), err)
	// Output:
	// true
	// true ecdsa: digest: wrong length: 3 bytes, want 32: hash messages first; for other hashes see TruncateHash (index 1)
}

// Many goroutines, such as those of a server's requests, verify with one Pool.
func ExamplePool() {
	digest := sha256.Sum256([]byte("a message"))
	sig, err := ecdsa.Sign(key(), digest[:], nil)
	if err != nil {
		log.Fatal(err)
	}
	var pool ecdsa.Pool
	verify := func(ctx context.Context) {
		pub := key().PublicKey().Bytes()
		fmt.Println(pool.VerifyDER(ctx, pub, digest[:], sig.DER()))
		fmt.Println(pool.VerifyCompact(ctx, pub, digest[:], sig.Bytes()))
	}
	ctx, cancel := context.WithCancel(context.Background())
	verify(ctx)
	cancel()
	verify(ctx)
	// Output:
	// true <nil>
	// true <nil>
	// false context canceled
	// false context canceled
}

// Each signature of a batch is checked for hardware errors, and has a recovery id.
func ExampleSignRecoverableBatch() {
	keys := []*p256k1.PrivateKey{key(), key()}
	one, two := sha256.Sum256([]byte("one")), sha256.Sum256([]byte("two"))
	sigs := make([]ecdsa.RecoverableSignature, 2)
	if err := ecdsa.SignRecoverableBatch(sigs, keys, [][]byte{one[:], two[:]}, &ecdsa.Options{Checked: true}); err != nil {
		log.Fatal(err)
	}
	pub, err := ecdsa.Recover(two[:], sigs[1])
	fmt.Println(err, pub.Equal(key().PublicKey()))
	// Output: <nil> true
}

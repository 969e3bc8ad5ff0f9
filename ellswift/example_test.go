package ellswift_test

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"log"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ellswift"
)

// At the beginning of a BIP-324 connection, both sides send 64 bytes that look random.
func Example() {
	alice, fromAlice, err := ellswift.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	bob, fromBob, err := ellswift.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	// Alice is the initiator. Computing the secret wipes the key.
	secret, err := alice.ECDH(&fromBob, true)
	if err != nil {
		log.Fatal(err)
	}
	same, err := bob.ECDH(&fromAlice, false)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(secret == same)
	_, err = alice.ECDH(&fromBob, true)
	fmt.Println(err)
	// Output:
	// true
	// ellswift: private key: no key: used, wiped or never set
}

// An existing private key and an encoding of its public key are used in a protocol that hashes x in its own way.
func ExamplePrivateKey_X() {
	priv, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	var random [32]byte
	rand.Read(random[:])
	ours, err := ellswift.Encode(priv.PublicKey(), &random)
	if err != nil {
		log.Fatal(err)
	}
	key, err := ellswift.NewPrivateKey(priv, &ours)
	if err != nil {
		log.Fatal(err)
	}
	peer, theirs, err := ellswift.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	hash := func(x [32]byte) [32]byte {
		return sha256.Sum256(append(append([]byte("a protocol"), ours[:]...), append(theirs[:], x[:]...)...))
	}
	x, err := key.X(&theirs)
	if err != nil {
		log.Fatal(err)
	}
	same, err := peer.X(&ours)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hash(x) == hash(same))
	// Output: true
}

// A connection ends before its key is used, so the program wipes the key.
func ExamplePrivateKey_Zero() {
	key, _, err := ellswift.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	defer key.Zero()
}

// Any 64 bytes encode a key, such as 64 zeros.
func ExampleDecode() {
	var encoding [64]byte
	fmt.Println(ellswift.Decode(&encoding))
	// Output: 02edd1fd3e327ce90cc7a3542614289aee9682003e9cf7dcc9cf2ca9743be5aa0c
}

// Different random bytes give different encodings of the same key.
func ExampleEncode() {
	priv, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	one, err := ellswift.Encode(priv.PublicKey(), nil)
	if err != nil {
		log.Fatal(err)
	}
	two, err := ellswift.Encode(priv.PublicKey(), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(one == two, ellswift.Decode(&one).Equal(ellswift.Decode(&two)))
	// Output: false true
}

// An encoding that belongs to another key, perhaps the peer's, is refused.
func ExampleNewPrivateKey() {
	_, theirs, err := ellswift.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	priv, err := p256k1.GenerateKey()
	if err != nil {
		log.Fatal(err)
	}
	_, err = ellswift.NewPrivateKey(priv, &theirs)
	fmt.Println(errors.Is(err, ellswift.ErrEncoding), err)
	// Output: true ellswift: private key: encoding of another public key
}

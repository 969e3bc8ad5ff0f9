package secret_test

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"

	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/secret"
)

// A program computes with a scalar of package curve, and leaves neither the scalar nor traces of the computation.
func Example() {
	k := secret.New[curve.Scalar]()
	defer k.Zero()
	p := new(curve.Point) // public
	secret.Do(func() {
		seed := secret.Make[byte](32)
		defer clear(seed)
		rand.Read(seed) // never fails
		k.SetBytesReduced((*[32]byte)(seed))
		p.ScalarBaseMult(k)
	})
	fmt.Println(len(p.Bytes()), "bytes")
	// Output: 33 bytes
}

func ExampleDo() {
	password := []byte("correct horse battery staple")
	key := secret.New[[32]byte]()
	secret.Do(func() { *key = sha256.Sum256(password) }) // wipes the state of SHA-256
	fmt.Printf("%x\n", key[:4])
	secret.Zero(key)
	clear(password)
	// Output: c4bbcb1f
}

func ExampleNew() {
	key := secret.New[[32]byte]() // on the heap, although the pointer stays in this function
	defer secret.Zero(key)
	rand.Read(key[:])
	fmt.Println(len(key), "bytes")
	// Output: 32 bytes
}

func ExampleMake() {
	text := secret.Make[byte](200)[:0] // large enough, because append does not wipe the memory that it replaces
	defer func() { clear(text[:cap(text)]) }()
	text = fmt.Appendf(text, "secret number %d", 42)
	fmt.Println(len(text), cap(text))
	// Output: 16 200
}

func ExampleZero() {
	pair := secret.New[struct{ cipher, mac [32]byte }]()
	rand.Read(pair.cipher[:])
	rand.Read(pair.mac[:])
	secret.Zero(pair)
	fmt.Printf("%x %x\n", pair.cipher[:2], pair.mac[:2])
	// Output: 0000 0000
}

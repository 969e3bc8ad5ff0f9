//go:build cgo

// Command bitcoinfuzz makes the library a module of github.com/bitcoinfuzz/bitcoinfuzz, which runs many libraries on
// the same input and compares their results. It exports five C functions with the same parameters and results as the
// functions in bitcoinfuzz's module for Decred, except that a signature with high s is not valid, as in libsecp256k1.
// The C++ code of Decred's module can call the exported functions if the names are changed. This command builds the
// archive:
//
//	go build -buildmode=c-archive -tags=libfuzzer -gcflags=all=-d=libfuzzer -o libp256k1_wrapper.a ./tools/evidence/bitcoinfuzz
//
// A private key has 32 bytes. Most results are hexadecimal text, which the caller frees, or NULL for a key or digest
// that is not valid.
package main

/*
#include <stdlib.h>

typedef struct {
	char *data;
	int length;
} ByteArray;
*/
import "C"

import (
	"encoding/hex"
	"unsafe"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/tools/internal/must"
)

func main() {}

// P256k1PrivateToPublicKey returns the public key of a private key, in 33 bytes.
//
//export P256k1PrivateToPublicKey
func P256k1PrivateToPublicKey(key C.ByteArray) *C.char {
	return text(func() []byte { return private(key).PublicKey().Bytes() })
}

// P256k1SignCompact returns r and s of the signature of a digest of 32 bytes.
//
//export P256k1SignCompact
func P256k1SignCompact(key, digest C.ByteArray) *C.char {
	return text(func() []byte { return sign(key, digest).Bytes() })
}

// P256k1SignDER returns, in DER, the signature of a digest of 32 bytes.
//
//export P256k1SignDER
func P256k1SignDER(key, digest C.ByteArray) *C.char {
	return text(func() []byte { return sign(key, digest).DER() })
}

// P256k1SignVerify returns 1 if the DER signature of the digest is valid for the key's public key and has low s, as
// libsecp256k1 requires, and 0 otherwise.
//
//export P256k1SignVerify
func P256k1SignVerify(key, digest, der C.ByteArray) (valid C.int) {
	must.Catch(func() {
		sig := must.Get(ecdsa.ParseDER(bytes(der)))
		if ecdsa.VerifyLowS(private(key).PublicKey(), bytes(digest), sig) {
			valid = 1
		}
	})
	return valid
}

// P256k1ECDH returns the SHA-256 hash of the shared point in 33 bytes, or NULL if the public key is not valid.
//
//export P256k1ECDH
func P256k1ECDH(key, public C.ByteArray) *C.char {
	return text(func() []byte {
		sum := must.Get(ecdh.SHA256(private(key), must.Get(p256k1.ParsePublicKey(bytes(public)))))
		return sum[:]
	})
}

func private(key C.ByteArray) *p256k1.PrivateKey { return must.Get(p256k1.ParsePrivateKey(bytes(key))) }

func sign(key, digest C.ByteArray) ecdsa.Signature {
	return must.Get(ecdsa.Sign(private(key), bytes(digest), nil))
}

func bytes(b C.ByteArray) []byte { return C.GoBytes(unsafe.Pointer(b.data), b.length) }

// text returns the result of f in hexadecimal as a C string, or NULL if there is an error.
func text(f func() []byte) *C.char {
	var result []byte
	if err := must.Catch(func() { result = f() }); err != nil {
		return nil
	}
	return C.CString(hex.EncodeToString(result))
}

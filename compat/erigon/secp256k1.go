// Package secp256k1 takes the place of the package github.com/erigontech/secp256k1, version 1.3.0, which calls
// libsecp256k1 through cgo. Every function returns the same results and errors, except that ScalarMult returns nil for
// a point off the curve. With the line for go.mod that docs/drop-in.md gives, a program that imports Erigon's package
// gets this package. New programs should use p256k1.mleku.dev/v2 instead.
//
// Sign, ScalarMult and ScalarBaseMult are constant-time, except that the last two convert their results to integers of
// math/big. All other functions take variable time, because their arguments are public.
package secp256k1

import (
	"errors"
	"math/big"
	"runtime"

	p256k1 "p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
)

// The errors of this package. No function returns ErrInvalidPubkey. Sign returns ErrSignFailed with a probability below
// 2⁻²⁰³².
var (
	ErrInvalidMsgLen       = errors.New("invalid message length, need 32 bytes")
	ErrInvalidSignatureLen = errors.New("invalid signature length")
	ErrInvalidRecoveryID   = errors.New("invalid signature recovery id")
	ErrInvalidKey          = errors.New("invalid private key")
	ErrInvalidPubkey       = errors.New("invalid public key")
	ErrSignFailed          = errors.New("signing failed")
	ErrRecoverFailed       = errors.New("recovery failed")
)

// Context stands for a context of libsecp256k1, but is empty. Many goroutines may use one Context. The size of a
// Context is not zero, so that the pointers that NewContext and ContextForThread return differ from each other.
type Context struct{ _ byte }

// DefaultContext is the context of RecoverPubkey.
var DefaultContext = NewContext()

// threads has one element for each processor, because Erigon recovers the senders of transactions in as many
// goroutines.
var threads = make([]struct{}, runtime.NumCPU())

// NewContext returns a new context.
func NewContext() *Context { return new(Context) }

// NumOfContexts returns the number of processors when the program started.
func NumOfContexts() int { return len(threads) }

// ContextForThread returns a context. It panics unless 0 ≤ threadNo < NumOfContexts().
func ContextForThread(threadNo int) *Context {
	_ = threads[threadNo]
	return NewContext()
}

// Sign returns the signature r‖s‖v of msg, 65 bytes. msg is a 32-byte hash, and seckey a 32-byte big-endian integer in
// [1, n−1]. The nonce is derived by RFC 6979, s is at most (n−1)/2, and v is the recovery id in [0, 3]. The error is
// ErrInvalidMsgLen or ErrInvalidKey. Sign is constant-time. It wipes its copies of the key and the stack that it has
// used.
func Sign(msg []byte, seckey []byte) ([]byte, error) {
	if len(msg) != 32 {
		return nil, ErrInvalidMsgLen
	}
	key, err := p256k1.ParsePrivateKey(seckey)
	if err != nil {
		return nil, ErrInvalidKey
	}
	defer key.Zero()
	sig, err := ecdsa.SignRecoverable(key, msg, nil)
	if err != nil {
		return nil, ErrSignFailed
	}
	return sig.Bytes(), nil
}

// RecoverPubkey returns the public key, 65 bytes, for which sig is a valid signature of msg. msg is a 32-byte hash, and
// sig is r‖s‖v, 65 bytes, with v in [0, 3] and any s in [1, n−1]. The error is ErrInvalidMsgLen,
// ErrInvalidSignatureLen, ErrInvalidRecoveryID, or ErrRecoverFailed if there is no such key.
func RecoverPubkey(msg []byte, sig []byte) ([]byte, error) {
	return RecoverPubkeyWithContext(DefaultContext, msg, sig, nil)
}

// RecoverPubkeyWithContext appends the result of RecoverPubkey to pkbuf. It allocates nothing if pkbuf has a capacity
// of 65 bytes more than its length. pkbuf may overlap msg and sig. If context is nil, it panics, but only after it has
// accepted the lengths of msg and sig and the value of v.
func RecoverPubkeyWithContext(context *Context, msg []byte, sig []byte, pkbuf []byte) ([]byte, error) {
	if len(msg) != 32 {
		return nil, ErrInvalidMsgLen
	}
	if len(sig) != 65 {
		return nil, ErrInvalidSignatureLen
	}
	if sig[64] >= 4 {
		return nil, ErrInvalidRecoveryID
	}
	_ = *context
	s, err := ecdsa.ParseRecoverable(sig)
	if err != nil {
		return nil, ErrRecoverFailed
	}
	key, err := ecdsa.Recover(msg, s)
	if err != nil {
		return nil, ErrRecoverFailed
	}
	b := key.BytesUncompressed()
	if total := len(pkbuf) + len(b); cap(pkbuf) < total { // append would allocate more than is needed
		pkbuf = append(make([]byte, 0, total), pkbuf...)
	}
	return append(pkbuf, b...), nil
}

// VerifySignature reports whether signature, r‖s of 64 bytes, is a valid signature of the 32-byte hash msg by pubkey. s
// must be at most (n−1)/2. pubkey has 33 bytes, or 65 bytes that begin with 4, or with 6 or 7 for an even or odd y. The
// last form is not in SEC 1, but libsecp256k1 accepts it.
func VerifySignature(pubkey, msg, signature []byte) bool {
	s, err := ecdsa.ParseCompact(signature)
	if err != nil || !s.IsLowS() {
		return false
	}
	if len(pubkey) == 65 && pubkey[0] == 6|pubkey[64]&1 {
		var plain [65]byte
		copy(plain[:], pubkey)
		plain[0] = 4
		return ecdsa.VerifyCompact(plain[:], msg, signature)
	}
	return ecdsa.VerifyCompact(pubkey, msg, signature)
}

// DecompressPubkey returns the coordinates of the public key that pubkey encodes in 33 bytes, or nil if pubkey does not
// encode a key.
func DecompressPubkey(pubkey []byte) (x, y *big.Int) {
	if len(pubkey) != 33 {
		return nil, nil
	}
	key, err := p256k1.ParsePublicKey(pubkey)
	if err != nil {
		return nil, nil
	}
	return integers(key.BytesUncompressed())
}

// CompressPubkey returns the encoding of the public key (x, y) in 33 bytes. It panics if the last 32 bytes of x and y
// are not the coordinates of a point of the curve.
func CompressPubkey(x, y *big.Int) []byte {
	key, err := p256k1.ParsePublicKey(S256().Marshal(x, y))
	if err != nil {
		panic("libsecp256k1 error") // the text of Erigon's module, because programs may compare it
	}
	return key.Bytes()
}

// integers returns the coordinates of the point that b encodes in 65 bytes.
func integers(b []byte) (x, y *big.Int) {
	return new(big.Int).SetBytes(b[1:33]), new(big.Int).SetBytes(b[33:])
}

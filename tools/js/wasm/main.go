//go:build wasip1

// Command wasm is the library as a WebAssembly module for JavaScript, built with -buildmode=c-shared. Its functions
// work on one buffer in linear memory. ../p256k1.js is the only caller.
//
// The arguments of a call are in the buffer, one after another, and the function receives their lengths. The function
// writes its result to the beginning of the buffer, and returns the number of bytes. A negative number means an error,
// and its absolute value is the length of the error message. The caller wipes the buffer. The comment of each function
// names the arguments before an arrow, and the result after it.
package main

import (
	"crypto/sha256"
	"errors"
	"unsafe"

	p256k1 "p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdh"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/nostr/nip19"
	"p256k1.mleku.dev/v2/nostr/wire"
	"p256k1.mleku.dev/v2/schnorr"
	"p256k1.mleku.dev/v2/secret"
)

func main() {}

// buffer holds arguments and results.
var buffer []byte

// reserve makes a buffer of n bytes and returns its address. There must be room for the longest result and error
// message.
//
//go:wasmexport reserve
func reserve(n int32) unsafe.Pointer {
	buffer = make([]byte, n)
	return unsafe.Pointer(unsafe.SliceData(buffer))
}

// arguments are the bytes of the buffer that have not been read yet.
type arguments []byte

func (a *arguments) next(n int32) []byte {
	b := (*a)[:n:n]
	*a = (*a)[n:]
	return b
}

// result puts the result of a function into the buffer. b may be a part of the buffer.
func result(b []byte, err error) int32 {
	if err != nil {
		return -int32(copy(buffer, err.Error()))
	}
	return int32(copy(buffer, b))
}

// verdict is the result of a verification.
func verdict(good bool) int32 {
	if good {
		buffer[0] = 1
		return 1
	}
	return 0
}

// secretly calls f with the secret key that obtain returns, puts the result of f into the buffer, and leaves no other
// copy of the key or the result.
func secretly(obtain func() (*p256k1.PrivateKey, error), f func(*p256k1.PrivateKey) ([]byte, error)) (n int32) {
	secret.Do(func() {
		key, err := obtain()
		if err != nil {
			n = result(nil, err)
			return
		}
		defer key.Zero()
		b, err := f(key)
		n = result(b, err)
		clear(b)
	})
	return n
}

// withKey calls secretly with the secret key at the beginning of the buffer; the arguments follow the key.
func withKey(secretLen int32, f func(key *p256k1.PrivateKey, a arguments) ([]byte, error)) int32 {
	a := arguments(buffer)
	b := a.next(secretLen)
	return secretly(
		func() (*p256k1.PrivateKey, error) { return p256k1.ParsePrivateKey(b) },
		func(key *p256k1.PrivateKey) ([]byte, error) { return f(key, a) })
}

// keyBytes returns the 32 bytes of a secret key, for secretly.
func keyBytes(key *p256k1.PrivateKey) ([]byte, error) { return key.Bytes(), nil }

// generateKey: nothing → secret key.
//
//go:wasmexport generateKey
func generateKey() int32 { return secretly(p256k1.GenerateKey, keyBytes) }

// derive: secret key → compressed public key.
//
//go:wasmexport derive
func derive(secretLen int32) int32 {
	return withKey(secretLen, func(key *p256k1.PrivateKey, _ arguments) ([]byte, error) {
		return key.PublicKey().Bytes(), nil
	})
}

// encodeNpub: x-only public key → npub.
//
//go:wasmexport encodeNpub
func encodeNpub(publicLen int32) int32 {
	x, err := p256k1.ParseXOnlyPublicKey(buffer[:publicLen])
	if err != nil {
		return result(nil, err)
	}
	return result(nip19.AppendEncode(nil, nip19.Public, (*[32]byte)(x.Bytes())), nil)
}

// decodeNpub: npub → x-only public key.
//
//go:wasmexport decodeNpub
func decodeNpub(textLen int32) int32 {
	var x [32]byte
	err := nip19.Decode(&x, nip19.Public, buffer[:textLen])
	if err == nil {
		_, err = p256k1.ParseXOnlyPublicKey(x[:])
	}
	return result(x[:], err)
}

// encodeNsec: secret key → nsec.
//
//go:wasmexport encodeNsec
func encodeNsec(secretLen int32) int32 {
	return withKey(secretLen, func(key *p256k1.PrivateKey, _ arguments) ([]byte, error) {
		b := key.Bytes()
		defer clear(b)
		return nip19.AppendEncode(make([]byte, 0, 63), nip19.Secret, (*[32]byte)(b)), nil // with enough capacity, so that the text is never copied
	})
}

// decodeNsec: nsec → secret key.
//
//go:wasmexport decodeNsec
func decodeNsec(textLen int32) int32 {
	return secretly(func() (*p256k1.PrivateKey, error) {
		b := (*[32]byte)(buffer) // memory that Decode may write to
		if err := nip19.Decode(b, nip19.Secret, buffer[:textLen]); err != nil {
			return nil, err
		}
		return p256k1.ParsePrivateKey(b[:])
	}, keyBytes)
}

// encode: public key, which may be x-only; whether the result is uncompressed → public key.
//
//go:wasmexport encode
func encode(publicLen, uncompressed int32) int32 {
	public, err := publicKey(buffer[:publicLen])
	if uncompressed != 0 {
		return result(public.BytesUncompressed(), err)
	}
	return result(public.Bytes(), err)
}

// tweakSecret: secret key, tweak, whether the public key is x-only → their sum, a secret key.
//
//go:wasmexport tweakSecret
func tweakSecret(secretLen, tweakLen, xOnly int32) int32 {
	return withKey(secretLen, func(key *p256k1.PrivateKey, a arguments) ([]byte, error) {
		add := key.TweakAdd
		if xOnly != 0 {
			add = key.TweakAddXOnly
		}
		sum, err := add(a.next(tweakLen))
		defer sum.Zero()
		return sum.Bytes(), err
	})
}

// tweakPublic: public key, which may be x-only, tweak → sum of the key and the tweak's public key, compressed.
//
//go:wasmexport tweakPublic
func tweakPublic(publicLen, tweakLen int32) int32 {
	a := arguments(buffer)
	public, err := publicKey(a.next(publicLen))
	if err == nil {
		public, err = public.TweakAdd(a.next(tweakLen))
	}
	return result(public.Bytes(), err)
}

// signSchnorr: secret key, auxiliary randomness or nothing, message → signature.
//
//go:wasmexport signSchnorr
func signSchnorr(secretLen, auxLen, messageLen int32) int32 {
	return withKey(secretLen, func(key *p256k1.PrivateKey, a arguments) ([]byte, error) {
		var aux *[32]byte
		if b := a.next(auxLen); auxLen != 0 {
			aux = (*[32]byte)(b)
		}
		sig, err := schnorr.Sign(key, a.next(messageLen), &schnorr.Options{AuxRand: aux})
		return sig[:], err
	})
}

// verifySchnorr: x-only public key, signature, message → verdict.
//
//go:wasmexport verifySchnorr
func verifySchnorr(publicLen, sigLen, messageLen int32) int32 {
	a := arguments(buffer)
	public, sig := a.next(publicLen), a.next(sigLen)
	return verdict(schnorr.VerifyBytes(public, a.next(messageLen), sig))
}

// signRecoverable: secret key, digest → r‖s‖v.
//
//go:wasmexport signRecoverable
func signRecoverable(secretLen, digestLen int32) int32 {
	return withKey(secretLen, func(key *p256k1.PrivateKey, a arguments) ([]byte, error) {
		sig, err := ecdsa.SignRecoverable(key, a.next(digestLen), nil)
		return sig.Bytes(), err
	})
}

// verifyEcdsa: public key, r‖s, digest, whether a high s is refused → verdict.
//
//go:wasmexport verifyEcdsa
func verifyEcdsa(publicLen, sigLen, digestLen, lowS int32) int32 {
	a := arguments(buffer)
	public, noKey := p256k1.ParsePublicKey(a.next(publicLen))
	sig, noSig := ecdsa.ParseCompact(a.next(sigLen))
	if noKey != nil || noSig != nil {
		return verdict(false)
	}
	verify := ecdsa.Verify
	if lowS != 0 {
		verify = ecdsa.VerifyLowS
	}
	return verdict(verify(public, a.next(digestLen), sig))
}

// encodeDer: r‖s → DER.
//
//go:wasmexport encodeDer
func encodeDer(sigLen int32) int32 {
	sig, err := ecdsa.ParseCompact(buffer[:sigLen])
	return result(sig.DER(), err)
}

// decodeDer: strict DER → r‖s.
//
//go:wasmexport decodeDer
func decodeDer(derLen int32) int32 {
	sig, err := ecdsa.ParseDER(buffer[:derLen])
	return result(sig.Bytes(), err)
}

// recoverKey: r‖s‖v, digest → compressed public key.
//
//go:wasmexport recover
func recoverKey(sigLen, digestLen int32) int32 {
	a := arguments(buffer)
	sig, err := ecdsa.ParseRecoverable(a.next(sigLen))
	if err != nil {
		return result(nil, err)
	}
	public, err := ecdsa.Recover(a.next(digestLen), sig)
	return result(public.Bytes(), err)
}

// agree puts the result of f for a secret key and a public key into the buffer.
func agree(secretLen, publicLen int32, f func(*p256k1.PrivateKey, *p256k1.PublicKey) ([32]byte, error)) int32 {
	return withKey(secretLen, func(key *p256k1.PrivateKey, a arguments) ([]byte, error) {
		public, err := publicKey(a.next(publicLen))
		if err != nil {
			return nil, err
		}
		shared, err := f(key, public)
		return shared[:], err
	})
}

// ecdhSHA256: secret key, public key → SHA-256 of the compressed shared point.
//
//go:wasmexport ecdh
func ecdhSHA256(secretLen, publicLen int32) int32 { return agree(secretLen, publicLen, ecdh.SHA256) }

// ecdhX: secret key, public key, which may be x-only → x of the shared point.
//
//go:wasmexport ecdhX
func ecdhX(secretLen, publicLen int32) int32 { return agree(secretLen, publicLen, ecdh.X) }

// nip44ConversationKey: secret key, x-only public key → conversation key.
//
//go:wasmexport nip44ConversationKey
func nip44ConversationKey(secretLen, publicLen int32) int32 {
	return agree(secretLen, publicLen, func(key *p256k1.PrivateKey, public *p256k1.PublicKey) ([32]byte, error) {
		return ecdh.NIP44ConversationKey(key, public.XOnly())
	})
}

// publicKey reads a public key of 32, 33 or 65 bytes.
func publicKey(b []byte) (*p256k1.PublicKey, error) {
	if len(b) != 32 {
		return p256k1.ParsePublicKey(b)
	}
	x, err := p256k1.ParseXOnlyPublicKey(b)
	if err != nil {
		return nil, err
	}
	return x.PublicKey(), nil
}

// eventID: serialized event → its id.
//
//go:wasmexport eventId
func eventID(serializedLen int32) int32 {
	sum := sha256.Sum256(buffer[:serializedLen])
	return result(sum[:], nil)
}

// batch holds the signatures that addEvent and addSignature have added since the last call of refusedOnes.
var (
	batch   schnorr.Batch
	refused []int
)

// addSignature: x-only public key, signature, message → nothing. It adds the signature to the batch.
//
//go:wasmexport addSignature
func addSignature(publicLen, sigLen, messageLen int32) int32 {
	a := arguments(buffer)
	public, sig := a.next(publicLen), a.next(sigLen)
	batch.Add(public, a.next(messageLen), sig)
	return 0
}

// addEvent: x-only public key, signature, id, serialized event → why the id is wrong, or nothing. If the id is correct,
// addEvent adds the event to the batch.
//
//go:wasmexport addEvent
func addEvent(publicLen, sigLen, idLen, serializedLen int32) int32 {
	a := arguments(buffer)
	public, sig, id := a.next(publicLen), a.next(sigLen), a.next(idLen)
	if err := wire.CheckSerialized(a.next(serializedLen), (*[32]byte)(id)); err != nil {
		return result([]byte(err.Error()), nil)
	}
	batch.Add(public, id, sig)
	return 0
}

// refusedOnes: nothing → the indexes in the batch, one byte each, of the signatures that are not valid. It empties the
// batch, which must not have more than 256 signatures.
//
//go:wasmexport refusedOnes
func refusedOnes() int32 {
	refused = batch.Invalid(refused[:0])
	batch.Reset()
	out := buffer[:0]
	for _, i := range refused {
		out = append(out, byte(i))
	}
	return int32(len(out))
}

// whyRefused: x-only public key of an event that refusedOnes reported → why the event is invalid.
//
//go:wasmexport whyRefused
func whyRefused(publicLen int32) int32 {
	_, err := p256k1.ParseXOnlyPublicKey(buffer[:publicLen])
	if err == nil {
		err = errors.New("the signature does not verify")
	}
	return result([]byte(err.Error()), nil)
}

//go:build wasip1

// Command wasm is the library as a WebAssembly module for JavaScript, built with -buildmode=c-shared. Its functions
// work on one buffer in linear memory. ../p256k1.js is the only caller.
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

// arguments are the arguments of a function: parts of the buffer, and an option.
type arguments struct {
	part   [4][]byte
	option bool
}

// call calls a function. Its arguments and its name are in the buffer, one after another, and call receives their
// lengths. It writes the result to the beginning of the buffer, and returns the number of bytes. A negative number
// means an error, and its absolute value is the length of the error message. The caller wipes the buffer.
//
//go:wasmexport call
func call(option, name, first, second, third, fourth int32) int32 {
	rest := buffer
	next := func(n int32) []byte {
		b := rest[:n:n]
		rest = rest[n:]
		return b
	}
	a := arguments{[4][]byte{next(first), next(second), next(third), next(fourth)}, option != 0}
	b, err := functions[string(next(name))](a)
	if err != nil {
		return -int32(copy(buffer, err.Error()))
	}
	defer clear(b) // it may be a secret
	return int32(copy(buffer, b))
}

// functions holds all functions by their names. A comment names the arguments before an arrow, and the result after it.
// A result is never a part of the buffer.
var functions = map[string]func(arguments) ([]byte, error){
	// nothing → secret key
	"generateKey": func(arguments) ([]byte, error) { return secretly(p256k1.GenerateKey, keyBytes) },
	// secret key → compressed public key
	"derive": withKey(func(key *p256k1.PrivateKey, _ arguments) ([]byte, error) { return key.PublicKey().Bytes(), nil }),
	// x-only public key → npub
	"encodeNpub": func(a arguments) ([]byte, error) {
		x, err := p256k1.ParseXOnlyPublicKey(a.part[0])
		if err != nil {
			return nil, err
		}
		return nip19.AppendEncode(nil, nip19.Public, (*[32]byte)(x.Bytes())), nil
	},
	// npub → x-only public key
	"decodeNpub": func(a arguments) ([]byte, error) {
		var x [32]byte
		err := nip19.Decode(&x, nip19.Public, a.part[0])
		if err == nil {
			_, err = p256k1.ParseXOnlyPublicKey(x[:])
		}
		return x[:], err
	},
	// secret key → nsec
	"encodeNsec": withKey(func(key *p256k1.PrivateKey, _ arguments) ([]byte, error) {
		b := key.Bytes()
		defer clear(b)
		nsec := make([]byte, 0, 63) // with enough capacity, so that the text is never copied
		return nip19.AppendEncode(nsec, nip19.Secret, (*[32]byte)(b)), nil
	}),
	// nsec → secret key
	"decodeNsec": func(a arguments) ([]byte, error) {
		return secretly(func() (*p256k1.PrivateKey, error) {
			key := (*[32]byte)(buffer) // memory that Decode may write to
			if err := nip19.Decode(key, nip19.Secret, a.part[0]); err != nil {
				return nil, err
			}
			return p256k1.ParsePrivateKey(key[:])
		}, keyBytes)
	},
	// public key, which may be x-only; whether the result is uncompressed → public key
	"encode": func(a arguments) ([]byte, error) {
		public, err := publicKey(a.part[0])
		if a.option {
			return public.BytesUncompressed(), err
		}
		return public.Bytes(), err
	},
	// secret key, tweak; whether the public key is x-only → their sum, a secret key
	"tweakSecret": withKey(func(key *p256k1.PrivateKey, a arguments) ([]byte, error) {
		add := key.TweakAdd
		if a.option {
			add = key.TweakAddXOnly
		}
		sum, err := add(a.part[1])
		defer sum.Zero()
		return sum.Bytes(), err
	}),
	// public key, which may be x-only, tweak → sum of the key and the tweak's public key, compressed
	"tweakPublic": func(a arguments) ([]byte, error) {
		public, err := publicKey(a.part[0])
		if err == nil {
			public, err = public.TweakAdd(a.part[1])
		}
		return public.Bytes(), err
	},
	// secret key, auxiliary randomness or nothing, message → signature
	"signSchnorr": withKey(func(key *p256k1.PrivateKey, a arguments) ([]byte, error) {
		var options schnorr.Options
		if len(a.part[1]) != 0 {
			options.AuxRand = (*[32]byte)(a.part[1])
		}
		sig, err := schnorr.Sign(key, a.part[2], &options)
		return sig[:], err
	}),
	// x-only public key, signature, message → verdict
	"verifySchnorr": func(a arguments) ([]byte, error) {
		return verdict(schnorr.VerifyBytes(a.part[0], a.part[2], a.part[1]))
	},
	// secret key, digest → r‖s‖v
	"signRecoverable": withKey(func(key *p256k1.PrivateKey, a arguments) ([]byte, error) {
		sig, err := ecdsa.SignRecoverable(key, a.part[1], nil)
		return sig.Bytes(), err
	}),
	// public key, r‖s, digest; whether a high s is refused → verdict
	"verifyEcdsa": func(a arguments) ([]byte, error) {
		public, noKey := p256k1.ParsePublicKey(a.part[0])
		sig, noSig := ecdsa.ParseCompact(a.part[1])
		verify := ecdsa.Verify
		if a.option {
			verify = ecdsa.VerifyLowS
		}
		return verdict(noKey == nil && noSig == nil && verify(public, a.part[2], sig))
	},
	// r‖s → DER
	"encodeDer": func(a arguments) ([]byte, error) {
		sig, err := ecdsa.ParseCompact(a.part[0])
		return sig.DER(), err
	},
	// strict DER → r‖s
	"decodeDer": func(a arguments) ([]byte, error) {
		sig, err := ecdsa.ParseDER(a.part[0])
		return sig.Bytes(), err
	},
	// r‖s‖v, digest → compressed public key
	"recover": func(a arguments) ([]byte, error) {
		sig, err := ecdsa.ParseRecoverable(a.part[0])
		if err != nil {
			return nil, err
		}
		public, err := ecdsa.Recover(a.part[1], sig)
		return public.Bytes(), err
	},
	// secret key, public key → SHA-256 of the compressed shared point
	"ecdh": agree(ecdh.SHA256),
	// secret key, public key, which may be x-only → x of the shared point
	"ecdhX": agree(ecdh.X),
	// secret key, x-only public key → conversation key
	"nip44ConversationKey": agree(func(key *p256k1.PrivateKey, public *p256k1.PublicKey) ([32]byte, error) {
		return ecdh.NIP44ConversationKey(key, public.XOnly())
	}),
	// serialized event → its id
	"eventId": func(a arguments) ([]byte, error) {
		id := sha256.Sum256(a.part[0])
		return id[:], nil
	},
	// x-only public key, signature, message → nothing; it adds the signature to the batch
	"addSignature": func(a arguments) ([]byte, error) {
		batch.Add(a.part[0], a.part[2], a.part[1])
		return nil, nil
	},
	// x-only public key, signature, id, serialized event → why the id is wrong, or nothing; it adds the event to the
	// batch if the id is correct
	"addEvent": func(a arguments) ([]byte, error) {
		if err := wire.CheckSerialized(a.part[3], (*[32]byte)(a.part[2])); err != nil {
			return []byte(err.Error()), nil
		}
		batch.Add(a.part[0], a.part[2], a.part[1])
		return nil, nil
	},
	// nothing → the indexes in the batch, one byte each, of the signatures that are not valid; it empties the batch,
	// which must not have more than 256 signatures
	"refusedOnes": func(arguments) (indexes []byte, err error) {
		for _, i := range batch.Invalid(nil) {
			indexes = append(indexes, byte(i))
		}
		batch.Reset()
		return indexes, nil
	},
	// x-only public key of an event that refusedOnes reported → why the event is invalid
	"whyRefused": func(a arguments) ([]byte, error) {
		_, err := p256k1.ParseXOnlyPublicKey(a.part[0])
		if err == nil {
			err = errors.New("the signature does not verify")
		}
		return []byte(err.Error()), nil
	},
}

// batch holds the signatures that addEvent and addSignature have added since the last call of refusedOnes.
var batch schnorr.Batch

// verdict is the result of a verification: one byte, or nothing for an invalid signature.
func verdict(good bool) ([]byte, error) {
	if good {
		return []byte{1}, nil
	}
	return nil, nil
}

// secretly returns the result of f for the secret key that obtain returns, and leaves no other copy of the key or the
// result.
func secretly(obtain func() (*p256k1.PrivateKey, error), f func(*p256k1.PrivateKey) ([]byte, error)) (b []byte, err error) {
	secret.Do(func() {
		var key *p256k1.PrivateKey
		if key, err = obtain(); err == nil {
			b, err = f(key)
			key.Zero()
		}
	})
	return b, err
}

// withKey returns a function that calls f secretly with the secret key that is its first argument.
func withKey(f func(*p256k1.PrivateKey, arguments) ([]byte, error)) func(arguments) ([]byte, error) {
	return func(a arguments) ([]byte, error) {
		return secretly(
			func() (*p256k1.PrivateKey, error) { return p256k1.ParsePrivateKey(a.part[0]) },
			func(key *p256k1.PrivateKey) ([]byte, error) { return f(key, a) })
	}
}

// keyBytes returns the 32 bytes of a secret key, for secretly.
func keyBytes(key *p256k1.PrivateKey) ([]byte, error) { return key.Bytes(), nil }

// agree returns a function whose result is that of f for a secret key and a public key.
func agree(f func(*p256k1.PrivateKey, *p256k1.PublicKey) ([32]byte, error)) func(arguments) ([]byte, error) {
	return withKey(func(key *p256k1.PrivateKey, a arguments) ([]byte, error) {
		public, err := publicKey(a.part[1])
		if err != nil {
			return nil, err
		}
		shared, err := f(key, public)
		return shared[:], err
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

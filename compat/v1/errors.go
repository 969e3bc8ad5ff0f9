package p256k1

import "errors"

// Version 1 made a new error in each call, so programs could only compare the texts, which are the same here.
var (
	errSecretLength    = errors.New("secret key must be 32 bytes")
	errSecret          = errors.New("invalid secret key")
	errTweakLength     = errors.New("tweak must be 32 bytes")
	errTweak           = errors.New("invalid tweak")
	errZeroSecret      = errors.New("resulting secret key is zero")
	errPublic          = errors.New("invalid public key")
	errInfinity        = errors.New("resulting public key is infinity")
	errNilPublic       = errors.New("pubkey cannot be nil")
	errNilKeyPair      = errors.New("keypair cannot be nil")
	errDigestLength    = errors.New("message hash must be 32 bytes")
	errMessageLength   = errors.New("message must be 32 bytes")
	errSignatureLength = errors.New("signature must be 64 bytes")
	errOutputLength    = errors.New("output must be 32 bytes")
	errSignature       = errors.New("invalid signature")
)

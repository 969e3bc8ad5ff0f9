package engine

// An Item is one input of a batch. What an operation does not need may be nil.
type Item struct {
	Secret      Secret
	SecretBytes *[32]byte
	Pub         *[33]byte
	XOnly       *[32]byte
	Digest      *[32]byte
	DER         []byte
	Recoverable *[65]byte
	Schnorr     *[64]byte
}

// A Batcher is a Session that works on many inputs together. A session without it
// has them one by one.
type Batcher interface {
	// ECDSAVerifyBatch and SchnorrVerifyBatch report whether all are valid, as
	// ECDSAVerify and SchnorrVerify have it.
	ECDSAVerifyBatch(items []Item) (bool, error)
	SchnorrVerifyBatch(items []Item) (bool, error)
	// RecoverBatch and DeriveBatch set pubs, one for each item.
	RecoverBatch(pubs [][33]byte, items []Item) error
	DeriveBatch(pubs [][33]byte, items []Item) error
	// ECDSASignBatch signs as ECDSASign, SchnorrSignBatch with fresh randomness.
	ECDSASignBatch(items []Item) error
	SchnorrSignBatch(items []Item) error
	// GenerateBatch makes n key pairs.
	GenerateBatch(n int) error
}

// A Precomputer is a Session that makes public keys ready for many verifications.
type Precomputer interface {
	// Precompute parses a public key of 33 or 65 bytes.
	Precompute(pub []byte) (Public, error)
	// ECDSAVerifyPrecomputed and SchnorrVerifyPrecomputed take keys of Precompute.
	ECDSAVerifyPrecomputed(pub Public, digest *[32]byte, der []byte) (bool, error)
	SchnorrVerifyPrecomputed(pub Public, msg *[32]byte, sig *[64]byte) (bool, error)
}

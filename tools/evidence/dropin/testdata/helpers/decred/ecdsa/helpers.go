package ecdsa

// Unexported names that Decred's tests use.

const (
	compactSigMagicOffset         = firstCode
	compactSigCompPubKey          = compressed
	compactSigSize                = compactSize
	pubKeyRecoveryCodeOddnessBit  = 1
	pubKeyRecoveryCodeOverflowBit = 2
)

func signatureError(kind ErrorKind, desc string) Error { return Error{kind, desc} }

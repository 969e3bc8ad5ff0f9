package ecdsa

// Names that decred's tests take from decred's package, and that have nothing to test here.

const (
	compactSigMagicOffset         = firstCode
	compactSigCompPubKey          = compressed
	compactSigSize                = compactSize
	pubKeyRecoveryCodeOddnessBit  = 1
	pubKeyRecoveryCodeOverflowBit = 2
)

func signatureError(kind ErrorKind, desc string) Error { return Error{kind, desc} }

package ecdsa

// Names that decred's tests use from decred's package, and that test nothing here.

const (
	compactSigMagicOffset         = firstCode
	compactSigCompPubKey          = compressed
	compactSigSize                = compactSize
	pubKeyRecoveryCodeOddnessBit  = 1
	pubKeyRecoveryCodeOverflowBit = 2
)

func signatureError(kind ErrorKind, desc string) Error { return Error{kind, desc} }

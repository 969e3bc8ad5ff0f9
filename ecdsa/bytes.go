package ecdsa

import (
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/verify"
)

// VerifyDER is Verify for what comes off a wire: the 33 or 65 bytes of a public key
// (p256k1.NewPublicKey) and the strict DER encoding of a signature (ParseDER), 8 to 72
// bytes. A pub or der that these refuse is false, as is a digest that is not 32 bytes.
// Any s in [1, n−1] is taken, high ones too, as by Verify. With a key of 33 bytes it takes
// less time than parsing and Verify, since y of the key is not computed.
func VerifyDER(pub, digest, der []byte) bool {
	sig, err := ParseDER(der)
	return err == nil && verifyVartime(pub, digest, &sig)
}

// VerifyCompact is VerifyDER for a signature of 64 bytes, r‖s (ParseCompact). For low s
// alone, parse and use VerifyLowS.
func VerifyCompact(pub, digest, sig []byte) bool {
	parsed, err := ParseCompact(sig)
	return err == nil && verifyVartime(pub, digest, &parsed)
}

func verifyVartime(pub, digest []byte, sig *Signature) bool {
	var r, u1, u2 curve.Scalar
	return sig.sumVartime(&r, &u1, &u2, digest) && verify.XModNOfBytesVartime(&u2, pub, &u1, &r)
}

package ecdsa

import (
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/schemes/verify"
)

// VerifyDER reports whether der is the strict DER encoding (BIP-66, 8 to 72 bytes) of a valid signature of the 32-byte
// digest by the public key that pub encodes in 33 or 65 bytes. It accepts any s in [1, n−1], like Verify. It reports
// false if p256k1.ParsePublicKey refuses pub, ParseDER refuses der, or digest has another length. For a key of 33
// bytes, VerifyDER takes less time than ParsePublicKey, ParseDER and Verify together, because it does not compute the y
// coordinate of the key. The time depends on all arguments, which are public.
func VerifyDER(pub, digest, der []byte) bool {
	var sig Signature
	return sig.setDER(der).text == "" && verifyVartime(pub, digest, &sig)
}

// VerifyCompact reports whether sig, 64 bytes r‖s, is a valid signature of the 32-byte digest by the public key that
// pub encodes in 33 or 65 bytes. It accepts any s in [1, n−1]; to accept only a low s, parse the signature and call
// VerifyLowS. It reports false if p256k1.ParsePublicKey refuses pub, ParseCompact refuses sig, or digest has another
// length. The time depends on all arguments, which are public.
func VerifyCompact(pub, digest, sig []byte) bool {
	parsed, err := ParseCompact(sig)
	return err == nil && verifyVartime(pub, digest, &parsed)
}

func verifyVartime(pub, digest []byte, sig *Signature) bool {
	var r, u1, u2 curve.Scalar
	return sig.sumVartime(&r, &u1, &u2, digest) && verify.XModNOfBytesVartime(&u2, pub, &u1, &r)
}

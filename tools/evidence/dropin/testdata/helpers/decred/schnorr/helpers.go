package schnorr

// Names that decred's tests take from decred's package, and that have nothing to test here.

var rfc6979ExtraDataV0 = nonceData()

func signatureError(kind ErrorKind, desc string) Error { return Error{kind, desc} }

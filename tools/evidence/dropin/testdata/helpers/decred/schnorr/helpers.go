package schnorr

// Names that decred's tests use from decred's package, and that test nothing here.

var rfc6979ExtraDataV0 = nonceData()

func signatureError(kind ErrorKind, desc string) Error { return Error{kind, desc} }

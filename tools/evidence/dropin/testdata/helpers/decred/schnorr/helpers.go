package schnorr

// Unexported names that Decred's tests use.

var rfc6979ExtraDataV0 = nonceData()

func signatureError(kind ErrorKind, desc string) Error { return Error{kind, desc} }

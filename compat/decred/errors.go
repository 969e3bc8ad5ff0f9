package secp256k1

// ErrorKind is a kind of error, which errors.Is finds in an Error.
type ErrorKind string

// These are the kinds of errors that ParsePubKey returns.
const (
	ErrPubKeyInvalidLen        = ErrorKind("ErrPubKeyInvalidLen")        // neither 33 nor 65 bytes
	ErrPubKeyInvalidFormat     = ErrorKind("ErrPubKeyInvalidFormat")     // no encoding of this length has this first byte
	ErrPubKeyXTooBig           = ErrorKind("ErrPubKeyXTooBig")           // x is not below p
	ErrPubKeyYTooBig           = ErrorKind("ErrPubKeyYTooBig")           // y is not below p
	ErrPubKeyNotOnCurve        = ErrorKind("ErrPubKeyNotOnCurve")        // not a point of the curve
	ErrPubKeyMismatchedOddness = ErrorKind("ErrPubKeyMismatchedOddness") // a hybrid encoding whose first byte does not match the parity of y
)

// Error returns the name of the kind.
func (e ErrorKind) Error() string { return string(e) }

// Error is an error with its kind.
type Error struct {
	Err         error
	Description string
}

// Error returns e.Description.
func (e Error) Error() string { return e.Description }

// Unwrap returns the kind of the error.
func (e Error) Unwrap() error { return e.Err }

func makeError(kind ErrorKind, description string) Error {
	return Error{Err: kind, Description: description}
}

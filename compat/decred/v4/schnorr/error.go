package schnorr

// ErrorKind is a kind of error, which errors.Is finds in an Error.
type ErrorKind string

// The kinds of errors of Sign and ParseSignature. No function returns the kinds for verification, which only reports
// false. They exist because Decred's package has them.
const (
	ErrInvalidHashLen   = ErrorKind("ErrInvalidHashLen")
	ErrPrivateKeyIsZero = ErrorKind("ErrPrivateKeyIsZero")
	ErrSchnorrHashValue = ErrorKind("ErrSchnorrHashValue")
	ErrPubKeyNotOnCurve = ErrorKind("ErrPubKeyNotOnCurve")
	ErrSigRYIsOdd       = ErrorKind("ErrSigRYIsOdd")
	ErrSigRNotOnCurve   = ErrorKind("ErrSigRNotOnCurve")
	ErrUnequalRValues   = ErrorKind("ErrUnequalRValues")
	ErrSigTooShort      = ErrorKind("ErrSigTooShort")
	ErrSigTooLong       = ErrorKind("ErrSigTooLong")
	ErrSigRTooBig       = ErrorKind("ErrSigRTooBig")
	ErrSigSTooBig       = ErrorKind("ErrSigSTooBig")
)

// Error returns the name of the kind.
func (e ErrorKind) Error() string { return string(e) }

// Error is an error with its kind.
type Error struct {
	Err         error
	Description string
}

// Error returns the description.
func (e Error) Error() string { return e.Description }

// Unwrap returns the kind.
func (e Error) Unwrap() error { return e.Err }

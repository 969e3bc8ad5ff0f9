package schnorr

// ErrorKind is a kind of error, which errors.Is finds in an Error.
type ErrorKind string

// These are the kinds of errors in Decred's package. Sign and ParseSignature return errors of some of these kinds. No
// function of this package returns the kinds for verification, because Verify reports only true or false.
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

// Error returns e.Description.
func (e Error) Error() string { return e.Description }

// Unwrap returns the kind of the error.
func (e Error) Unwrap() error { return e.Err }

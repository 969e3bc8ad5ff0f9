package ecdsa

// ErrorKind is a kind of error, which errors.Is finds in an Error.
type ErrorKind string

// These are the kinds of errors that ParseDERSignature and RecoverCompact return.
const (
	ErrSigTooShort            = ErrorKind("ErrSigTooShort")            // fewer than 8 bytes
	ErrSigTooLong             = ErrorKind("ErrSigTooLong")             // more than 72 bytes
	ErrSigInvalidSeqID        = ErrorKind("ErrSigInvalidSeqID")        // not a DER sequence
	ErrSigInvalidDataLen      = ErrorKind("ErrSigInvalidDataLen")      // the sequence does not end where the signature ends
	ErrSigMissingSTypeID      = ErrorKind("ErrSigMissingSTypeID")      // nothing after r
	ErrSigMissingSLen         = ErrorKind("ErrSigMissingSLen")         // s has no length
	ErrSigInvalidSLen         = ErrorKind("ErrSigInvalidSLen")         // s does not end where the signature ends
	ErrSigInvalidRIntID       = ErrorKind("ErrSigInvalidRIntID")       // r is not encoded as an integer
	ErrSigZeroRLen            = ErrorKind("ErrSigZeroRLen")            // r has no bytes
	ErrSigNegativeR           = ErrorKind("ErrSigNegativeR")           // r < 0
	ErrSigTooMuchRPadding     = ErrorKind("ErrSigTooMuchRPadding")     // r has a needless zero in front
	ErrSigRIsZero             = ErrorKind("ErrSigRIsZero")             // r = 0
	ErrSigRTooBig             = ErrorKind("ErrSigRTooBig")             // r ≥ n
	ErrSigInvalidSIntID       = ErrorKind("ErrSigInvalidSIntID")       // s is not encoded as an integer
	ErrSigZeroSLen            = ErrorKind("ErrSigZeroSLen")            // s has no bytes
	ErrSigNegativeS           = ErrorKind("ErrSigNegativeS")           // s < 0
	ErrSigTooMuchSPadding     = ErrorKind("ErrSigTooMuchSPadding")     // s has a needless zero in front
	ErrSigSIsZero             = ErrorKind("ErrSigSIsZero")             // s = 0
	ErrSigSTooBig             = ErrorKind("ErrSigSTooBig")             // s ≥ n
	ErrSigInvalidLen          = ErrorKind("ErrSigInvalidLen")          // a compact signature does not have 65 bytes
	ErrSigInvalidRecoveryCode = ErrorKind("ErrSigInvalidRecoveryCode") // a compact signature has an invalid first byte
	ErrSigOverflowsPrime      = ErrorKind("ErrSigOverflowsPrime")      // x = r + n is not below p
	ErrPointNotOnCurve        = ErrorKind("ErrPointNotOnCurve")        // no point has the x coordinate x, or the recovered key is infinity
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

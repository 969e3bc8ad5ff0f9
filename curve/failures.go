package curve

import (
	"fmt"
	"slices"
)

// Failure says that one item of many failed. Err is the reason, which errors.Is and errors.As find in a Failure.
type Failure struct {
	Index int // the item's index
	Err   error
}

// Error returns the reason and the index.
func (f Failure) Error() string { return fmt.Sprintf("%v (index %d)", f.Err, f.Index) }

// MarshalText returns the message, so that encoders do not write the error without its reason.
func (f Failure) MarshalText() ([]byte, error) { return []byte(f.Error()), nil }

// Unwrap returns f.Err.
func (f Failure) Unwrap() error { return f.Err }

// Failures is the error of functions that compute a value for each of many items. It lists the items that failed, in
// ascending order of the indexes, and the value of each of these items is the zero value. All other values are valid.
// errors.As extracts Failures from an error, and errors.Is finds the reason of any item. A message is formatted only
// when Error is called.
type Failures []Failure

// Err sorts f by index and returns it, or returns nil if f is empty.
func (f Failures) Err() error {
	if len(f) == 0 {
		return nil
	}
	slices.SortFunc(f, func(a, b Failure) int { return a.Index - b.Index })
	return f
}

// Error returns the message of the first failure, and the number of the others.
func (f Failures) Error() string {
	switch len(f) {
	case 0:
		return "no failures"
	case 1:
		return f[0].Error()
	}
	return fmt.Sprintf("%v, and %d more", f[0], len(f)-1)
}

// Unwrap returns the failures.
func (f Failures) Unwrap() []error {
	errs := make([]error, len(f))
	for i := range f {
		errs[i] = f[i]
	}
	return errs
}

package hextext

import (
	"fmt"

	"p256k1.mleku.dev/v2/curve"
)

// None is embedded in structs that have no text form, such as batches, so that encoders such as encoding/json refuse
// them instead of writing an empty object.
type None struct{}

// MarshalText returns curve.ErrMarshal.
func (None) MarshalText() ([]byte, error) { return nil, errNone() }

// UnmarshalText returns curve.ErrMarshal.
func (*None) UnmarshalText([]byte) error { return errNone() }

// MarshalBinary returns curve.ErrMarshal, so that encoders such as encoding/gob refuse the struct.
func (None) MarshalBinary() ([]byte, error) { return nil, errNone() }

// UnmarshalBinary returns curve.ErrMarshal.
func (*None) UnmarshalBinary([]byte) error { return errNone() }

func errNone() error { return fmt.Errorf("%w: it has no text form", curve.ErrMarshal) }

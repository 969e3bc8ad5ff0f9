package bip324

import (
	"fmt"

	"p256k1.mleku.dev/v2"
)

// hidden is embedded in all exported types that hold keys, so that printing or encoding a value does not show them. In
// addition, the keys are behind two pointers, because package fmt shows the value that a pointer in an unexported field
// points to if the verb does not fit a pointer.
type hidden struct{}

const hiddenText = "bip324(secret)"

// Format writes a placeholder instead of the keys.
func (hidden) Format(f fmt.State, _ rune) { f.Write([]byte(hiddenText)) }

// MarshalText returns p256k1.ErrMarshal, because keys are for one connection only.
func (hidden) MarshalText() ([]byte, error) { return nil, fmt.Errorf("bip324: %w", p256k1.ErrMarshal) }

// MarshalBinary returns p256k1.ErrMarshal, so that encoders such as encoding/gob refuse keys.
func (h hidden) MarshalBinary() ([]byte, error) { return h.MarshalText() }

// UnmarshalText returns p256k1.ErrMarshal.
func (hidden) UnmarshalText([]byte) error { return fmt.Errorf("bip324: %w", p256k1.ErrMarshal) }

// UnmarshalBinary returns p256k1.ErrMarshal, so that decoders such as encoding/gob fail.
func (h hidden) UnmarshalBinary([]byte) error { return h.UnmarshalText(nil) }

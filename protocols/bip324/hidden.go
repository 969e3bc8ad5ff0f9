package bip324

import (
	"fmt"

	"p256k1.mleku.dev/v2"
)

// hidden is embedded in all types that hold keys. The keys are behind a second pointer, too, because package fmt
// shows the value that a pointer in an unexported field points to if the verb does not fit.
type hidden struct{}

const hiddenText = "bip324(secret)"

// Format writes a text without the keys.
func (hidden) Format(f fmt.State, _ rune) { f.Write([]byte(hiddenText)) }

// MarshalText returns p256k1.ErrMarshal: keys are for one connection.
func (hidden) MarshalText() ([]byte, error) { return nil, fmt.Errorf("bip324: %w", p256k1.ErrMarshal) }

// MarshalBinary returns p256k1.ErrMarshal, for encoders like encoding/gob.
func (h hidden) MarshalBinary() ([]byte, error) { return h.MarshalText() }

// UnmarshalText returns p256k1.ErrMarshal.
func (hidden) UnmarshalText([]byte) error { return fmt.Errorf("bip324: %w", p256k1.ErrMarshal) }

// UnmarshalBinary returns p256k1.ErrMarshal, for decoders like encoding/gob.
func (h hidden) UnmarshalBinary([]byte) error { return h.UnmarshalText(nil) }

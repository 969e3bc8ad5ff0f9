package bip324

import (
	"fmt"

	"p256k1.mleku.dev/v2"
)

// hidden is embedded in all types that hold keys. These are behind a second pointer, too, since package fmt shows what a
// pointer in an unexported field points to, where the verb does not fit.
type hidden struct{}

const hiddenText = "bip324(secret)"

// Format writes a text without the keys.
func (hidden) Format(f fmt.State, _ rune) { f.Write([]byte(hiddenText)) }

// MarshalText returns p256k1.ErrMarshal: keys are for one connection.
func (hidden) MarshalText() ([]byte, error) { return nil, fmt.Errorf("bip324: %w", p256k1.ErrMarshal) }

// MarshalBinary is MarshalText for encoders like encoding/gob.
func (h hidden) MarshalBinary() ([]byte, error) { return h.MarshalText() }

// UnmarshalText returns p256k1.ErrMarshal.
func (hidden) UnmarshalText([]byte) error { return fmt.Errorf("bip324: %w", p256k1.ErrMarshal) }

// UnmarshalBinary is UnmarshalText for decoders like encoding/gob.
func (h hidden) UnmarshalBinary([]byte) error { return h.UnmarshalText(nil) }

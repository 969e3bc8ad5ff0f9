package rfc6979

import (
	"errors"
	"fmt"
)

var errMarshal = errors.New("rfc6979: refusing to marshal a generator, which holds secrets")

// Format writes a placeholder instead of the state, from which the nonces follow.
func (Generator) Format(f fmt.State, _ rune) { f.Write([]byte("rfc6979.Generator(secret)")) }

// MarshalText returns an error, so that encoders such as encoding/json do not write an empty object.
func (Generator) MarshalText() ([]byte, error) { return nil, errMarshal }

// UnmarshalText returns an error and leaves g unchanged.
func (g *Generator) UnmarshalText([]byte) error { return errMarshal }

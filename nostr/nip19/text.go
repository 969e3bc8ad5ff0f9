package nip19

import (
	"bytes"
	"fmt"
)

// MarshalText returns the text of Encode, and its errors.
func (p Profile) MarshalText() ([]byte, error) { return marshal(p.Encode()) }

// MarshalText returns the text of Encode, and its errors.
func (e Event) MarshalText() ([]byte, error) { return marshal(e.Encode()) }

// MarshalText returns the text of Encode, and its errors.
func (a Address) MarshalText() ([]byte, error) { return marshal(a.Encode()) }

// UnmarshalText sets p to the profile that ParseProfile returns for text, which must be in lower case. The errors are
// those of ParseProfile, and ErrFormat for capitals. If there is an error, p is unchanged.
func (p *Profile) UnmarshalText(text []byte) error { return unmarshal(p, text, ParseProfile) }

// UnmarshalText sets e to the event that ParseEvent returns for text, which must be in lower case. The errors are those
// of ParseEvent, and ErrFormat for capitals. If there is an error, e is unchanged.
func (e *Event) UnmarshalText(text []byte) error { return unmarshal(e, text, ParseEvent) }

// UnmarshalText sets a to the address that ParseAddress returns for text, which must be in lower case. The errors are
// those of ParseAddress, and ErrFormat for capitals. If there is an error, a is unchanged.
func (a *Address) UnmarshalText(text []byte) error { return unmarshal(a, text, ParseAddress) }

func marshal(text string, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return []byte(text), nil
}

func unmarshal[T any](v *T, text []byte, parse func(string) (T, error)) error {
	parsed, err := parse(string(text))
	if err == nil && !bytes.Equal(text, bytes.ToLower(text)) {
		err = fmt.Errorf("nip19: %w: upper case, want lower case", ErrFormat)
	}
	if err == nil {
		*v = parsed
	}
	return err
}

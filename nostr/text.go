package nostr

import (
	"encoding/hex"
	"fmt"

	"p256k1.mleku.dev/v2"
)

// ID is the SHA-256 of an event's serialization (NIP-01), PubKey is an x-only public key, and Sig is a BIP-340
// signature. Their text form is lower-case hexadecimal, as in the JSON of events: encoders such as encoding/json write
// and read it, also for keys of maps, and package fmt prints it with the verbs %v, %s and %x. A PubKey need not be the
// x coordinate of a point; p256k1.ParseXOnlyPublicKey checks that.
type (
	ID     [32]byte
	PubKey [32]byte
	Sig    [64]byte
)

// String returns 64 lower-case hexadecimal digits.
func (b ID) String() string { return hex.EncodeToString(b[:]) }

// String returns 64 lower-case hexadecimal digits.
func (b PubKey) String() string { return hex.EncodeToString(b[:]) }

// String returns 128 lower-case hexadecimal digits.
func (b Sig) String() string { return hex.EncodeToString(b[:]) }

// Format implements fmt.Formatter, so that %x prints the bytes in hexadecimal. Without Format, %x would encode the
// digits that String returns once more.
func (b ID) Format(s fmt.State, verb rune) { format(s, verb, b[:]) }

// Format implements fmt.Formatter, so that %x prints the bytes in hexadecimal.
func (b PubKey) Format(s fmt.State, verb rune) { format(s, verb, b[:]) }

// Format implements fmt.Formatter, so that %x prints the bytes in hexadecimal.
func (b Sig) Format(s fmt.State, verb rune) { format(s, verb, b[:]) }

func format(s fmt.State, verb rune, b []byte) {
	if verb == 'v' || verb == 's' {
		verb = 'x'
	}
	fmt.Fprintf(s, fmt.FormatString(s, verb), b)
}

// ParseID returns the id that 64 lower-case hexadecimal digits encode. The error is ErrField.
func ParseID(text string) (b ID, err error) {
	err = decode(b[:], "id", []byte(text))
	return b, err
}

// ParsePubKey returns the public key that 64 lower-case hexadecimal digits encode. The error is ErrField. ParsePubKey
// does not check whether the key is on the curve. Package nip19 reads the text npub.
func ParsePubKey(text string) (b PubKey, err error) {
	err = decode(b[:], "public key", []byte(text))
	return b, err
}

// ParseSig returns the signature that 128 lower-case hexadecimal digits encode. The error is ErrField.
func ParseSig(text string) (b Sig, err error) {
	err = decode(b[:], "signature", []byte(text))
	return b, err
}

// MarshalText returns the text of String. The error is always nil.
func (b ID) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, b[:]), nil }

// MarshalText returns the text of String. The error is always nil.
func (b PubKey) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, b[:]), nil }

// MarshalText returns the text of String. The error is always nil.
func (b Sig) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, b[:]), nil }

// UnmarshalText sets b to the id that ParseID returns for text. If there is an error, b is unchanged.
func (b *ID) UnmarshalText(text []byte) error { return decode(b[:], "id", text) }

// UnmarshalText sets b to the public key that ParsePubKey returns for text. If there is an error, b is unchanged.
func (b *PubKey) UnmarshalText(text []byte) error { return decode(b[:], "public key", text) }

// UnmarshalText sets b to the signature that ParseSig returns for text. If there is an error, b is unchanged.
func (b *Sig) UnmarshalText(text []byte) error { return decode(b[:], "signature", text) }

// decode sets dst to the bytes that text encodes in lower-case hexadecimal. If there is an error, dst is unchanged.
func decode(dst []byte, name string, text []byte) error {
	for i, c := range text {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return fmt.Errorf("nostr: %s: %w: %w: %q at byte %d", name, ErrField, p256k1.ErrHex, text[i:i+1], i)
		}
	}
	if len(text) != 2*len(dst) {
		return fmt.Errorf("nostr: %s: %w: %w: %d hexadecimal digits, want %d", name, ErrField, p256k1.ErrLength, len(text), 2*len(dst))
	}
	_, err := hex.Decode(dst, text)
	return err
}

// String returns the JSON of the event. If MarshalJSON fails, String returns the error in angle brackets.
func (e Event) String() string {
	text, err := e.AppendJSON(nil)
	if err != nil {
		return "<" + err.Error() + ">"
	}
	return string(text)
}

// unstored is embedded in types that have no text form.
type unstored struct{}

// MarshalText returns p256k1.ErrMarshal, so that encoders such as encoding/json do not write an empty object.
func (unstored) MarshalText() ([]byte, error) { return nil, errUnstored() }

// UnmarshalText returns p256k1.ErrMarshal.
func (*unstored) UnmarshalText([]byte) error { return errUnstored() }

func errUnstored() error {
	return fmt.Errorf("nostr: %w: readers and verifiers have no text form", p256k1.ErrMarshal)
}

package ethereum

import (
	"encoding/hex"
	"errors"
	"fmt"

	"p256k1.mleku.dev/v2"
)

// ErrAddress means that a text is not an address. An address is "0x" and 40 hexadecimal digits, whose letters are all
// lower-case, all upper-case, or mixed according to the checksum of EIP-55.
var ErrAddress = errors.New("not an address")

// Address is the 20-byte address of an account, which belongs to a key or to a contract. Addresses can be compared with
// ==.
type Address [20]byte

// AddressOf returns the address of a public key. The error is p256k1.ErrNoKey if the key is invalid.
func AddressOf(pub *p256k1.PublicKey) (Address, error) {
	h := hashers.Get().(*hasher)
	defer hashers.Put(h)
	a, ok := h.address(pub)
	if !ok {
		return a, fmt.Errorf("ethereum: address: %w", p256k1.ErrNoKey)
	}
	return a, nil
}

// ParseAddress returns the address that text encodes in 42 characters: "0x" and 40 hexadecimal digits, whose letters
// are all lower-case, all upper-case, or mixed according to the checksum of EIP-55. The checksum fails to detect a
// mistyped address with a probability of 0.0247 % (EIP-55). The error is ErrAddress.
func ParseAddress(text string) (a Address, err error) {
	err = a.UnmarshalText([]byte(text))
	return a, err
}

// String returns "0x" and 40 hexadecimal digits, with upper-case and lower-case letters according to the checksum of
// EIP-55.
func (a Address) String() string {
	return string(a.checksummed())
}

// checksummed returns the text that String returns. A letter is upper-case if the hexadecimal digit at the same place
// in the hash of the lower-case text is 8 or more.
func (a *Address) checksummed() []byte {
	text := hex.AppendEncode(append(make([]byte, 0, 42), "0x"...), a[:])
	hash := Keccak256(text[2:])
	for i, c := range text[2:] {
		if nibble := hash[i/2] >> (4 * (1 - i%2)) & 15; c >= 'a' && nibble >= 8 {
			text[2+i] -= 'a' - 'A'
		}
	}
	return text
}

// Format implements fmt.Formatter. The verbs %v and %s print the result of String, %q prints it in quotation marks, and
// %x and %X print the 20 bytes in hexadecimal.
func (a Address) Format(f fmt.State, verb rune) {
	switch format := fmt.FormatString(f, verb); verb {
	case 'v', 's', 'q':
		fmt.Fprintf(f, format, a.String())
	default:
		fmt.Fprintf(f, format, a[:])
	}
}

// MarshalText returns the same text as String. The error is always nil.
func (a Address) MarshalText() ([]byte, error) {
	return a.checksummed(), nil
}

// UnmarshalText sets a to the address that text encodes, in the forms that ParseAddress accepts. The error is
// ErrAddress, and a is then unchanged.
func (a *Address) UnmarshalText(text []byte) error {
	if len(text) != 42 || text[0] != '0' || text[1] != 'x' {
		return fmt.Errorf("ethereum: %w: want 0x and 40 hexadecimal digits", ErrAddress)
	}
	var b Address
	if _, err := hex.Decode(b[:], text[2:]); err != nil {
		return fmt.Errorf("ethereum: %w: %w", ErrAddress, err)
	}
	var lower, upper bool
	for _, c := range text[2:] {
		lower = lower || c >= 'a'
		upper = upper || (c >= 'A' && c <= 'F')
	}
	if lower && upper && string(text) != string(b.checksummed()) {
		return fmt.Errorf("ethereum: %w: upper and lower case do not match EIP-55: a digit may be wrong", ErrAddress)
	}
	*a = b
	return nil
}

package hextext_test

import (
	"errors"
	"fmt"

	"p256k1.mleku.dev/v2/internal/schemes/hextext"
)

// Nonce is the 66-byte nonce of some protocol.
type Nonce [66]byte

func (n Nonce) Format(f fmt.State, verb rune) { hextext.Format(f, verb, "Nonce", n[:]) }

func (n Nonce) String() string { return hextext.String("Nonce", n[:]) }

func (n *Nonce) UnmarshalText(text []byte) error {
	b, err := hextext.Decode(nil, text, len(n))
	if err != nil {
		return fmt.Errorf("nonce: %w", err)
	}
	copy(n[:], b)
	return nil
}

func Example() {
	var n Nonce
	n[0] = 0xab
	text := n.String()
	fmt.Printf("%.8v %.2X\n", n, n)

	var parsed Nonce
	fmt.Println(parsed.UnmarshalText([]byte(text)), parsed == n)
	err := parsed.UnmarshalText([]byte("0x" + text))
	fmt.Println(err, errors.Is(err, hextext.ErrHex))
	fmt.Println(parsed.UnmarshalText([]byte("abcd")))
	// Output:
	// ab000000 AB00
	// <nil> true
	// nonce: not lower-case hexadecimal: begins with 0x true
	// nonce: wrong length: 4 hexadecimal digits, want 132
}

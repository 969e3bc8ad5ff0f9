// Package nip19 writes and reads the keys of Nostr in bech32, as NIP-19 has them.
package nip19

import (
	"errors"
	"fmt"

	"github.com/decred/dcrd/bech32"
)

// What texts begin with, before the separator 1.
const (
	Public = "npub"
	Secret = "nsec"
)

// Encode returns the text for a key of 32 bytes.
func Encode(prefix string, key []byte) (string, error) {
	if len(key) != 32 {
		return "", fmt.Errorf("%s of %d bytes, want 32", prefix, len(key))
	}
	return bech32.EncodeFromBase256(prefix, key)
}

// errBech32 says nothing of the text, which may be a secret.
var errBech32 = errors.New("not bech32: a character was mistyped or is missing")

// Decode returns the 32 bytes of the key in text, which must have this prefix.
// Its errors tell nothing of the text.
func Decode(prefix, text string) ([]byte, error) {
	found, key, err := bech32.DecodeToBase256(text)
	switch {
	case err != nil:
		return nil, errBech32
	case found != prefix:
		return nil, fmt.Errorf("not an %s", prefix)
	case len(key) != 32:
		clear(key)
		return nil, fmt.Errorf("%s of %d bytes, want 32", prefix, len(key))
	}
	return key, nil
}

package nip44

import (
	"fmt"

	"p256k1.mleku.dev/v2"
)

const conversationText = "nip44.Conversation(secret)"

// Format writes a placeholder instead of the key, so that a conversation that is printed by mistake stays secret.
func (Conversation) Format(f fmt.State, _ rune) { fmt.Fprint(f, conversationText) }

// MarshalText returns p256k1.ErrMarshal, so that encoders such as encoding/json refuse conversations instead of
// silently omitting their keys.
func (Conversation) MarshalText() ([]byte, error) {
	return nil, fmt.Errorf("nip44: conversation: %w", p256k1.ErrMarshal)
}

// UnmarshalText returns p256k1.ErrMarshal and leaves c unchanged.
func (c *Conversation) UnmarshalText([]byte) error {
	_, err := c.MarshalText()
	return err
}

// MarshalBinary returns p256k1.ErrMarshal, so that encoders such as encoding/gob refuse conversations.
func (c Conversation) MarshalBinary() ([]byte, error) { return c.MarshalText() }

// UnmarshalBinary returns p256k1.ErrMarshal and leaves c unchanged.
func (c *Conversation) UnmarshalBinary([]byte) error { return c.UnmarshalText(nil) }

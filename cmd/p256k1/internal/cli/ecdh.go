package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/secrethex"
	"p256k1.mleku.dev/v2/ecdh"
)

func newECDH(s Streams) *cobra.Command {
	var form, pub, key string
	cmd := &cobra.Command{
		Use:   "ecdh",
		Short: "Agree on a shared secret",
		Long: `Ecdh prints the 32-byte secret, in hex, that the owner of the secret key shares
with the owner of the public key. Protocols derive different secrets from the
shared point, so --form is required:

  x       the x coordinate of the point, not hashed
  sha256  the SHA-256 of the point's compressed encoding, as in libsecp256k1
          and Lightning
  nip44   the conversation key of Nostr's NIP-44, version 2`,
		Example: "  p256k1 ecdh --form nip44 --key my.key --pub npub1…",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			peer, xOnly, err := parsePublic(pub)
			if err != nil {
				return usageError(cmd, fmt.Errorf("--pub: %w", err))
			}
			agree, err := agreement(form, peer, xOnly)
			if err != nil {
				return usageError(cmd, err)
			}
			priv, err := readSecret(cmd.Context(), s, key)
			if err != nil {
				return err
			}
			defer priv.Zero()
			return printSecret(s.Out, func(text []byte) ([]byte, error) {
				shared, err := agree(priv)
				return append(secrethex.AppendEncode(text, shared[:]), '\n'), err
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&form, "form", "", "what to print: x, sha256 or nip44")
	flags.StringVar(&pub, "pub", "", "public key of the other side: 33 or 65 bytes in `HEX`; for x and nip44 also 32 bytes or an npub")
	keyFlag(cmd, &key)
	cmd.MarkFlagRequired("form")
	cmd.MarkFlagRequired("pub")
	return cmd
}

// agreement returns the function that computes the shared secret in the given form. peer is nil if only the x
// coordinate of the peer's key is known.
func agreement(form string, peer *p256k1.PublicKey, xOnly *p256k1.XOnlyPublicKey) (func(*p256k1.PrivateKey) ([32]byte, error), error) {
	switch form {
	case "x":
		return func(priv *p256k1.PrivateKey) ([32]byte, error) { return ecdh.XFromXOnly(priv, xOnly) }, nil
	case "nip44":
		return func(priv *p256k1.PrivateKey) ([32]byte, error) { return ecdh.NIP44ConversationKey(priv, xOnly) }, nil
	case "sha256":
		if peer == nil {
			return nil, errors.New("--form sha256 needs the y coordinate: --pub must have 33 or 65 bytes")
		}
		return func(priv *p256k1.PrivateKey) ([32]byte, error) { return ecdh.SHA256(priv, peer) }, nil
	}
	return nil, fmt.Errorf(`--form is %q, want "x", "sha256" or "nip44"`, form)
}

package engine

type decredEngine struct{}

func openDecred() (Engine, error) { return decredEngine{}, nil }

func (decredEngine) Info() Info {
	return Info{
		Name: "decred", Backend: "Go", Version: moduleVersion("github.com/decred/dcrd/dcrec/secp256k1/v4"),
		Notes: []string{
			"Not constant-time with secret keys in deriving, signing and ECDH.",
			"Its Schnorr signatures are Decred's own, not those of BIP-340.",
		},
	}
}

func (decredEngine) NewSession() (Session, error) { return decredSession{}, nil }

// compactHeader is what Bitcoin's compact signatures, which btcec and decred
// have, begin with: 27, and 4 for a compressed key, plus the recovery id.
const compactHeader = 27 + 4

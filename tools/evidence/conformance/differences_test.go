package conformance

// A difference is a known difference between this library and its peer, another library. The tests in which a
// difference occurs check that the libraries differ in exactly this way, and that the difference does occur.
type difference struct{ peer, ours, theirs string }

const (
	keyReduced       = kind("private key reduced")
	hybridKey        = kind("hybrid key")
	emptyDigest      = kind("empty digest")
	digestNotReduced = kind("digest not reduced")
	serializedLow    = kind("serialized with low s")
	trailingBytes    = kind("bytes after the DER")
	berSignature     = kind("BER")
	highS            = kind("high s")
	zeroParsed       = kind("r or s of 0")
	derOutOfRange    = kind("DER of integers out of range")
	schnorrSReduced  = kind("Schnorr s ≥ n")
	schnorrMessage   = kind("Schnorr message of other lengths")
	schnorrNonce     = kind("Schnorr nonce")
)

var differences = map[kind]difference{
	keyReduced: {"decred, btcec: PrivKeyFromBytes",
		"refuses a key that is not 32 bytes, 0, or ≥ n",
		"takes the first 32 bytes, or fewer, modulo n, and 0"},
	hybridKey: {"decred, btcec: ParsePubKey; libsecp256k1: secp256k1_ec_pubkey_parse",
		"refuses the prefixes 06 and 07",
		"takes them if they have the parity of y"},
	emptyDigest: {"decred, btcec: Sign, Verify, SignCompact, RecoverCompact",
		"refuses it",
		"takes it as 0"},
	digestNotReduced: {"decred, btcec: Sign, SignCompact",
		"reduces the digest modulo n before it derives the nonce (bits2octets of RFC 6979, section 2.3.4), as libsecp256k1 does",
		"derives the nonce from the unreduced digest, which makes another valid signature if the digest is ≥ n"},
	serializedLow: {"decred, btcec: Signature.Serialize",
		"encodes the signature",
		"encodes it with n − s in place of a high s"},
	trailingBytes: {"btcec: ParseDERSignature",
		"refuses bytes after the sequence, as BIP-66 and decred do",
		"ignores them, up to 72 bytes in all"},
	berSignature: {"btcec: ParseSignature",
		"parses strict DER only",
		"takes integers with the top bit set or with zeros before them, and bytes after the sequence"},
	highS: {"libsecp256k1: secp256k1_ecdsa_verify",
		"accepts it in Verify and refuses it in VerifyLowS",
		"refuses it: users who need to accept it normalize it first"},
	zeroParsed: {"libsecp256k1: secp256k1_ecdsa_signature_parse_compact",
		"refuses to parse it",
		"parses it; no such signature is valid"},
	derOutOfRange: {"libsecp256k1: secp256k1_ecdsa_signature_parse_der",
		"refuses r and s that are not in [1, n−1]",
		"takes any integers in DER, and replaces one that is negative or not below n by 0; no such signature is valid"},
	schnorrSReduced: {"btcec: schnorr.ParseSignature",
		"does not verify a signature with s ≥ n (BIP-340)",
		"takes s modulo n, so a signature with s < 2²⁵⁶ − n has a second encoding; nobody can make such a signature"},
	schnorrMessage: {"btcec: schnorr.Sign, Verify",
		"takes messages of any length (BIP-340)",
		"takes 32 bytes only"},
	schnorrNonce: {"btcec: schnorr.Sign without CustomNonce",
		"always derives it as in BIP-340, from auxiliary randomness",
		"derives it as in RFC 6979"},
}

package check

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/cmd/p256k1/internal/show"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/nostr/wire"
	"p256k1.mleku.dev/v2/schnorr"
)

const (
	notVerified = "the signature does not verify"

	// maxDER is the length of the longest DER encoding of a signature.
	maxDER = 72
)

// checkRow judges a signature row.
func (c *Checker) checkRow() Result {
	switch t := c.textOf(fieldT); string(t) {
	case "ecdsa":
		return judged(ECDSA, c.ecdsa())
	case "schnorr":
		return judged(Schnorr, c.schnorr(fieldPub))
	case "recoverable":
		return judged(Recoverable, c.recoverable())
	default:
		return unreadable(None, fmt.Sprintf(`t is %s, want "ecdsa", "schnorr" or "recoverable"`, quote(t)))
	}
}

// keyAndDigest reads the public key and the digest of a row, and returns the filled part of key.
func (c *Checker) keyAndDigest(key *[65]byte, digest *[32]byte) (encoded []byte, reason string) {
	if encoded, reason = c.hexUpTo(key[:], fieldPub); reason != "" {
		return nil, reason
	}
	return encoded, c.hexInto(digest[:], fieldH)
}

// ecdsa returns why the row is not a valid ECDSA signature of a digest, or "" if it is valid.
func (c *Checker) ecdsa() (reason string) {
	var keyBytes [65]byte
	var digest [32]byte
	var sigBytes [maxDER]byte
	key, reason := c.keyAndDigest(&keyBytes, &digest)
	if reason != "" {
		return reason
	}
	encoded, reason := c.hexUpTo(sigBytes[:], fieldSig)
	if reason != "" {
		return reason
	}
	if c.deferred.ecdsa(key, digest[:], encoded) {
		return ""
	}
	pub, err := p256k1.ParsePublicKey(key)
	if err != nil {
		return fieldError(fieldPub, err)
	}
	sig, err := ecdsa.ParseDER(encoded)
	refused := c.deferred.refused && (err != nil || len(encoded) != 64) // the batch reads 64 bytes as compact
	if len(encoded) == 64 {
		// The DER encoding of small r and s can also have 64 bytes, so bytes that parse as DER may be meant as DER.
		compact, compactErr := ecdsa.ParseCompact(encoded)
		if err != nil || (compactErr == nil && ecdsa.Verify(pub, digest[:], compact)) {
			sig, err = compact, compactErr
		}
	}
	switch {
	case err != nil:
		return fieldError(fieldSig, err)
	case (refused && c.highS(sig) == "") || !ecdsa.Verify(pub, digest[:], sig):
		return notVerified
	}
	return c.highS(sig)
}

// highS returns the reason why a valid signature is refused for its high s, or "" if it is not refused.
func (c *Checker) highS(sig ecdsa.Signature) (reason string) {
	if c.LowS && !sig.IsLowS() {
		return "the signature verifies, but its s is above (n-1)/2"
	}
	return ""
}

// recoverable returns "" if the public key of the row can be recovered from its signature and digest, and otherwise the
// reason why not.
func (c *Checker) recoverable() (reason string) {
	var keyBytes [65]byte
	var digest [32]byte
	var encoded [65]byte
	key, reason := c.keyAndDigest(&keyBytes, &digest)
	if reason != "" {
		return reason
	}
	if reason := c.hexInto(encoded[:], fieldSig); reason != "" {
		return reason
	}
	if 27 <= encoded[64] && encoded[64] <= 30 { // the form of Ethereum's wallets
		encoded[64] -= 27
	}
	sig, err := ecdsa.ParseRecoverable(encoded[:])
	if err != nil {
		return fieldError(fieldSig, err)
	}
	if c.deferred.recoverable(key, &digest, sig) {
		return ""
	}
	pub, err := p256k1.ParsePublicKey(key)
	if err != nil {
		return fieldError(fieldPub, err)
	}
	switch recovered, err := ecdsa.Recover(digest[:], sig); {
	case err != nil:
		return "no key can be recovered from the signature"
	case !recovered.Equal(pub):
		return fmt.Sprintf("the signature is by another key, which is %x", recovered.Bytes())
	}
	return c.highS(sig.Signature())
}

// schnorr returns why the row is not a valid BIP-340 signature of a message, or "" if it is valid.
func (c *Checker) schnorr(pubField field) (reason string) {
	var key [32]byte
	var sig [schnorr.Size]byte
	if reason := c.hexInto(key[:], fieldPub); reason != "" {
		return reason
	}
	// BIP-340 signs messages of any length.
	msg, reason := c.hexUpTo(make([]byte, len(c.textOf(fieldH))/2), fieldH)
	if reason != "" {
		return reason
	}
	if reason := c.hexInto(sig[:], fieldSig); reason != "" {
		return reason
	}
	return c.verifySchnorr(pubField, key[:], msg, sig[:])
}

// verifySchnorr returns why sig is not a valid signature of msg by key, which is the value of pubField, or "" if it is
// valid.
func (c *Checker) verifySchnorr(pubField field, key, msg, sig []byte) (reason string) {
	if c.deferred.schnorr(key, msg, sig) {
		return ""
	}
	pub, err := p256k1.ParseXOnlyPublicKey(key)
	if err != nil {
		return fieldError(pubField, err)
	}
	if c.deferred.refused || !schnorr.Verify(pub, msg, sig) {
		return notVerified
	}
	return ""
}

// fieldError returns the reason to report for a field whose bytes caused err.
func fieldError(f field, err error) (reason string) {
	reason = err.Error()
	for {
		// The message begins with the package and the value that was parsed. These words are removed, because the name
		// of the field says the same.
		first, rest, ok := strings.Cut(reason, ": ")
		switch first {
		case "p256k1", "curve", "ecdsa", "public key", "x-only public key", "point", "signature", "tweak":
		default:
			ok = false
		}
		if !ok {
			return f.String() + ": " + reason
		}
		reason = rest
	}
}

// checkTweak judges whether the output key of a tweak is internal + tweak·G, with a y coordinate of the claimed parity,
// according to BIP-341.
func (c *Checker) checkTweak() Result {
	switch parity := c.values[fieldParity]; string(parity) {
	case "0":
		return judged(Tweak, c.tweak(false))
	case "1":
		return judged(Tweak, c.tweak(true))
	default:
		return unreadable(Tweak, fmt.Sprintf("parity is %s, want 0 or 1", beginning(parity)))
	}
}

func (c *Checker) tweak(odd bool) (reason string) {
	var bytes [3][32]byte
	for i, f := range []field{fieldInternal, fieldTweak, fieldOutput} {
		if reason := c.hexInto(bytes[i][:], f); reason != "" {
			return reason
		}
	}
	internal, tweak, output := bytes[0], bytes[1], bytes[2]
	key, err := p256k1.ParseXOnlyPublicKey(internal[:])
	if err != nil {
		return fieldError(fieldInternal, err)
	}
	if key.CheckTweakAdd(tweak[:], output[:], odd) {
		return ""
	}
	sum, err := key.TweakAdd(tweak[:])
	if err != nil {
		return fieldError(fieldTweak, err)
	}
	if x := sum.XOnly().Bytes(); string(x) != string(output[:]) {
		return fmt.Sprintf("output is not the tweaked key, which is %x", x)
	}
	return "the y coordinate of the tweaked key has the other parity"
}

// checkEvent judges a Nostr event: whether its id is the id that NIP-01 defines, and whether its signature is a valid
// signature of this id.
func (c *Checker) checkEvent() Result {
	var event wire.Event
	err := c.reader.Event(&event, (*wire.Fields)(c.values[:len(wire.Names)]))
	if err == nil {
		err = c.reader.CheckID(&event)
	}
	switch {
	case errors.Is(err, wire.ErrFormat):
		return unreadable(Event, err.Error())
	case err != nil:
		return judged(Event, err.Error())
	}
	return judged(Event, c.verifySchnorr(fieldPubkey, event.PubKey[:], event.ID[:], event.Sig[:]))
}

// maxShown is the largest number of bytes of a line that a message repeats.
const maxShown = 40

// quote returns text in quotation marks for a message. It limits the length, escapes characters that are not printable,
// and withholds text that may be a secret key.
func quote(text []byte) string { return strconv.Quote(beginning(text)) }

// beginning returns the beginning of text, and an ellipsis for the rest. It withholds text that may be a secret key.
func beginning(text []byte) string {
	text = text[:min(len(text), 4*maxShown)] // a secret key is shorter than this
	shown := show.Redact(string(text))
	if len(shown) <= maxShown {
		return shown
	}
	cut := maxShown
	for cut > maxShown-utf8.UTFMax && !utf8.RuneStart(shown[cut]) {
		cut--
	}
	return shown[:cut] + "…"
}

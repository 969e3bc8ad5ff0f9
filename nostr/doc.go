// Package nostr handles the events of Nostr (NIP-01). An Event is parsed strictly, signed and verified. Verifier
// verifies many events together, in a fraction of the time, and gives the reason for each bad event. Reader reads
// events from streams of lines, as relays send them and archives store them.
//
// The module also has packages wire, for programs that go from lines to verdicts without decoding;
// nip19, for keys as npub and nsec; and nip44, for encrypted messages.
//
// The JSON of an event is accepted only if no two parsers can disagree about it. It is refused if it is not UTF-8,
// has a name twice, half of a surrogate pair, a number with a fraction or an exponent, the number -0, upper-case
// hexadecimal digits, a kind beyond 65535, or anything after the object. An id is the SHA-256 of the serialization of
// NIP-01 to the letter: control characters are hashed verbatim, not as \u00xx, except the five whose escape sequence
// is a letter.
package nostr

// Package nostr is for the events of Nostr (NIP-01): Event is one, parsed strictly, signed and
// verified. Verifier verifies many events together, in a fraction of the time, and gives the
// reason for each bad event. Reader takes them from streams of lines, as relays send and
// archives keep them.
//
// The module also has packages wire, for programs that go from lines to verdicts without decoding;
// nip19, for keys as npub and nsec; and nip44, for encrypted messages.
//
// The JSON of an event is accepted if all agree on what it says. So it is refused if it is not
// UTF-8, has a name twice or half of a surrogate pair, a number with a fraction, an exponent or as
// -0, upper-case hexadecimal digits, a kind beyond 65535, or something behind it. An id is the
// SHA-256 of the serialization of NIP-01 to the letter: control characters other than the five that
// have a letter stand in it verbatim, not as \u00xx.
package nostr

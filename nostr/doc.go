// Package nostr parses, signs and verifies the events of Nostr (NIP-01). A Verifier verifies many events together, in
// much less time than one by one, and gives the reason for each bad event. A Reader reads events from streams of
// lines, as relays send them and archives store them.
//
// The module has three more packages: wire, for programs that verify lines without decoding events; nip19, for keys
// as npub and nsec; and nip44, for encrypted messages.
//
// The JSON of an event is accepted only if no two parsers can disagree about its meaning. It is refused if it is not
// UTF-8, contains a name twice, half of a surrogate pair, a number with a fraction or an exponent, the number -0,
// upper-case hexadecimal digits or a kind above 65535, or if anything follows the object. An id is the SHA-256 of the
// serialization exactly as NIP-01 defines it: control characters are hashed verbatim, not as \u00xx, except the five
// whose escape sequence is a letter.
package nostr

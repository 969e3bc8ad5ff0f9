// Package nostr parses, signs and verifies the events of Nostr (NIP-01). A Verifier verifies many events together,
// which takes much less time than verifying each event alone, and says why an event is invalid. A Reader reads events
// from streams of lines, which relays send and archives store.
//
// The module has three more packages. Package wire is for programs that verify lines without decoding events. Package
// nip19 encodes keys as npub and nsec. Package nip44 encrypts messages.
//
// The JSON of an event is accepted only if all programs read the same contents from it, except that JavaScript rounds a
// created_at above 2⁵³. It is refused if it
//
//   - is not UTF-8, or contains half of a surrogate pair,
//   - contains a name twice,
//   - gives created_at or kind with a fraction or an exponent, or as -0,
//   - gives id, pubkey or sig in upper-case hexadecimal digits, or a kind above 65535,
//   - nests arrays and objects more than 256 levels deep, or contains an object with more than 1,024 names, or
//   - is followed by further text.
//
// The id of an event is the SHA-256 of its serialization by NIP-01. In the serialization, control characters are
// verbatim, and not written as \u00xx. The exceptions are the five control characters whose escape sequence is a
// letter.
//
// The examples are in example_test.go.
package nostr

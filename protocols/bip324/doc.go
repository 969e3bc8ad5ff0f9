// Package bip324 implements the version 2 transport of Bitcoin's peer-to-peer protocol (BIP-324): an encrypted
// connection whose bytes all look random. In the terms of the BIP:
//
//  1. The initiator sends a 64-byte public key (ElligatorSwift) and up to 4095 bytes of garbage.
//  2. The responder waits for a byte that no v1 peer would send at this place, and then sends its own key and garbage.
//     If the initiator speaks v1, the error is a *V1Error.
//  3. Both sides agree on a secret (ECDH), and derive from it two keys per direction, a session id, and two garbage
//     terminators.
//  4. Each side sends its terminator, decoy packets if it wants to, and the version packet, which is empty.
//  5. A packet consists of its encrypted length (3 bytes) and of a header (1 byte) and the contents, which
//     ChaCha20-Poly1305 encrypts and extends by a tag (16 bytes).
//  6. The first packet of a direction also authenticates the garbage of that direction.
//  7. Only one bit of the header is used: a packet in which this bit is set is a decoy, which the receiver
//     authenticates and discards.
//  8. After 224 packets both ciphers of a direction derive new keys from the old keys, and the old keys are wiped.
//  9. The contents are a message: its type, in 1 or 13 bytes, and its payload. See ParseMessage.
//
// Client and Server make a Conn from a net.Conn. Event loops can use the protocol without a net.Conn: Handshake takes
// and returns bytes, and yields a Session, with a Sealer for outgoing packets and an Opener for incoming packets.
//
// Neither side is authenticated, so an attacker who is in the middle from the first byte on can read everything. Peers
// notice such an attacker if they compare their session ids over another channel. The end of a connection is not
// authenticated either, so an attacker can cut the connection between two packets.
//
// Secrets are wiped when they are no longer needed: the private key after the key agreement, the keys of the ciphers
// when new keys replace them, and all secrets at the end of the connection. The stack is wiped after each packet. The
// caller must wipe the contents of packets.
//
// The examples are in example_test.go.
package bip324

// Package bip324 is the version 2 transport of Bitcoin's peer-to-peer protocol (BIP-324): an encrypted connection
// whose bytes all look random. In the terms of the BIP:
//
//  1. The initiator sends a public key, 64 bytes (ElligatorSwift), and up to 4095 bytes of garbage.
//  2. The responder waits for a byte that no v1 peer sends first, and sends the same. If there is none, see V1Error.
//  3. Both agree on a secret (ECDH), and derive from it two keys per direction, a session id, and two garbage
//     terminators.
//  4. Each sends its terminator, decoy packets if it wants to, and the version packet, which is empty.
//  5. A packet is 3 bytes, the encrypted length, and a header of 8 bits, the contents and a tag (ChaCha20-Poly1305).
//  6. The first packet of a direction authenticates the garbage of that direction, too.
//  7. Only one bit of the header counts: a packet in which it is set is a decoy, which the receiver
//     authenticates and forgets.
//  8. After 224 packets both ciphers of a direction get new keys from the old ones, which are wiped.
//  9. Contents are a message: its type, 1 byte or 13, and its payload. See ParseMessage.
//
// Client and Server make a Conn from a net.Conn. Event loops can use the protocol without input and output: Handshake
// takes and returns bytes, and leads to a Sealer and an Opener, one for each direction.
//
// Neither side is authenticated: an attacker who is in the middle from the first byte on can read everything. Peers
// notice the attacker if they compare their session ids by other means. The end of a connection is not authenticated
// either: it may be cut between two packets.
//
// Secrets are wiped when they are used up: the private key after the agreement, keys when new ones replace them, and
// all of them at the end. The stack is wiped after each packet. The caller must wipe the contents.
package bip324

/**
 * This module implements secp256k1: keys and their tweaks, ECDSA, BIP-340 Schnorr
 * signatures, ECDH, and the keys and events of Nostr.
 *
 * Bytes are `Uint8Array`s, and integers in them are big-endian. The caller owns every array
 * that a function returns. A function throws a `TypeError` for an argument of the wrong
 * type, a `RangeError` for an argument of the wrong length, and an `Error` with the
 * message of the Go library for an invalid value, such as the secret key 0. Before it
 * returns, every function wipes its copies of secrets in the memory of WebAssembly.
 * The caller must wipe the arrays that it passes and the arrays that it gets.
 *
 * A function throws an `Error` if it is called while another call is running. This can only
 * happen if a replaced `crypto.getRandomValues` calls the module. If the module breaks
 * down, for instance because there is no memory or no randomness, all of its memory is
 * wiped, and each later call throws an `Error` that gives the reason. `load` can then start
 * another module.
 */

/** An array that the caller owns. It is a `Uint8Array<ArrayBuffer>` for compilers that distinguish kinds of buffers. */
export type Bytes = ReturnType<Uint8ArrayConstructor["of"]>;

/** A `WebAssembly.Module`. The type is `object`, because not every environment declares `WebAssembly.Module`. */
export type Module = object;

/** The source of the module: its address, its bytes, a response with the bytes, or a compiled module. It may come from another realm. */
export type Source = string | URL | Response | ArrayBuffer | ArrayBufferView | Module;

/**
 * Starts the module, by default from the file `p256k1.wasm` next to this script. Each call
 * starts an instance with a memory of its own. A page with a Content-Security-Policy must
 * allow `'wasm-unsafe-eval'`. A relative address is resolved against the page or the
 * worker, or against this script if there is neither. The promise is rejected with an
 * `Error` that names the address if the module cannot be fetched, read or compiled.
 */
export function load(source?: Source | Promise<Source>): Promise<Readonly<P256k1>>;

/**
 * Returns the bytes as lower-case hexadecimal digits, two per byte. The function is not
 * constant-time, and the string cannot be wiped.
 */
export function bytesToHex(bytes: Uint8Array): string;

/**
 * Returns the bytes that the hexadecimal digits encode. Throws an `Error` for any other
 * character, also for capital letters and white space, and a `RangeError` for an odd number
 * of characters. The function is not constant-time.
 */
export function hexToBytes(text: string): Bytes;

/** The fields of a Nostr event (NIP-01) from which its id is computed. */
export interface UnsignedEvent {
	readonly pubkey: string;
	readonly created_at: number;
	readonly kind: number;
	readonly tags: readonly (readonly string[])[];
	readonly content: string;
}

/** A signed Nostr event (NIP-01). */
export interface Event extends UnsignedEvent {
	readonly id: string;
	readonly sig: string;
}

/** The result of verifying an event. The reason is an English text for people. */
export type Verdict = { readonly valid: true } | { readonly valid: false; readonly reason: string };

/** A message with its BIP-340 signature, 64 bytes, and the x-only public key, 32 bytes. */
export interface SignedMessage {
	readonly signature: Uint8Array;
	readonly message: Uint8Array;
	readonly publicKey: Uint8Array;
}

/** The functions of the module. They do not use `this`, so they can be destructured. */
export interface P256k1 {
	/** Returns a new secret key, 32 bytes, from `crypto.getRandomValues`. */
	generateKey(): Bytes;

	/** Returns the compressed public key, 33 bytes, of a secret key. The last 32 bytes are the x-only key (BIP-340). */
	derive(secretKey: Uint8Array): Bytes;

	/**
	 * Returns the compressed encoding, 33 bytes, of a public key of 33 or 65 bytes, or of an
	 * x-only key of 32 bytes, which stands for the point with even y. Throws for an invalid
	 * key.
	 */
	compress(publicKey: Uint8Array): Bytes;

	/** Returns the uncompressed encoding, 65 bytes beginning with 4, of a public key of 32, 33 or 65 bytes, like `compress`. */
	uncompress(publicKey: Uint8Array): Bytes;

	/** Returns the npub (NIP-19), 63 characters, of an x-only public key of 32 bytes. Throws for an invalid key. */
	encodeNpub(publicKey: Uint8Array): string;

	/** Returns the x-only public key, 32 bytes, that an npub encodes. Throws for a mistyped text, another prefix or an invalid key. */
	decodeNpub(npub: string): Bytes;

	/** Returns the nsec (NIP-19), 63 characters, of a secret key. Keep it only as long as you need it, because a string cannot be wiped. */
	encodeNsec(secretKey: Uint8Array): string;

	/** Returns the secret key, 32 bytes, that an nsec encodes. Throws for a mistyped text, another prefix or an invalid key. Errors do not repeat the text. */
	decodeNsec(nsec: string): Bytes;

	/**
	 * Returns the secret key d + t mod n, 32 bytes, for the secret key d and the tweak t of
	 * 32 bytes (BIP-32). Throws if t is not below n, or if the sum is zero.
	 */
	secretKeyTweakAdd(secretKey: Uint8Array, tweak: Uint8Array): Bytes;

	/**
	 * Returns the public key P + t·G, compressed, for a public key P of 33 or 65 bytes and
	 * the tweak t of 32 bytes. The result is the public key of the secret key that
	 * `secretKeyTweakAdd` returns for the same tweak.
	 */
	publicKeyTweakAdd(publicKey: Uint8Array, tweak: Uint8Array): Bytes;

	/**
	 * Returns the secret key, 32 bytes, of a Taproot output key (BIP-341): d + t mod n. t is
	 * the tweak, and d is the secret key, negated if its public key has an odd y, because an
	 * x-only key stands for the point with even y.
	 */
	secretKeyTweakAddXOnly(secretKey: Uint8Array, tweak: Uint8Array): Bytes;

	/**
	 * Returns the Taproot output key (BIP-341), compressed, for an x-only key of 32 bytes and
	 * its tweak. The first byte, 2 or 3, gives the parity of y. The other 32 bytes are the
	 * x-only key.
	 */
	publicKeyTweakAddXOnly(publicKey: Uint8Array, tweak: Uint8Array): Bytes;

	/**
	 * Returns the BIP-340 signature, 64 bytes, of a message of any length. In Nostr and
	 * Bitcoin the message is a hash of 32 bytes. `auxRand` is the auxiliary randomness, 32
	 * bytes. If it is omitted, fresh randomness is used. If it is all zeros, the signature is
	 * deterministic.
	 */
	signSchnorr(message: Uint8Array, secretKey: Uint8Array, auxRand?: Uint8Array): Bytes;

	/** Returns whether the signature of the message by an x-only public key of 32 bytes is valid. Returns `false` for an invalid key. */
	verifySchnorr(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;

	/**
	 * Verifies many BIP-340 signatures together, which takes less time than calling
	 * `verifySchnorr` for each if all signatures are valid, and about as much time otherwise.
	 * Returns the indexes of the invalid items, in ascending order, or an empty array if all
	 * items are valid. An invalid signature passes with a probability of 2⁻¹²⁸, because a
	 * random combination of the signatures is tested. `verifyEvents` uses the same test.
	 */
	invalidSchnorr(items: readonly SignedMessage[]): number[];

	/** Returns the ECDSA signature r‖s, 64 bytes, of a digest of 32 bytes. The nonce follows RFC 6979, and s ≤ (n − 1)/2. */
	signEcdsa(digest: Uint8Array, secretKey: Uint8Array): Bytes;

	/** Returns r‖s‖v, 65 bytes: the signature that `signEcdsa` returns and its recovery id v, from 0 to 3. */
	signRecoverable(digest: Uint8Array, secretKey: Uint8Array): Bytes;

	/**
	 * Returns whether the signature r‖s of the digest by a public key of 33 or 65 bytes is
	 * valid. If `lowS` is true, a signature is only valid if s ≤ (n − 1)/2, as Ethereum and
	 * Bitcoin's relaying nodes require. Returns `false` for an invalid key.
	 */
	verifyEcdsa(signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array, options?: { lowS?: boolean }): boolean;

	/** Returns the strict DER encoding, at most 72 bytes, of a signature r‖s. */
	encodeDer(signature: Uint8Array): Bytes;

	/** Returns the signature r‖s, 64 bytes, that a strict DER encoding contains. */
	decodeDer(der: Uint8Array): Bytes;

	/**
	 * Returns the compressed public key for which r‖s‖v is a valid signature of the digest.
	 * Any digest leads to some key, so compare the key with the expected key.
	 */
	recover(signature: Uint8Array, digest: Uint8Array): Bytes;

	/** Returns the SHA-256 of the compressed shared point, 32 bytes, as libsecp256k1 does, for a public key of 33 or 65 bytes. */
	ecdh(secretKey: Uint8Array, publicKey: Uint8Array): Bytes;

	/** Returns the x coordinate of the shared point, 32 bytes, for a public key of 33 or 65 bytes, or an x-only key of 32 bytes. Hash the result before using it as a key. */
	ecdhX(secretKey: Uint8Array, publicKey: Uint8Array): Bytes;

	/**
	 * Returns the conversation key of NIP-44, version 2, 32 bytes, for an x-only public key of
	 * 32 bytes: the HKDF-extract with SHA-256 of the result of `ecdhX`, with the salt
	 * "nip44-v2". Both sides get the same key. NIP-44 derives the keys of each message from
	 * this key.
	 */
	nip44ConversationKey(secretKey: Uint8Array, publicKey: Uint8Array): Bytes;

	/** Returns the id of an event, 32 bytes, which the author of the event signs. Throws a `TypeError` for a field that `verifyEvents` would refuse. */
	eventId(event: UnsignedEvent): Bytes;

	/**
	 * Returns the event with its `id`, the `pubkey` of the secret key and the signature `sig`.
	 * The result shares the array `tags` with the event that was passed. Throws an `Error` if
	 * the event has another `pubkey`, and a `TypeError` for a field that `verifyEvents` would
	 * refuse. `auxRand` has the same meaning as for `signSchnorr`.
	 *
	 * Other programs refuse some events that are signed: control characters for which NIP-01
	 * has no escape sequence give another id in strfry, nostr-tools and go-nostr, an empty tag
	 * is an error in strfry, and a negative `created_at` in strfry and rust-nostr.
	 */
	signEvent(event: Omit<UnsignedEvent, "pubkey"> & { readonly pubkey?: string }, secretKey: Uint8Array, auxRand?: Uint8Array): Event;

	/**
	 * Verifies the fields, the id and the signature of events. `events` is an array of
	 * objects, or text with one event in JSON on each line. The result has a verdict on each
	 * event, in order. The function never throws because of an event. Lines that consist of
	 * spaces, tabs and carriage returns are skipped and get no verdict, and a byte order mark at the
	 * beginning is ignored. Each field of an object is read only once.
	 *
	 * The id is the SHA-256 of the event's serialization by NIP-01. Control characters for
	 * which NIP-01 has no escape sequence are hashed verbatim, whereas `JSON.stringify` writes
	 * \u00xx for them. The reason for an event that was hashed in this way says so.
	 *
	 * `id`, `pubkey` and `sig` must consist of lower-case hexadecimal digits. `created_at` must be
	 * an integer from −(2⁵³ − 1) to 2⁵³ − 1, and `kind` an integer from 0 to 65535. Neither
	 * may be −0. No string may contain half of a surrogate pair. The content and the tags of
	 * an event may have at most 2²⁵ UTF-16 code units, to which each tag and each string in a
	 * tag adds 3.
	 *
	 * Other fields are ignored. The command `p256k1 verify` gives the same verdicts, with the
	 * following exceptions. `JSON.parse` reads some lines that the command calls unreadable:
	 * - numbers that are not written as integers: 1e3 and 1000.0 mean 1000, and a number with
	 *   more digits than a double holds is rounded, 9007199254740991.1 to 9007199254740991;
	 * - objects with the same name twice, of which the last counts, or with over 1024 names;
	 * - nesting deeper than 256 levels and halves of surrogate pairs, in other fields;
	 * - lines longer than the command's `--max-line`, by default 16 MiB;
	 * - text that was not UTF-8, which has U+FFFD in place of the malformed bytes.
	 *
	 * The command accepts some lines that this function calls bad: events whose `created_at`
	 * is a 64-bit integer outside the range above, longer events if `--max-line` permits them,
	 * and lines with signatures or tweaks instead of events.
	 */
	verifyEvents(events: readonly unknown[] | string): Verdict[];

	/** A view of the module's current memory, for tests that search it for secrets. */
	readonly memory: Uint8Array;
}

/**
 * secp256k1: keys, ECDSA, BIP-340 Schnorr signatures, ECDH and Nostr events.
 *
 * Bytes are `Uint8Array`s, integers in them big-endian, and what functions return is
 * the caller's own. An argument of the wrong type is a `TypeError`, one of the wrong
 * length a `RangeError`, and a value that is none an `Error` with the message of the
 * Go library. The copies of arguments and results in the memory of WebAssembly are
 * wiped before a function returns; wiping the arrays is up to the caller.
 *
 * A call while another one runs, which takes a `crypto.getRandomValues` that calls
 * back, is an `Error`. If the module breaks down, say because there is no memory or
 * no randomness, all of its memory is wiped, and each call from then on is an `Error`
 * that says why: `load` another.
 */

/** An array that is the caller's own: a `Uint8Array<ArrayBuffer>` to compilers that tell kinds of buffers apart. */
export type Bytes = ReturnType<Uint8ArrayConstructor["of"]>;

/** A `WebAssembly.Module`, for which not every environment has a type. */
export type Module = object;

/** Where the module comes from: its address, its bytes, a response with them, or what was compiled of them. */
export type Source = string | URL | Response | ArrayBuffer | ArrayBufferView | Module;

/**
 * Starts the module, by default `p256k1.wasm` beside this script. Each call makes an
 * instance with a memory of its own. A page with a Content-Security-Policy has to
 * allow `'wasm-unsafe-eval'`. A string that is no whole address is taken relative to
 * the page or worker, and relative to this script where there is neither. What cannot
 * be fetched, read or compiled is an `Error` that names the address.
 */
export function load(source?: Source | Promise<Source>): Promise<Readonly<P256k1>>;

/**
 * Returns the bytes as lower-case hexadecimal digits, two a byte. Not constant-time, and
 * a string cannot be wiped.
 */
export function bytesToHex(bytes: Uint8Array): string;

/**
 * Returns the bytes that the hexadecimal digits encode. Capital letters, white space and
 * 0x are an `Error`, and an odd number of characters is a `RangeError`. Not constant-time.
 */
export function hexToBytes(text: string): Bytes;

/** An event of Nostr (NIP-01) with what its id is made of. */
export interface UnsignedEvent {
	readonly pubkey: string;
	readonly created_at: number;
	readonly kind: number;
	readonly tags: readonly (readonly string[])[];
	readonly content: string;
}

/** An event of Nostr (NIP-01). */
export interface Event extends UnsignedEvent {
	readonly id: string;
	readonly sig: string;
}

/** What became of an event. */
export type Verdict = { readonly valid: true } | { readonly valid: false; readonly reason: string };

/** A message with its signature of BIP-340, 64 bytes, and the x-only public key, 32 bytes. */
export interface SignedMessage {
	readonly signature: Uint8Array;
	readonly message: Uint8Array;
	readonly publicKey: Uint8Array;
}

/** The functions. None of them needs its `this`. */
export interface P256k1 {
	/** Returns a new secret key, 32 bytes, from `crypto.getRandomValues`. */
	generateKey(): Bytes;

	/** Returns the compressed public key, 33 bytes, of a secret key. What follows its first byte is the x-only key of BIP-340. */
	derive(secretKey: Uint8Array): Bytes;

	/**
	 * Returns the compressed encoding, 33 bytes, of a public key of 33 or 65 bytes or an
	 * x-only one of 32, which stands for the point with even y. Throws for an invalid key.
	 */
	compress(publicKey: Uint8Array): Bytes;

	/** Returns the uncompressed encoding, 65 bytes beginning with 4, of a public key as `compress` takes it. */
	uncompress(publicKey: Uint8Array): Bytes;

	/** Returns the npub (NIP-19), 63 characters, of an x-only public key of 32 bytes. Throws for an invalid key. */
	encodeNpub(publicKey: Uint8Array): string;

	/** Returns the x-only public key, 32 bytes, that an npub holds. Throws for a mistyped text, another prefix and an invalid key. */
	decodeNpub(npub: string): Bytes;

	/** Returns the nsec (NIP-19), 63 characters, of a secret key. Keep it only as long as you need it, because a string cannot be wiped. */
	encodeNsec(secretKey: Uint8Array): string;

	/** Returns the secret key, 32 bytes, that an nsec holds. Errors are as those of `decodeNpub`, and repeat nothing of the text. */
	decodeNsec(nsec: string): Bytes;

	/**
	 * Returns the secret key d + t mod n, 32 bytes, for the secret key d and the tweak t of
	 * 32 bytes (BIP-32). Throws if t is not below n, or if the sum is zero.
	 */
	secretKeyTweakAdd(secretKey: Uint8Array, tweak: Uint8Array): Bytes;

	/**
	 * Returns the public key P + t·G, compressed, for a public key P of 33 or 65 bytes and
	 * the tweak t of 32 bytes: the public key of what `secretKeyTweakAdd` returns.
	 */
	publicKeyTweakAdd(publicKey: Uint8Array, tweak: Uint8Array): Bytes;

	/**
	 * Returns the secret key, 32 bytes, of the output key of BIP-341. If the public key of d
	 * has an odd y, d is negated first, because an x-only key stands for the point with even y.
	 */
	secretKeyTweakAddXOnly(secretKey: Uint8Array, tweak: Uint8Array): Bytes;

	/**
	 * Returns the output key of BIP-341, compressed, for an x-only key of 32 bytes and its
	 * tweak. The first byte, 2 or 3, tells the parity of y. The other 32 are the x-only key.
	 */
	publicKeyTweakAddXOnly(publicKey: Uint8Array, tweak: Uint8Array): Bytes;

	/**
	 * Returns the signature of BIP-340, 64 bytes, of a message of any length. Nostr and
	 * Bitcoin sign hashes: pass those. `auxRand` is the auxiliary randomness, 32 bytes:
	 * fresh ones if it is left out; zeros make signatures deterministic.
	 */
	signSchnorr(message: Uint8Array, secretKey: Uint8Array, auxRand?: Uint8Array): Bytes;

	/** Tells whether the signature of the message by an x-only public key of 32 bytes is valid. What is no key is no error but `false`. */
	verifySchnorr(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;

	/**
	 * Returns the indexes, in ascending order, of the items that `verifySchnorr` would call
	 * not valid, in less time than one by one. It returns an empty array if all are valid.
	 * An invalid signature passes with probability 2⁻¹²⁸, as in `verifyEvents`.
	 */
	invalidSchnorr(items: readonly SignedMessage[]): number[];

	/** Returns the signature r‖s of a digest of 32 bytes, 64 bytes, with the nonce of RFC 6979 and a low s. */
	signEcdsa(digest: Uint8Array, secretKey: Uint8Array): Bytes;

	/** Returns the signature of `signEcdsa` and its recovery id v, 0 to 3: r‖s‖v, 65 bytes. */
	signRecoverable(digest: Uint8Array, secretKey: Uint8Array): Bytes;

	/**
	 * Tells whether the signature r‖s of the digest by a public key of 33 or 65 bytes is
	 * valid: with `lowS` only if s ≤ (n − 1)/2, as Ethereum and Bitcoin's relays have it.
	 * What is no key is no error but `false`.
	 */
	verifyEcdsa(signature: Uint8Array, digest: Uint8Array, publicKey: Uint8Array, options?: { lowS?: boolean }): boolean;

	/** Returns the strict DER encoding, at most 72 bytes, of a signature r‖s. */
	encodeDer(signature: Uint8Array): Bytes;

	/** Returns the signature r‖s which strict DER encodes. */
	decodeDer(der: Uint8Array): Bytes;

	/**
	 * Returns the compressed public key whose signature r‖s‖v of the digest this is. Any
	 * digest leads to some key: compare it with the one that you expect.
	 */
	recover(signature: Uint8Array, digest: Uint8Array): Bytes;

	/** Returns the SHA-256 of the compressed shared point, 32 bytes, as libsecp256k1 does, for a public key of 33 or 65 bytes. */
	ecdh(secretKey: Uint8Array, publicKey: Uint8Array): Bytes;

	/** Returns the x coordinate of the shared point, 32 bytes, for a public key of 33 or 65 bytes or an x-only one of 32. Hash it before using it as a key. */
	ecdhX(secretKey: Uint8Array, publicKey: Uint8Array): Bytes;

	/**
	 * Returns the conversation key of NIP-44, version 2, 32 bytes, for an x-only public
	 * key of 32: the HKDF-extract with SHA-256 of `ecdhX` with the salt "nip44-v2". Both
	 * sides get the same. Each message's keys are to be expanded from it.
	 */
	nip44ConversationKey(secretKey: Uint8Array, publicKey: Uint8Array): Bytes;

	/** Returns the id of an event, 32 bytes: what its author signs. What `verifyEvents` finds wrong with it is a `TypeError`. */
	eventId(event: UnsignedEvent): Bytes;

	/**
	 * Returns the event with its id, the public key of the secret key and the signature.
	 * `tags` stays the array that was passed. A `pubkey` that is there must be that of the
	 * secret key. What `verifyEvents` would find wrong with the other fields is a
	 * `TypeError`. `auxRand` is as for `signSchnorr`.
	 */
	signEvent(event: Omit<UnsignedEvent, "pubkey"> & { readonly pubkey?: string }, secretKey: Uint8Array, auxRand?: Uint8Array): Event;

	/**
	 * Verifies events, shape, id and signature: an array of objects, or text with one in
	 * JSON on each line. Nothing that an event may hold is an error: each gets a verdict,
	 * in order. Blank lines, of spaces, tabs and returns, are skipped and get none; nor
	 * does a byte order mark at the beginning count. Of an object each field is read once.
	 *
	 * The id is the SHA-256 of what NIP-01 says: control characters without an escape
	 * sequence of their own are hashed verbatim, where `JSON.stringify` writes \u00xx.
	 *
	 * `id`, `pubkey` and `sig` are in lower-case hexadecimal digits. `created_at` and
	 * `kind` are integers, from −(2⁵³ − 1) to 2⁵³ − 1 and from 0 to 65535, and not −0. No
	 * string has half of a surrogate pair. An event of more than 2²⁵ UTF-16 code units,
	 * its content and, with 3 more for each tag and each string in one, its tags, is bad.
	 *
	 * Other fields are ignored, as by the command `p256k1 verify`, which gives the same
	 * verdicts but on lines like these. Since `JSON.parse` reads them, valid here may be
	 * what the command calls unreadable:
	 * - numbers that are not written as integers: 1e3 and 1000.0 are 1000, and what has
	 *   more digits than a double is rounded, 9007199254740991.1 to 9007199254740991;
	 * - objects with a name twice, of which the last counts, or with over 1024 names;
	 * - in other fields, nesting deeper than 256 and halves of surrogate pairs;
	 * - lines longer than its `--max-line`, 16 MiB;
	 * - text that was not UTF-8, with U+FFFD in place of what was not.
	 *
	 * Bad here are what the command may call good: `created_at` of 64 bits that is not in
	 * the range above, longer events if `--max-line` lets them pass, and lines which are
	 * no events but signatures or tweaks.
	 */
	verifyEvents(events: readonly unknown[] | string): Verdict[];

	/** A view of the memory of WebAssembly as it is now, to see what lies in it. */
	readonly memory: Uint8Array;
}

// Checks that no secret is left in the memory of WebAssembly. The test searches for secret keys, their negations,
// nonces, the values that nonces are made from, and shared secrets. It searches for each in three orders of bytes, and
// in parts of 8 bytes, because a copy may be partly overwritten.
import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { test } from "node:test";
import { calls, hex, load, unhex, withRandom } from "./library.js";

const n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const integer = (bytes) => BigInt(`0x${hex(bytes)}`);
const encode = (x) => unhex(x.toString(16).padStart(64, "0"));
const join = (parts) => Buffer.concat(parts.map((part) => Buffer.from(part)));
const sha256 = (...parts) => new Uint8Array(createHash("sha256").update(join(parts)).digest());
const tagged = (tag, ...parts) => sha256(sha256(Buffer.from(tag)), sha256(Buffer.from(tag)), ...parts);
const hmac = (key, ...parts) => new Uint8Array(createHmac("sha256", key).update(join(parts)).digest());

/** innerHash returns the inner hash of HMAC, for a key that is shorter than a block. */
function innerHash(key, message) {
	const block = new Uint8Array(64);
	block.set(Buffer.from(key));
	return sha256(block.map((b) => b ^ 0x36), message);
}

/** orders returns the bytes of a secret as they lie in memory: encoded, as limbs, and as the words of SHA-256. */
function orders(secret) {
	const limbs = secret.slice().reverse();
	return [secret, limbs, new Uint8Array(new Uint32Array(limbs.slice().buffer).reverse().buffer)];
}

/** parts returns the parts of a secret to search for. */
function parts(secret) {
	const found = [];
	for (const order of orders(secret)) {
		for (let i = 0; i < secret.length; i += 8) found.push(Buffer.from(order.subarray(i, i + 8)));
	}
	return found;
}

/** find returns the places in memory with parts of secrets. */
function find(memory, secrets) {
	const bytes = Buffer.from(memory.buffer);
	const found = [];
	for (const [name, secret] of Object.entries(secrets)) {
		for (const part of parts(secret)) {
			const place = bytes.indexOf(part);
			if (place >= 0) found.push(`${name} at ${place}`);
		}
	}
	return found;
}

/** secretsOf returns the secret values that occur while a digest is signed with a key. */
function secretsOf(key, digest, pub, aux) {
	const d = integer(key);
	const negated = encode(n - d);
	// BIP-340
	const even = pub[0] === 2 ? key : negated;
	const masked = even.map((b, i) => b ^ tagged("BIP0340/aux", aux)[i]);
	const k = integer(tagged("BIP0340/nonce", masked, pub.slice(1), digest)) % n;
	// RFC 6979, section 3.2
	let V = new Uint8Array(32).fill(1), K = new Uint8Array(32);
	const h = encode(integer(digest) % n);
	for (const step of [0, 1]) {
		K = hmac(K, V, [step], key, h);
		V = hmac(K, V);
	}
	V = hmac(K, V);
	return {
		"secret key": key, "negated key": negated,
		"masked key of BIP-340": masked, "nonce of BIP-340": encode(k), "negated nonce of BIP-340": encode(n - k),
		"nonce of RFC 6979": V, "negated nonce of RFC 6979": encode(n - integer(V)), "key of RFC 6979": K,
	};
}

test("no secret stays in the memory", async (t) => {
	const p = await load();
	const peer = p.derive(p.generateKey());
	const rounds = 6;
	let seen = 0, looked = 0;
	for (let i = 0; i < rounds; i++) {
		const key = p.generateKey();
		assert.deepEqual(find(p.memory, { "generated key": key }), []);
		const digest = sha256(key, [1]);
		const aux = sha256(key, [2]);
		const pub = p.derive(key);
		const secrets = secretsOf(key, digest, pub, aux);
		p.signSchnorr(digest, key, aux);
		const signature = p.signEcdsa(digest, key);
		// These nonces were really used: the signature has r = x(k·G).
		assert.deepEqual(p.derive(secrets["nonce of RFC 6979"]).slice(1), signature.slice(0, 32));
		assert.deepEqual(p.derive(secrets["nonce of BIP-340"]).slice(1), p.signSchnorr(digest, key, aux).slice(0, 32));
		const big = new Uint8Array(5 << 20);
		p.signSchnorr(big, key, aux); // with a large buffer, which is replaced afterwards
		secrets["shared x"] = p.ecdhX(key, peer);
		for (const [name, args] of Object.entries(calls(p, key))) {
			const result = p[name](...args);
			if (args.includes(key) && result.length === 32) secrets[name] = result;
		}
		secrets["inner hash of NIP-44"] = innerHash("nip44-v2", secrets["shared x"]);
		const tweak = secrets["tweak"] = sha256(key, [3]);
		secrets["sum with the tweak"] = p.secretKeyTweakAdd(key, tweak);
		secrets["sum of BIP-341"] = p.secretKeyTweakAddXOnly(key, tweak);
		p.publicKeyTweakAdd(pub, tweak);
		assert.throws(() => p.secretKeyTweakAdd(key, new Uint8Array(32).fill(255)));
		const nsec = p.encodeNsec(key);
		secrets["nsec"] = new TextEncoder().encode(nsec.slice(5, 61));
		assert.deepEqual(p.decodeNsec(nsec), key);
		assert.throws(() => p.decodeNsec(nsec.slice(1)));
		assert.throws(() => p.decodeNsec(nsec.replace(/.$/, "b")));
		assert.throws(() => p.ecdh(key, new Uint8Array(33).fill(5)));
		assert.throws(() => p.nip44ConversationKey(key, new Uint8Array(32).fill(255)));
		assert.deepEqual(find(p.memory, secrets), [], `round ${i}`);
		looked += Object.keys(secrets).length;

		// During signing the key is in memory: the search runs when randomness is requested.
		await withRandom((real, array) => {
			seen += find(p.memory, { key }).length > 0 ? 1 : 0;
			return real(array);
		}, () => p.signSchnorr(digest, key));
		assert.deepEqual(find(p.memory, { key }), []);
	}
	assert.equal(seen, rounds, "the search has to find the key during a call");
	t.diagnostic(`result: of ${looked} secrets of ${rounds} keys none was left in ${(p.memory.length / 2 ** 20).toFixed(1)} MiB; each key was found there during its call`);
});

// Go's collector runs between and during the calls, stacks that were too small return to a pool and are reused, and the
// memory grows.
test("no secret stays in the memory after many calls", async (t) => {
	const p = await load();
	const before = p.memory.length;
	const peer = p.derive(p.generateKey()), x = peer.slice(1), digest = new Uint8Array(32).fill(1);
	const words = new Map(); // all words that the secrets consist of, each with its name
	const remember = (name, secret) => {
		for (const order of orders(secret)) for (const word of new BigUint64Array(order.slice().buffer)) words.set(word, name);
	};
	const keys = 300;
	for (let i = 0; i < keys; i++) {
		const key = p.generateKey();
		remember("secret key", key);
		remember("negated key", encode(n - integer(key)));
		p.derive(key);
		p.signEcdsa(digest, key);
		p.signSchnorr(i % 10 === 0 ? new Uint8Array(i << 14) : digest, key);
		remember("shared x", p.ecdhX(key, x));
		remember("hashed shared point", p.ecdh(key, peer));
		remember("conversation key", p.nip44ConversationKey(key, x));
		if (i === 150) p.verifySchnorr(new Uint8Array(64), new Uint8Array(40 << 20), x);
	}
	assert.ok(p.memory.length > before + (40 << 20), "the memory has to grow");
	const look = () => new Set(new BigUint64Array(p.memory.buffer).reduce((found, word) => (words.has(word) ? [...found, words.get(word)] : found), []));
	assert.deepEqual(look(), new Set());
	const [word] = words.keys();
	new BigUint64Array(p.memory.buffer).set([word], 1000);
	assert.deepEqual(look(), new Set(["secret key"]), "the search has to find what was planted");
	t.diagnostic(`result: of the ${words.size} words of ${keys} keys and what was made of them none was left in ${(p.memory.length / 2 ** 20).toFixed(1)} MiB`);
});

test("a module that breaks down leaves nothing behind", async () => {
	const p = await load();
	const key = p.generateKey();
	const noText = () => { throw { toString() { throw new Error("no text either"); } }; };
	await withRandom(noText, () => assert.throws(() => p.signSchnorr(key, key)));
	assert.ok(p.memory.every((b) => b === 0));
	assert.throws(() => p.derive(key), /the module broke down/);
});

test("the search finds what was planted", async () => {
	const p = await load();
	const key = p.generateKey();
	for (const part of parts(key)) {
		const { memory } = p;
		const place = memory.length - 1000;
		memory.set(part, place);
		assert.equal(find(memory, { key }).length, 1);
		memory.fill(0, place, place + 8);
	}
	assert.deepEqual(find(p.memory, { key }), []);
});

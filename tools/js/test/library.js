// Code that the tests share: the built library, and the paths of the public vectors.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

export const module = fileURLToPath(new URL("..", import.meta.url)); // the folder js
export const dist = path.join(module, "dist");

for (const source of ["p256k1.js", "p256k1.d.ts", "package/package.json"]) {
	let built;
	try {
		built = readFileSync(path.join(dist, path.basename(source)), "utf8");
	} catch {
		throw new Error("nothing is built: go run ./tools/js/build -o tools/js/dist");
	}
	assert.equal(built, readFileSync(path.join(module, source), "utf8"), "tools/js/dist is out of date: go run ./tools/js/build -o tools/js/dist");
}

export const { load, bytesToHex, hexToBytes } = await import("../dist/p256k1.js");

const folder = process.env.P256K1_VECTORS;

/** vectors defines a test that is given the text of a file. If P256K1_VECTORS is not set, the test is skipped, or fails under CI. */
export function vectors(title, name, f) {
	test(title, (t) => {
		assert.ok(folder || !process.env.CI, "P256K1_VECTORS is not set");
		return folder ? f(readFileSync(path.join(folder, name), "utf8"), t) : t.skip("P256K1_VECTORS is not set");
	});
}

/** replaced runs f while properties of an object are replaced. */
export async function replaced(object, properties, f) {
	const real = Object.keys(properties).map((name) => [name, Object.getOwnPropertyDescriptor(object, name)]);
	for (const [name, value] of Object.entries(properties)) Object.defineProperty(object, name, { value, configurable: true, writable: true });
	try {
		return await f();
	} finally {
		for (const [name, descriptor] of real) descriptor ? Object.defineProperty(object, name, descriptor) : delete object[name];
	}
}

/** withRandom runs f while crypto.getRandomValues is replaced by another function, which is given the real one. */
export function withRandom(other, f) {
	const real = crypto.getRandomValues.bind(crypto);
	return replaced(crypto, { getRandomValues: (array) => other(real, array) }, f);
}

/** noRandom is a function for withRandom that fails. */
export function noRandom() {
	throw new Error("no randomness");
}

/** cases is the number of random cases in a test. */
export const cases = Number(process.env.P256K1_CASES || 200);

export const hex = (bytes) => Buffer.from(bytes).toString("hex");
export const unhex = (text) => new Uint8Array(Buffer.from(text, "hex"));

/** calls returns valid arguments for each function of a library, by its name, with the given secret key. */
export function calls(p, key) {
	const pub = p.derive(key), x = pub.slice(1), tweak = new Uint8Array(32).fill(1), recoverable = p.signRecoverable(tweak, key);
	const ecdsa = recoverable.slice(0, 64), schnorr = p.signSchnorr(tweak, key, tweak), item = { signature: schnorr, message: tweak, publicKey: x };
	const event = p.signEvent({ created_at: 1, kind: 1, tags: [["a", "b"]], content: "c" }, key, tweak);
	const all = {
		generateKey: [], derive: [key], compress: [x], uncompress: [pub], encodeNpub: [x], decodeNpub: [p.encodeNpub(x)], encodeNsec: [key], decodeNsec: [p.encodeNsec(key)],
		secretKeyTweakAdd: [key, tweak], publicKeyTweakAdd: [pub, tweak], secretKeyTweakAddXOnly: [key, tweak], publicKeyTweakAddXOnly: [x, tweak],
		signSchnorr: [tweak, key, tweak], verifySchnorr: [schnorr, tweak, x], invalidSchnorr: [Array(60).fill(item)],
		signEcdsa: [tweak, key], signRecoverable: [tweak, key], verifyEcdsa: [ecdsa, tweak, pub, { lowS: true }], encodeDer: [ecdsa], decodeDer: [p.encodeDer(ecdsa)],
		recover: [recoverable, tweak], ecdh: [key, pub], ecdhX: [key, x], nip44ConversationKey: [key, x], eventId: [event], signEvent: [event, key, tweak], verifyEvents: [Array(60).fill(event)],
	};
	assert.deepEqual(Object.keys(all).concat("memory").sort(), Object.keys(p).sort());
	return all;
}

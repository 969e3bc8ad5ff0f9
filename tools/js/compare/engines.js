// Each engine wraps a library, and has the same operations on an input as the other engines. Whatever a library must
// load or decode beforehand is done when the engine opens, so that the timed calls are the calls that users make.
import { readFileSync } from "node:fs";

const version = (name) => JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url))).version;

/** Each function opens an engine, which has a function for each operation on input i. */
export const engines = {
	p256k1: async () => {
		const { load } = await import("../dist/p256k1.js");
		const p = await load();
		return {
			backend: "wasm", version: "of this repository",
			derive: (i) => p.derive(i.secret),
			"ecdsa-sign": (i) => p.signEcdsa(i.digest, i.secret),
			"ecdsa-verify": (i) => p.verifyEcdsa(i.ecdsa, i.digest, i.pub, { lowS: true }),
			"schnorr-sign": (i) => p.signSchnorr(i.digest, i.secret, i.aux),
			"schnorr-verify": (i) => p.verifySchnorr(i.schnorr, i.digest, i.xOnly),
			"schnorr-batch": (i) => p.invalidSchnorr(i.batch).length === 0,
			"ecdh-x": (i) => p.ecdhX(i.secret, i.peer),
			recover: (i) => p.recover(i.recoverable, i.digest),
		};
	},
	"tiny-secp256k1": async () => {
		const tiny = await import("tiny-secp256k1");
		return {
			backend: "wasm", version: version("tiny-secp256k1"),
			derive: (i) => tiny.pointFromScalar(i.secret, true),
			"ecdsa-sign": (i) => tiny.sign(i.digest, i.secret),
			"ecdsa-verify": (i) => tiny.verify(i.digest, i.pub, i.ecdsa, true),
			"schnorr-sign": (i) => tiny.signSchnorr(i.digest, i.secret, i.aux),
			"schnorr-verify": (i) => tiny.verifySchnorr(i.digest, i.xOnly, i.schnorr),
			"schnorr-batch": (i) => i.batch.every((one) => tiny.verifySchnorr(one.message, one.publicKey, one.signature)),
			"ecdh-x": (i) => tiny.pointMultiply(i.peer, i.secret, true).slice(1),
			recover: (i) => tiny.recover(i.digest, i.ecdsa, i.recoverable[64], true),
		};
	},
	"noble-secp256k1": async () => {
		const noble = await import("@noble/secp256k1");
		const { sha256 } = await import("@noble/hashes/sha2.js");
		const { hmac } = await import("@noble/hashes/hmac.js");
		noble.hashes.sha256 = sha256;
		noble.hashes.hmacSha256 = (key, message) => hmac(sha256, key, message);
		return { version: version("@noble/secp256k1"), ...nobles(noble, noble.schnorr) };
	},
	"noble-curves": async () => {
		const { secp256k1, schnorr } = await import("@noble/curves/secp256k1.js");
		return { version: version("@noble/curves"), ...nobles(secp256k1, schnorr) };
	},
};

// nobles has the calls that the two noble libraries have in common.
function nobles(ecdsa, schnorr) {
	const digest = { prehash: false };
	return {
		backend: "JavaScript",
		derive: (i) => ecdsa.getPublicKey(i.secret, true),
		"ecdsa-sign": (i) => ecdsa.sign(i.digest, i.secret, digest),
		"ecdsa-verify": (i) => ecdsa.verify(i.ecdsa, i.digest, i.pub, digest),
		"schnorr-sign": (i) => schnorr.sign(i.digest, i.secret, i.aux),
		"schnorr-verify": (i) => schnorr.verify(i.schnorr, i.digest, i.xOnly),
		"schnorr-batch": (i) => i.batch.every((one) => schnorr.verify(one.signature, one.message, one.publicKey)),
		"ecdh-x": (i) => ecdsa.getSharedSecret(i.secret, i.peer, true).slice(1),
		recover: (i) => ecdsa.recoverPublicKey(i.nobleRecoverable, i.digest, digest),
	};
}

/** For each operation, a description of one call, and a function that returns the expected result for an input. */
export const ops = {
	"ecdsa-verify": ["parse a compressed public key and r‖s, verify, low s only", () => true],
	"ecdsa-sign": ["from the bytes of a secret key to r‖s", (i) => i.ecdsa],
	"schnorr-verify": ["parse an x-only public key, verify a BIP-340 signature of 32 bytes", () => true],
	"schnorr-batch": ["the same for all inputs in one call, or one by one if a library has no batches; per signature", () => true],
	"schnorr-sign": ["from the bytes of a secret key to a BIP-340 signature of 32 bytes, auxiliary randomness 0", (i) => i.schnorr],
	derive: ["from the bytes of a secret key to the bytes of its compressed public key", (i) => i.pub],
	"ecdh-x": ["from the bytes of both keys to x of the shared point", (i) => i.shared],
	recover: ["from a signature with recovery id to the compressed public key", (i) => i.pub],
};

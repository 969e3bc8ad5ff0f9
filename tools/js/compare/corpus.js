// Makes the inputs of the comparison, which depend only on the seed.
import { createECDH, createHash } from "node:crypto";

const sha256 = (text) => new Uint8Array(createHash("sha256").update(text).digest());

/** corpus makes n inputs with this library. It compares the public keys with OpenSSL's, and takes the shared secrets from OpenSSL. */
export async function corpus(seed, n) {
	const { load } = await import("../dist/p256k1.js");
	const p = await load();
	const inputs = [];
	for (let i = 0; i < n; i++) {
		const secret = sha256(`${seed} secret ${i}`); // practically always below the group order
		const digest = sha256(`${seed} digest ${i}`);
		const aux = new Uint8Array(32);
		const pub = p.derive(secret);
		const recoverable = p.signRecoverable(digest, secret);
		inputs.push({
			secret, digest, aux, pub, xOnly: pub.slice(1), recoverable, ecdsa: recoverable.slice(0, 64),
			nobleRecoverable: Uint8Array.from([recoverable[64], ...recoverable.subarray(0, 64)]),
			schnorr: p.signSchnorr(digest, secret, aux),
		});
	}
	const openssl = createECDH("secp256k1");
	for (const [i, input] of inputs.entries()) {
		input.peer = inputs[(i + n - 1) % n].pub;
		openssl.setPrivateKey(input.secret);
		input.shared = new Uint8Array(openssl.computeSecret(input.peer));
		if (Buffer.compare(openssl.getPublicKey(null, "compressed"), input.pub) !== 0) throw new Error(`public key ${i} is not OpenSSL's`);
	}
	const batch = inputs.map(({ schnorr, digest, xOnly }) => ({ signature: schnorr, message: digest, publicKey: xOnly }));
	for (const input of inputs) input.batch = batch;
	return inputs;
}

// Tests the library with public vectors: BIP-340, RFC 6979, Wycheproof, NIP-44, tweaks of tiny-secp256k1 and bcrypto,
// and BIP-341.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { hex, load, unhex, vectors } from "./library.js";

const p = await load();
const sha256 = (bytes) => new Uint8Array(createHash("sha256").update(bytes).digest());

vectors("BIP-340", "bip340/test-vectors.csv", (text, t) => {
	let signed = 0, good = 0, bad = 0;
	const items = [], invalid = [];
	for (const line of text.trim().split(/\r?\n/).slice(1)) {
		const [index, secret, pub, aux, message, signature, valid] = line.split(",").map((s, i) => (0 < i && i < 6 ? unhex(s) : s));
		if (secret.length > 0) {
			assert.deepEqual(p.derive(secret).slice(1), pub, index);
			assert.deepEqual(p.signSchnorr(message, secret, aux), signature, index);
			signed++;
		}
		assert.equal(p.verifySchnorr(signature, message, pub), valid === "TRUE", `${index}: ${line}`);
		valid === "TRUE" ? good++ : bad++;
		if (items.push({ signature, message, publicKey: pub }) && valid !== "TRUE") invalid.push(items.length - 1);
	}
	assert.deepEqual(p.invalidSchnorr(items), invalid);
	assert.deepEqual(p.invalidSchnorr(Array(40).fill(items).flat()).length, 400);
	assert.deepEqual([signed, good, bad], [8, 9, 10]);
	t.diagnostic(`result: BIP-340: ${signed} signatures made, ${good} accepted, ${bad} refused`);
});

vectors("RFC 6979", "noble/ecdsa.json", (text, t) => {
	const { valid, invalid } = JSON.parse(text);
	for (const { d, m, signature } of valid) {
		assert.equal(hex(p.signEcdsa(unhex(m), unhex(d))), signature);
		const pub = p.derive(unhex(d));
		assert.ok(p.verifyEcdsa(unhex(signature), unhex(m), pub, { lowS: true }));
		assert.deepEqual(p.recover(p.signRecoverable(unhex(m), unhex(d)), unhex(m)), pub);
	}
	let refused = 0;
	for (const { d, m, exception, description } of invalid.sign) {
		assert.throws(() => p.signEcdsa(unhex(m), unhex(d)), `${exception} ${description}`);
		refused++;
	}
	assert.ok(valid.length > 2000 && refused === 4);
	t.diagnostic(`result: RFC 6979: ${valid.length} signatures made, verified and their keys recovered, ${refused} refused`);
});

for (const name of ["ecdsa_secp256k1_sha256_p1363_test", "ecdsa_secp256k1_sha256_test", "ecdsa_secp256k1_sha256_bitcoin_test"]) {
	vectors(`Wycheproof, ${name}`, `wycheproof/${name}.json`, (text, t) => {
		const { numberOfTests, testGroups } = JSON.parse(text);
		let good = 0, bad = 0;
		for (const { type, publicKey, tests } of testGroups) {
			const lowS = type === "EcdsaBitcoinVerify";
			const pub = unhex(publicKey.uncompressed);
			for (const { tcId, msg, sig, result } of tests) {
				const verdict = verify(type, unhex(sig), sha256(unhex(msg)), pub, lowS);
				assert.equal(verdict, result === "valid", `${tcId}`);
				verdict ? good++ : bad++;
			}
		}
		assert.equal(good + bad, numberOfTests);
		assert.ok(good > 50 && bad > 50);
		t.diagnostic(`result: ${name}: ${good} accepted, ${bad} refused`);
	});
}

function verify(type, sig, digest, pub, lowS) {
	if (type === "EcdsaP1363Verify") {
		if (sig.length !== 64) {
			assert.throws(() => p.verifyEcdsa(sig, digest, pub), RangeError);
			return false;
		}
		return p.verifyEcdsa(sig, digest, pub, { lowS });
	}
	let compact;
	try {
		compact = p.decodeDer(sig);
	} catch (error) {
		assert.match(error.message, /^ecdsa: /);
		return false;
	}
	assert.deepEqual(p.encodeDer(compact), sig);
	return p.verifyEcdsa(compact, digest, pub, { lowS });
}

vectors("Wycheproof, ecdh_secp256k1_test", "wycheproof/ecdh_secp256k1_test.json", (text, t) => {
	// The test uses only keys that are encoded as plain points, because the other keys test parsers of ASN.1.
	const prefix = { "3056301006072a8648ce3d020106052b8104000a034200": 65, "3036301006072a8648ce3d020106052b8104000a032200": 33 };
	let agreed = 0, refused = 0;
	for (const { tests } of JSON.parse(text).testGroups) {
		for (const { tcId, public: encoded, private: secret, shared, result, flags } of tests) {
			const length = prefix[encoded.slice(0, 46)];
			if (!length || encoded.length !== 46 + 2 * length) continue;
			const d = unhex(secret.padStart(64, "0").slice(-64));
			const call = () => hex(p.ecdhX(d, unhex(encoded.slice(46))));
			if (result === "invalid" || flags.includes("InvalidAsn")) {
				assert.throws(call, /^Error: p256k1: public key: /, `${tcId}`);
				refused++;
			} else {
				assert.equal(call(), shared, `${tcId}`);
				agreed++;
			}
		}
	}
	assert.deepEqual([agreed, refused], [474, 22]);
	t.diagnostic(`result: ecdh_secp256k1_test: ${agreed} shared secrets, ${refused} keys refused`);
});

vectors("NIP-44", "nip44/nip44.vectors.json", (text, t) => {
	const { valid, invalid } = JSON.parse(text).v2;
	for (const { sec1, pub2, conversation_key } of valid.get_conversation_key) {
		assert.equal(hex(p.nip44ConversationKey(unhex(sec1), unhex(pub2))), conversation_key);
	}
	for (const { sec1, sec2, conversation_key } of valid.encrypt_decrypt) { // both sides
		for (const [own, peer] of [[sec1, sec2], [sec2, sec1]]) {
			assert.equal(hex(p.nip44ConversationKey(unhex(own), p.derive(unhex(peer)).slice(1))), conversation_key);
		}
	}
	for (const { sec1, pub2, note } of invalid.get_conversation_key) {
		const wrong = note.startsWith("sec1") ? /^Error: p256k1: private key: out of range/ : /^Error: p256k1: x-only public key: /;
		assert.throws(() => p.nip44ConversationKey(unhex(sec1), unhex(pub2)), wrong, note);
	}
	const counts = [valid.get_conversation_key, valid.encrypt_decrypt, invalid.get_conversation_key].map((rows) => rows.length);
	assert.deepEqual(counts, [35, 10, 8]);
	t.diagnostic(`result: NIP-44: ${counts[0] + 2 * counts[1]} conversation keys, ${counts[2]} pairs of keys refused`);
});

vectors("tiny-secp256k1, encodings and tweaks of public keys", "tiny-secp256k1/points.json", (text, t) => {
	const { valid, invalid } = JSON.parse(text);
	for (const { P, compress, expected } of valid.pointCompress) {
		assert.equal(hex((compress ?? P.length === 66 ? p.compress : p.uncompress)(unhex(P))), expected);
	}
	for (const { P, d, expected } of valid.pointAddScalar) {
		const call = () => p.publicKeyTweakAdd(unhex(P), unhex(d));
		expected === null ? assert.throws(call, /infinity/) : assert.deepEqual(call(), p.compress(unhex(expected)));
	}
	for (const { P } of invalid.pointCompress) assert.throws(() => p.compress(unhex(P)), /^(Range)?Error: p256k1: public/, P);
	for (const { P, d } of invalid.pointAddScalar) assert.throws(() => p.publicKeyTweakAdd(unhex(P), unhex(d)), /^(Range)?Error: p256k1: (public|tweak)/, P);
	const counts = [valid.pointCompress, valid.pointAddScalar, invalid.pointCompress, invalid.pointAddScalar].map((rows) => rows.length);
	assert.deepEqual(counts, [242, 27, 19, 22]);
	t.diagnostic(`result: tiny-secp256k1: ${counts[0]} public keys encoded and ${counts[1]} tweaked, ${counts[2] + counts[3]} refused`);
});

vectors("bcrypto, tweaks", "bcrypto/sign-secp256k1.json", (text) => {
	const rows = JSON.parse(text);
	for (const row of rows) {
		const [secret, pub, tweak, sum, , , , publicSum, , , , uncompressed] = row.slice(0, 12).map(unhex);
		assert.deepEqual(p.secretKeyTweakAdd(secret, tweak), sum);
		assert.deepEqual(p.publicKeyTweakAdd(pub, tweak), publicSum);
		assert.deepEqual(p.publicKeyTweakAdd(uncompressed, tweak), publicSum);
		assert.deepEqual([p.uncompress(pub), p.compress(uncompressed)], [uncompressed, pub]);
	}
	assert.equal(rows.length, 16);
});

vectors("BIP-341", "bip341/wallet-test-vectors.json", (text) => {
	const { scriptPubKey, keyPathSpending } = JSON.parse(text);
	for (const { given, intermediary, expected } of scriptPubKey) {
		const output = p.publicKeyTweakAddXOnly(unhex(given.internalPubkey), unhex(intermediary.tweak));
		assert.equal(hex(output.slice(1)), intermediary.tweakedPubkey);
		for (const block of expected.scriptPathControlBlocks ?? []) assert.equal(unhex(block)[0] & 1, output[0] & 1);
	}
	const spent = keyPathSpending[0].inputSpending;
	for (const { given, intermediary } of spent) {
		const secret = p.secretKeyTweakAddXOnly(unhex(given.internalPrivkey), unhex(intermediary.tweak));
		assert.equal(hex(secret), intermediary.tweakedPrivkey);
		assert.deepEqual(p.derive(secret), p.publicKeyTweakAddXOnly(unhex(intermediary.internalPubkey), unhex(intermediary.tweak)));
	}
	assert.deepEqual([scriptPubKey.length, spent.length], [7, 7]);
});

// Answers calls of schnorr_FROST of @noble/curves, which tools/js has: a line [name, arguments...] is answered by
// {"value": ...} or {"fault": ...}. Bytes are hexadecimal. Participant i + 1 is BIP-445's participant i.
const path = require("node:path");
const readline = require("node:readline");
const { createRequire } = require("node:module");
const { pathToFileURL } = require("node:url");

const { resolve } = createRequire(path.resolve(__dirname, "../../js/package.json"));
const bytes = (hex) => (hex === null ? null : Uint8Array.from(Buffer.from(hex, "hex")));
const hex = (b) => Buffer.from(b).toString("hex");

function operations({ schnorr_FROST: frost, __TEST: { frostTweakPublic, frostTweakSecret } }) {
	const name = (id) => frost.Identifier.fromNumber(id + 1);
	return {
		"noble.deal"(key, max, min) {
			const dealt = frost.trustedDealer({ min, max }, undefined, bytes(key));
			const ids = Array.from({ length: max }, (_, id) => name(id));
			const secrets = ids.map((id) => hex(dealt.secretShares[id].signingShare));
			return [hex(dealt.public.commitments[0]), secrets, ids.map((id) => hex(dealt.public.verifyingShares[id]))];
		},
		"noble.sign"(min, ids, secrets, publics, key, msg, root) {
			const names = ids.map(name);
			// Signers use only the first commitment to a polynomial, which is the key.
			let group = {
				signers: { min, max: Math.max(min, ...ids.map((id) => id + 1)) },
				commitments: [bytes(key)],
				verifyingShares: Object.fromEntries(names.map((id, i) => [id, bytes(publics[i])])),
			};
			let shares = names.map((identifier, i) => ({ identifier, signingShare: bytes(secrets[i]) }));
			if (root !== null) {
				shares = shares.map((share) => frostTweakSecret(share, group, bytes(root)));
				group = frostTweakPublic(group, bytes(root));
			}
			const rounds = shares.map((share) => frost.commit(share));
			const all = rounds.map((round) => round.commitments);
			const sigs = shares.map((share, i) => frost.signShare(share, group, rounds[i].nonces, all, bytes(msg)));
			return hex(frost.aggregate(group, all, bytes(msg), Object.fromEntries(names.map((id, i) => [id, sigs[i]]))));
		},
		"noble.verify": (key, msg, sig) => frost.verify(bytes(sig), bytes(msg), bytes(key)),
	};
}

async function main() {
	const calls = operations(await import(pathToFileURL(resolve("@noble/curves/secp256k1.js"))));
	for await (const line of readline.createInterface({ input: process.stdin })) {
		const [name, ...args] = JSON.parse(line);
		let answer;
		try {
			answer = { value: calls[name](...args) };
		} catch (e) {
			answer = { fault: { text: String(e), blamed: e.cheaters?.length ? Number(BigInt("0x" + e.cheaters[0])) - 1 : null } };
		}
		console.log(JSON.stringify(answer));
	}
}

main();

// Tests that no function accepts a number out of range: secret keys, tweaks, r and s of n or more, coordinates of p or
// more, in bytes, in DER, in npub and nsec, and in events.
import assert from "node:assert/strict";
import { test } from "node:test";
import { hex, load, unhex } from "./library.js";

const p = await load();

// The numbers 0, n, n + 1, p, p + 1 and 2²⁵⁶ − 1, what follows npub1 and nsec1 if these encode them, and y for this x
// modulo p if there is one.
const extremes = [
	["0000000000000000000000000000000000000000000000000000000000000000", "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqzqujme", "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqwkhnav", ""],
	["fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", "lllllllllllllllllllllllll6a2ah8x4ay2qwal6f0ge5pkg9qs826r6w", "lllllllllllllllllllllllll6a2ah8x4ay2qwal6f0ge5pkg9qstu3zum", "98f66641cb0ae1776b463ebdee3d77fe2658f021db48e2c8ac7ab4c92f83621e"],
	["fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364142", "lllllllllllllllllllllllll6a2ah8x4ay2qwal6f0ge5pkg9pqakapym", "lllllllllllllllllllllllll6a2ah8x4ay2qwal6f0ge5pkg9pq3qkqzw", ""],
	["fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f", "llllllllllllllllllllllllllllllllllllllllllllallllshswfs9zx", "llllllllllllllllllllllllllllllllllllllllllllallllshszlmyyn", ""],
	["fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc30", "llllllllllllllllllllllllllllllllllllllllllllallllscquhlx97", "llllllllllllllllllllllllllllllllllllllllllllallllscqsp58rt", "4218f20ae6c646b363db68605822fb14264ca8d2587fdd6fbc750d587e76a7ee"],
	["ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", "lllllllllllllllllllllllllllllllllllllllllllllllllllsq7lrjw", "lllllllllllllllllllllllllllllllllllllllllllllllllllsvg5z5m", "cffa06ff4034fff9758fae127c07ddb78317fc054f8997f3ae6080ac33494239"],
];

const join = (...parts) => new Uint8Array(Buffer.concat(parts.map((part) => Uint8Array.from(part))));

/** integer returns the DER of a number below 2²⁵⁶. */
function integer(b) {
	const digits = hex(b).replace(/^(00)+(?=..)/, ""), whole = unhex(digits >= "8" ? `00${digits}` : digits);
	return join([2, whole.length], whole);
}

function der(r, s) {
	const both = join(integer(r), integer(s));
	return join([0x30, both.length], both);
}

const key = new Uint8Array(32).fill(7), digest = new Uint8Array(32).fill(9), pub = p.derive(key), x = pub.slice(1);
const rs = p.signRecoverable(digest, key), r = rs.slice(0, 32), s = rs.slice(32, 64), v = rs.slice(64), schnorr = p.signSchnorr(digest, key);
const event = { created_at: 1, kind: 1, tags: [], content: "" }, signed = p.signEvent(event, key);
const xOnly = (k) => k, even = (k) => join([2], k), odd = (k) => join([3], k), long = (k, y) => join([4], k, unhex(y || "00".repeat(32)));

// By kind of number: the index of the number that is in range, if any, and calls that must refuse all others. A call is
// given the 32 bytes of a number, y, npub and nsec.
const kinds = {
	"a secret key": [-1, [
		(k) => p.derive(k), (k) => p.encodeNsec(k), (k, y, npub, nsec) => p.decodeNsec(nsec), (k) => p.secretKeyTweakAdd(k, digest),
		(k) => p.secretKeyTweakAddXOnly(k, digest), (k) => p.signSchnorr(digest, k), (k) => p.signEcdsa(digest, k), (k) => p.signRecoverable(digest, k),
		(k) => p.signEvent(event, k), (k) => p.ecdh(k, pub), (k) => p.ecdhX(k, x), (k) => p.nip44ConversationKey(k, x),
	]],
	"a tweak": [0, [
		(k) => p.secretKeyTweakAdd(key, k), (k) => p.secretKeyTweakAddXOnly(key, k), (k) => p.publicKeyTweakAdd(pub, k), (k) => p.publicKeyTweakAddXOnly(x, k),
	]],
	"an x coordinate": [1, [
		...[xOnly, even, odd, long].flatMap((form) => [(k, y) => p.compress(form(k, y)), (k, y) => p.uncompress(form(k, y)), (k, y) => p.ecdhX(key, form(k, y))]),
		...[even, odd, long].flatMap((form) => [(k, y) => p.ecdh(key, form(k, y)), (k, y) => p.publicKeyTweakAdd(form(k, y), digest)]),
		(k) => p.encodeNpub(k), (k, y, npub) => p.decodeNpub(npub), (k) => p.publicKeyTweakAddXOnly(k, digest), (k) => p.nip44ConversationKey(key, k),
	]],
	"r or s": [-1, [
		(k) => p.encodeDer(join(k, s)), (k) => p.encodeDer(join(r, k)), (k) => p.decodeDer(der(k, s)), (k) => p.decodeDer(der(r, k)),
		(k) => p.recover(join(k, s, v), digest), (k) => p.recover(join(r, k, v), digest),
	]],
	"a part of a valid signature or its key": [-1, [
		(k) => p.verifyEcdsa(join(k, s), digest, pub), (k) => p.verifyEcdsa(join(r, k), digest, pub), (k, y) => p.verifyEcdsa(join(r, s), digest, long(k, y)),
		(k) => p.verifySchnorr(join(k, schnorr.slice(32)), digest, x), (k) => p.verifySchnorr(join(schnorr.slice(0, 32), k), digest, x),
		(k) => p.verifySchnorr(schnorr, digest, k), (k) => p.invalidSchnorr([{ signature: schnorr, message: digest, publicKey: k }]).length === 0,
		(k) => p.verifyEvents([{ ...signed, pubkey: hex(k), id: hex(p.eventId({ ...event, pubkey: hex(k) })) }])[0].valid,
	]],
};

// A refusal is an error for a value or the verdict false, and no error for a wrong type or length.
const refusal = ({ constructor }) => constructor === Error || constructor === assert.AssertionError;

for (const [kind, [inRange, calls]] of Object.entries(kinds)) {
	test(kind, () => {
		for (const [i, [digits, npub, nsec, y]] of extremes.entries()) {
			for (const call of calls) {
				const what = `${call} for ${digits}`, take = () => assert.notEqual(call(unhex(digits), y, `npub1${npub}`, `nsec1${nsec}`), false, what);
				i === inRange ? assert.doesNotThrow(take, what) : assert.throws(take, refusal, what);
			}
		}
	});
}

test("all functions take part", () => {
	const source = Object.values(kinds).flatMap(([, calls]) => calls.map(String)).join();
	for (const name of Object.keys(p)) assert.ok(["generateKey", "memory"].includes(name) || source.includes(`p.${name}(`), name);
});

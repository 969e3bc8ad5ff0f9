// Tests the errors for wrong arguments, and that the instance still works after these errors.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesToHex, hex, hexToBytes, load, module, noRandom, replaced, unhex, withRandom } from "./library.js";
import { readFileSync } from "node:fs";
import path from "node:path";

const p = await load();
const bytes = (n, value = 1) => new Uint8Array(n).fill(value);
const key = bytes(32);
const pub = p.derive(key);
const sig = p.signEcdsa(bytes(32), key);
const negated = unhex((0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n - BigInt(`0x${hex(key)}`)).toString(16));
const recoverable = p.signRecoverable(bytes(32), key);
const item = { signature: p.signSchnorr(sig, key), message: sig, publicKey: pub.slice(1) };

// The lengths that each argument may have, none for any length.
const secretKey = [32], digest = [32], tweak = [32], message = [], x = [32], anyKey = [32, 33, 65];
const shapes = {
	derive: { secretKey }, compress: { publicKey: anyKey }, uncompress: { publicKey: anyKey }, encodeNpub: { publicKey: x }, encodeNsec: { secretKey },
	secretKeyTweakAdd: { secretKey, tweak }, publicKeyTweakAdd: { publicKey: [33, 65], tweak },
	secretKeyTweakAddXOnly: { secretKey, tweak }, publicKeyTweakAddXOnly: { publicKey: x, tweak },
	signSchnorr: { message, secretKey, auxRand: [32] }, verifySchnorr: { signature: [64], message, publicKey: x },
	signEcdsa: { digest, secretKey }, signRecoverable: { digest, secretKey }, verifyEcdsa: { signature: [64], digest, publicKey: [33, 65] },
	recover: { signature: [65], digest }, encodeDer: { signature: [64] }, decodeDer: { der: [] },
	ecdh: { secretKey, publicKey: [33, 65] }, ecdhX: { secretKey, publicKey: anyKey }, nip44ConversationKey: { secretKey, publicKey: x },
};

/** bare passes an error on, which must have nothing but its message, so that it holds no secret key. */
function bare(call) {
	try {
		return call();
	} catch (error) {
		assert.deepEqual(Reflect.ownKeys(error).sort(), ["message", "stack"], error.message);
		throw error;
	}
}

test("every function refuses arguments of other types and lengths, and keys and tweaks that are not valid", () => {
	const valid = { publicKey: { 32: pub.slice(1), 33: pub }, signature: { 64: sig, 65: recoverable } };
	for (const [name, shape] of Object.entries(shapes)) {
		const args = Object.entries(shape).map(([argument, [length]]) => valid[argument]?.[length] ?? key);
		for (const [i, [argument, lengths]] of Object.entries(shape).entries()) {
			const refuses = (value, error) => assert.throws(() => bare(() => p[name](...args.with(i, value))), error, name);
			refuses(null, new TypeError(`p256k1: ${argument} is null, want a Uint8Array`));
			for (const n of lengths.length > 0 ? [0, 1, 31, 32, 33, 63, 64, 65, 66].filter((n) => !lengths.includes(n)) : []) {
				refuses(bytes(n), new RangeError(`p256k1: ${argument} has ${n} byte${n === 1 ? "" : "s"}, want ${lengths.join(" or ")}`));
			}
			if (argument === "secretKey") for (const value of [0, 255]) refuses(bytes(32, value), new Error("p256k1: private key: out of range: zero or not below the group order"));
			if (argument === "tweak") refuses(bytes(32, 255), new Error("p256k1: tweak: out of range: not below the group order"));
			for (const n of argument === "publicKey" && !name.startsWith("verify") ? lengths : []) refuses(bytes(n, 255), /^Error: p256k1: (x-only )?public key: /);
		}
	}
});

test("errors", () => {
	for (const [call, type, message] of [
		// types
		[() => p.derive(), TypeError, "p256k1: secretKey is undefined, want a Uint8Array"],
		[() => p.derive("01".repeat(32)), TypeError, "p256k1: secretKey is a string, want a Uint8Array"],
		[() => p.derive(1n), TypeError, "p256k1: secretKey is a bigint, want a Uint8Array"],
		[() => p.derive(Array(32).fill(1)), TypeError, "p256k1: secretKey is an array, want a Uint8Array"],
		[() => p.derive(new ArrayBuffer(32)), TypeError, "p256k1: secretKey is an object, want a Uint8Array"],
		[() => p.derive(new Uint16Array(32)), TypeError, "p256k1: secretKey is an object, want a Uint8Array"],
		[() => p.derive({ [Symbol.toStringTag]: "Uint8Array", length: 32, constructor: { name: { toString: 1 } } }), TypeError, "p256k1: secretKey is an object, want a Uint8Array"],
		[() => p.verifyEvents(7), TypeError, "p256k1: events is a number, want an array or a string"],
		[() => p.eventId({}), TypeError, "p256k1: pubkey is undefined, want a string"],
		[() => p.decodeNpub(pub), TypeError, "p256k1: npub is an object, want a string"],
		[() => p.decodeNsec(null), TypeError, "p256k1: nsec is null, want a string"],
		[() => bytesToHex("00"), TypeError, "p256k1: bytes is a string, want a Uint8Array"],
		[() => hexToBytes(key), TypeError, "p256k1: text is an object, want a string"],
		[() => p.signEvent(null, key), TypeError, "p256k1: event is null, want an object"],
		[() => p.signEvent({ created_at: 1, kind: 1, tags: [["x", 1]], content: "" }, key), TypeError, "p256k1: a tag has a number, want strings"],
		[() => p.signEvent({ pubkey: 1, created_at: 1, kind: 1, tags: [], content: "" }, key), TypeError, "p256k1: pubkey is a number, want a string"],
		[() => p.invalidSchnorr({}), TypeError, "p256k1: items is an object, want an array"],
		[() => p.invalidSchnorr([item, , item]), TypeError, "p256k1: items[1] is undefined, want an object"],
		[() => p.invalidSchnorr([item, { ...item, message: "" }]), TypeError, "p256k1: items[1].message is a string, want a Uint8Array"],
		// lengths
		[() => p.signSchnorr(new Uint8Array(2 ** 28), key), RangeError, `p256k1: ${2 ** 28 + 32} bytes in one call, want at most ${2 ** 28}`],
		[() => hexToBytes("012"), RangeError, "p256k1: text has 3 characters, want an even number"],
		[() => p.signEvent({}, pub), RangeError, "p256k1: secretKey has 33 bytes, want 32"],
		[() => p.signEvent({ created_at: 1, kind: 1, tags: [], content: "" }, key, key.slice(1)), RangeError, "p256k1: auxRand has 31 bytes, want 32"],
		[() => p.invalidSchnorr([{ ...item, publicKey: pub }]), RangeError, "p256k1: items[0].publicKey has 33 bytes, want 32"],
		[() => p.invalidSchnorr([item, { ...item, signature: recoverable }]), RangeError, "p256k1: items[1].signature has 65 bytes, want 64"],
		[() => p.invalidSchnorr([{ ...item, message: key }, { ...item, message: new Uint8Array(2 ** 28) }]), RangeError, /bytes in one call/],
		// options
		[() => p.verifyEcdsa(sig, key, pub, true), TypeError, "p256k1: options is a boolean, want an object"],
		[() => p.verifyEcdsa(sig, key, pub, null), TypeError, "p256k1: options is null, want an object"],
		[() => p.verifyEcdsa(sig, key, pub, { lows: true }), TypeError, 'p256k1: there is no option "lows", want lowS'],
		[() => p.verifyEcdsa(sig, key, pub, { lowS: 1 }), TypeError, "p256k1: lowS is a number, want a boolean"],
		// values: the messages of the library
		[() => p.secretKeyTweakAdd(key, negated), Error, /infinity/],
		[() => p.publicKeyTweakAdd(pub, negated), Error, /infinity/],
		[() => p.decodeNpub(p.encodeNsec(key)), Error, "nip19: wrong prefix: nsec, want npub"],
		[() => p.decodeNpub(""), Error, "nip19: wrong prefix: want npub"],
		[() => p.decodeNpub("npub1\ud800"), Error, "nip19: malformed: npub of 8 characters, want 63"],
		[() => p.decodeNsec(p.encodeNsec(key).replace(/.$/, "b")), Error, "nip19: malformed: not bech32: a character was mistyped or is missing"],
		[() => hexToBytes("0A"), Error, 'p256k1: text has "A" at 2, want lower-case hexadecimal digits'],
		[() => hexToBytes("0x00"), Error, 'p256k1: text has "x" at 2, want lower-case hexadecimal digits'],
		[() => hexToBytes("00\n0"), Error, 'p256k1: text has "\\n" at 3, want lower-case hexadecimal digits'],
		[() => p.signEvent({}, bytes(32, 0)), Error, /^p256k1: private key: /],
		[() => p.signEvent({ pubkey: "00".repeat(32), created_at: 1, kind: 1, tags: [], content: "" }, key), Error, "p256k1: pubkey is not the public key of the secret key"],
		[() => p.recover(bytes(65, 0), key), Error, /^ecdsa: /],
		[() => p.recover(bytes(65, 1).fill(4, 64), key), Error, /^ecdsa: .*recovery id/],
		[() => p.encodeDer(bytes(64, 0)), Error, /^ecdsa: /],
		[() => p.decodeDer(bytes(8)), Error, /^ecdsa: signature: not strict DER/],
		[() => p.decodeDer(bytes(0)), Error, /^ecdsa: signature: not strict DER/],
	]) {
		assert.throws(() => bare(call), (error) => {
			assert.equal(error.constructor, type, `${call}: ${error}`);
			if (typeof message === "string") assert.equal(error.message, message, `${call}`);
			else assert.match(error.message, message, `${call}`);
			return true;
		});
	}
	assert.deepEqual(p.derive(key), pub); // the instance still works
	assert.deepEqual(p.invalidSchnorr([item]), []); // and the failed batch leaves nothing behind
});

test("invalid keys and signatures do not verify", () => {
	assert.ok(p.verifyEcdsa(sig, bytes(32), pub));
	assert.equal(p.verifyEcdsa(sig, bytes(32), bytes(33, 2).fill(255, 1)), false);
	assert.equal(p.verifyEcdsa(sig, bytes(32), bytes(65, 6)), false);
	assert.equal(p.verifyEcdsa(bytes(64, 0), bytes(32), pub), false);
	assert.equal(p.verifyEcdsa(bytes(64, 255), bytes(32), pub), false);
	assert.equal(p.verifySchnorr(bytes(64, 255), bytes(32), pub.slice(1)), false);
	assert.equal(p.verifySchnorr(bytes(64, 0), bytes(32), bytes(32, 255)), false);
});

test("invalidSchnorr finds the invalid signatures among many", () => {
	const items = Array.from({ length: 600 }, (_, i) => ({ ...item, message: bytes(i), signature: p.signSchnorr(bytes(i), key) }));
	assert.deepEqual([p.invalidSchnorr([]), p.invalidSchnorr(items)], [[], []]);
	const bad = [0, 1, 255, 256, 511, 512, 599];
	for (const i of bad) items[i] = { ...items[i], message: bytes(i, 2), signature: i === 0 ? bytes(64, 255) : items[i].signature };
	assert.deepEqual(p.invalidSchnorr(items), bad);
	const nested = { ...item, get message() { return bytes(p.invalidSchnorr([item, items[0]])[0]); } }; // calls a verification while the item is read
	assert.deepEqual(p.invalidSchnorr([item, nested, item]), [1]);
});

test("messages of any length, and buffers of Node", () => {
	for (const n of [0, 1, 4095, 4096, 100000, 5 << 20, 3]) {
		const message = bytes(n, 7);
		const signature = p.signSchnorr(message, key);
		assert.ok(p.verifySchnorr(signature, message, pub.slice(1)), `${n}`);
		if (n > 0) {
			message[n - 1] ^= 1;
			assert.ok(!p.verifySchnorr(signature, message, pub.slice(1)), `${n}`);
		}
	}
	assert.deepEqual(p.derive(Buffer.from(key)), pub);
});

test("arrays are recognized whatever their properties say", () => {
	class Liar extends Uint8Array {
		get length() { return 32; }
		get byteOffset() { return 1; }
		get buffer() { return new ArrayBuffer(64); }
		get [Symbol.toStringTag]() { throw new Error("read"); }
	}
	assert.deepEqual(p.derive(Liar.from(key)), pub);
	assert.deepEqual(p.nip44ConversationKey(Liar.from(key), Liar.from(pub.slice(1))), p.nip44ConversationKey(key, pub.slice(1)));
	assert.throws(() => p.derive(new Liar([1, 2, 3])), { name: "RangeError", message: "p256k1: secretKey has 3 bytes, want 32" });
	class Tagged extends Uint16Array {
		get [Symbol.toStringTag]() { return "Uint8Array"; }
	}
	assert.throws(() => p.derive(new Tagged(32)), TypeError);
	const want = p.signSchnorr(bytes(32), key, bytes(32));
	for (const length of [NaN, 1.5, 31, 40, 2 ** 27, -5]) {
		const message = Object.defineProperty(bytes(32), "length", { value: length });
		assert.deepEqual(p.signSchnorr(message, key, bytes(32)), want, `length ${length}`);
	}
	const growing = new Uint8Array(new SharedArrayBuffer(32, { maxByteLength: 64 })).fill(1);
	assert.deepEqual(p.derive(growing), pub);
	growing.buffer.grow(33);
	assert.throws(() => p.derive(growing), RangeError);
});

test("functions work without this", () => {
	const { generateKey, derive, signEcdsa, nip44ConversationKey } = p;
	assert.equal(derive(generateKey()).length, 33);
	assert.deepEqual(signEcdsa(bytes(32), key), sig);
	assert.equal(nip44ConversationKey(key, pub.slice(1)).length, 32);
});

test("sources", async () => {
	const file = path.join(module, "dist/p256k1.wasm");
	const wasm = readFileSync(file);
	assert.notEqual((await load(Promise.resolve(wasm))).memory.buffer, p.memory.buffer); // realms.test.js tests all kinds of sources
	const inDist = (name) => `p256k1: ${new URL(`../dist/${name}`, import.meta.url)}: `;
	await assert.rejects(load("missing.wasm"), (error) => error.message.startsWith(`${inDist("missing.wasm")}ENOENT`) && error.cause.code === "ENOENT");
	await assert.rejects(load(new URL("../dist/p256k1.js", import.meta.url)), (error) => error.message.startsWith(`${inDist("p256k1.js")}WebAssembly.compile(): `));
	await assert.rejects(load("http://127.0.0.1:1/p256k1.wasm"), { message: "p256k1: http://127.0.0.1:1/p256k1.wasm: fetch failed" });
	await assert.rejects(load(3), { name: "TypeError", message: "p256k1: source is a number, want an address, bytes, a Response or a module" });
	await assert.rejects(load(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])), { message: "p256k1: the module is not p256k1.wasm" });
	await assert.rejects(load(new Response("", { status: 404, statusText: "Not Found" })), { message: "p256k1: the response: status 404 Not Found" });
	await assert.rejects(load(new Response("<!doctype html>")), /^Error: p256k1: the response: WebAssembly/);
	await assert.rejects(load(bytes(100)), WebAssembly.CompileError);
});

test("a call inside a call is refused", async () => {
	const refused = [];
	const calls = [() => p.derive(bytes(32, 9)), () => p.generateKey(), () => p.signSchnorr(new Uint8Array(5 << 20), key), () => p.nip44ConversationKey(key, pub.slice(1))];
	const message = bytes(32, 7);
	const signature = await withRandom((real, array) => {
		for (const call of calls) assert.throws(call, ({ message }) => refused.push(message) > 0);
		return real(array);
	}, () => p.signSchnorr(message, key));
	assert.deepEqual(refused, ["derive", "generateKey", "signSchnorr", "nip44ConversationKey"].map((name) => `p256k1: ${name} is called while another call runs`));
	assert.ok(p.verifySchnorr(signature, message, pub.slice(1)));
});

test("after the module has ended, calls say why", async () => {
	const other = await load(), why = /the module broke down: Error: no randomness/;
	await withRandom(noRandom, () => assert.throws(() => other.generateKey(), why));
	assert.throws(() => other.derive(key), why);
	assert.deepEqual(p.derive(key), pub);
	await withRandom(noRandom, () => assert.rejects(load(), why)); // without randomness, a new module does not start
});

test("after a panic, calls say which", async () => {
	const { instantiate } = WebAssembly;
	const broken = async (...args) => {
		const { exports } = await instantiate(...args);
		return { exports: { ...exports, call: () => exports.call(0, 6, -5) } };
	};
	const other = await replaced(WebAssembly, { instantiate: broken }, load);
	for (const call of [() => other.derive(key), () => other.generateKey()]) {
		assert.throws(call, /^Error: p256k1: the module broke down: RuntimeError: .*panic: runtime error: slice bounds out of range \[::-5\]$/);
	}
});

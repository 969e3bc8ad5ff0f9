// Tests that arguments may be parts of other arrays of any kind, and that no function shares memory with its caller.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { calls, load } from "./library.js";

const p = await load(), key = new Uint8Array(32).fill(7);

test("arguments may be parts of other arrays, stay as they are, and results are arrays of their own", () => {
	const places = [
		(bytes) => new Uint8Array(new SharedArrayBuffer(bytes.length + 20), 7, bytes.length),
		(bytes) => new Uint8Array(new ArrayBuffer(bytes.length + 20, { maxByteLength: 1000 }), 9, bytes.length),
		(bytes) => new Uint8Array(new ArrayBuffer(bytes.length + 5, { maxByteLength: 1000 }), 5), // follows the buffer's length
	];
	const place = (value, i) => {
		if (!(value instanceof Uint8Array)) return Array.isArray(value) ? value.map((v) => place(v, i)) : value?.message ? { ...value, message: place(value.message, i) } : value;
		const part = places[i](value);
		new Uint8Array(part.buffer).fill(0xee);
		part.set(value);
		return part;
	};
	const short = new Uint8Array(new ArrayBuffer(32, { maxByteLength: 64 }), 0, 32), detached = new Uint8Array(32);
	short.buffer.resize(16);
	structuredClone(detached, { transfer: [detached.buffer] });
	for (const [name, args] of Object.entries(calls(p, key)).slice(1)) {
		const want = inspect(p[name](...args));
		for (const i of places.keys()) {
			const moved = place(args, i), before = inspect(moved), result = p[name](...moved);
			assert.deepEqual([inspect(result), inspect(moved)], [want, before], name);
			if (result instanceof Uint8Array) assert.equal(result.buffer.byteLength, result.length, name);
		}
		for (const i of args.keys()) {
			if (args[i] instanceof Uint8Array) for (const wrong of [short, detached]) assert.throws(() => p[name](...args.with(i, wrong)), /^(RangeError|TypeError): /, name);
		}
	}
});

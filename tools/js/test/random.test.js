// Tests which functions draw randomness, and that all of it has an effect.
import assert from "node:assert/strict";
import { test } from "node:test";
import { calls, load, noRandom, replaced, withRandom } from "./library.js";

const p = await load(), key = new Uint8Array(32).fill(7), other = new Uint8Array(32).fill(8);
const drawn = Uint8Array.from({ length: 32 }, (_, i) => i + 1);

// The functions that draw, and their arguments without auxiliary randomness. generateKey is the last because without
// randomness it would never end.
const { generateKey, signSchnorr, signEvent, invalidSchnorr, verifyEvents } = calls(p, key);
const draws = { signSchnorr: signSchnorr.slice(0, 2), signEvent: signEvent.slice(0, 2), invalidSchnorr, verifyEvents, generateKey };

/** drawing returns the results of f for consecutive bytes of a stream, and how many bytes each draw had. */
async function drawing(f, ...stream) {
	const lengths = [], bytes = stream.flatMap((part) => [...part]);
	const result = await withRandom((_, array) => {
		lengths.push(array.length);
		assert.ok(bytes.length >= array.length, "too many bytes are drawn");
		array.set(bytes.splice(0, array.length));
		return array;
	}, f);
	return { result, lengths };
}

test("32 bytes are drawn where the result needs them, and none elsewhere", async () => {
	for (const [name, args] of Object.entries({ ...calls(p, key), ...draws })) {
		const { lengths } = await drawing(() => p[name](...args), drawn);
		assert.deepEqual(lengths, name in draws ? [32] : [], name);
	}
});

test("every drawn byte is used, each call draws again, and a key that is out of range is replaced", async () => {
	const all = [drawn, ...Array.from(drawn, (b, i) => drawn.with(i, b ^ 128))], key = () => p.generateKey();
	const schnorr = (...aux) => p.signSchnorr(...draws.signSchnorr, ...aux), event = (...aux) => p.signEvent(...draws.signEvent, ...aux).sig;
	for (const aux of all) assert.deepEqual((await drawing(() => [key(), schnorr(), event()], aux, aux, aux)).result, [aux, schnorr(aux), event(aux)]);
	for (const f of [schnorr, event]) assert.equal(new Set(all.map((aux) => String(f(aux)))).size, 33);
	for (const f of [key, schnorr, event]) {
		const { result, lengths } = await drawing(() => [f(), f()], drawn, other);
		assert.deepEqual(lengths, [32, 32]);
		assert.notDeepEqual(result[0], result[1]);
	}
	assert.deepEqual(await drawing(key, new Uint8Array(32), new Uint8Array(32).fill(255), drawn), { result: drawn, lengths: [32, 32, 32] });
});

test("a long draw fills all bytes, and no others", async () => {
	let imports;
	const { instantiate } = WebAssembly;
	const p = await replaced(WebAssembly, { instantiate: (module, all) => instantiate(module, (imports = all)) }, load);
	p.signSchnorr(new Uint8Array(1 << 20), key);
	const length = 3 * 65536 + 1, from = p.memory.length - length - 100, before = p.memory.slice();
	imports.wasi_snapshot_preview1.random_get(from, length);
	const { memory } = p;
	for (let i = 0; i < length; i += 32) assert.ok(memory.subarray(from + i, from + i + 32).some((b, j) => b !== before[from + i + j]) || i + 32 > length, `${i}`);
	assert.deepEqual(memory.subarray(from - 100, from), before.subarray(from - 100, from));
	assert.deepEqual(memory.subarray(from + length), before.subarray(from + length));
});

test("if the source fails or is missing, functions that draw throw and leave nothing", async () => {
	for (const source of [noRandom, undefined]) {
		for (const [name, args] of Object.entries(draws)) {
			const p = await load();
			await replaced(crypto, { getRandomValues: source }, () => assert.throws(() => p[name](...args), /^Error: p256k1: the module broke down: /, name));
			assert.ok(p.memory.every((b) => b === 0), name);
		}
	}
	const once = await load();
	let count = 0; // the source fails after a key that is out of range
	await withRandom((_, array) => (count++ === 0 ? array.fill(255) : noRandom()), () => assert.throws(() => once.generateKey(), /no randomness/));
	assert.equal(count, 2);
});

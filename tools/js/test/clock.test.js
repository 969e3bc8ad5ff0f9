// Tests the library with clocks that are coarse, wrong, missing, or faked as test runners fake them. Go's runtime would
// end if it read the time 0.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, replaced } from "./library.js";

/** use loads the library, lets Go collect garbage, and returns the times that Go read, in ns. */
async function use() {
	const times = [], { instantiate } = WebAssembly;
	const watched = async (module, imports) => {
		const wasi = imports.wasi_snapshot_preview1, { clock_time_get } = wasi;
		let memory;
		wasi.clock_time_get = (id, precision, place) => {
			const errno = clock_time_get(id, precision, place);
			times.push(new DataView(memory.buffer).getBigInt64(place, true));
			return errno;
		};
		const instance = await instantiate(module, imports);
		({ memory } = instance.exports);
		return instance;
	};
	const p = await replaced(WebAssembly, { instantiate: watched }, load);
	const key = p.generateKey(), message = new Uint8Array(1 << 20);
	for (let i = 0; i < 5; i++) assert.ok(p.verifySchnorr(p.signSchnorr(message, key), message, p.derive(key).slice(1)));
	return times;
}

const clock = (now, timeOrigin = 0) => ({ performance: { timeOrigin, now }, Date: class { static now = now; } });
let falling = 1e6;

for (const [name, globals] of Object.entries({
	"at 0": clock(() => 0),
	"at 0, of a fake without an origin": { performance: { now: () => 0 }, Date: class { static now = () => 0; } },
	"constant": clock(() => 5),
	"of a tenth of a second": clock(() => 0, 1.7e12),
	"before 1970": clock(() => -1e9),
	"going backwards": clock(() => (falling -= 1000)),
	"that is no number": clock(() => NaN),
	"at infinity": clock(() => Infinity),
	"of 10^300 ms": clock(() => 1e300),
	"of 2^63 ns": clock(() => 2 ** 63 / 1e6),
	"of bigints": clock(() => 5n),
	"that throws": clock(() => { throw new Error("no time"); }),
	"missing": { performance: undefined, Date: undefined },
})) {
	test(`a clock ${name}`, async () => {
		const times = await replaced(globalThis, globals, use);
		assert.ok(times.length > 20, `the time was read ${times.length} times`);
		for (const [i, time] of times.entries()) assert.ok(time > (times[i - 1] ?? 0n), `${times[i - 1]} ns, then ${time} ns`);
	});
}

test("Go reads the clock of this machine", async () => {
	const before = performance.timeOrigin + performance.now();
	const times = await use();
	const after = performance.timeOrigin + performance.now();
	assert.ok(BigInt(Math.floor(before * 1e6)) <= times[0] && times.at(-1) <= BigInt(Math.ceil(after * 1e6) + 1_000_000), `${times[0]} to ${times.at(-1)} ns`);
});

test("a clock that is faked once the library is loaded", async () => {
	const p = await load();
	const key = p.generateKey();
	const signature = await replaced(globalThis, clock(() => 0), () => p.signSchnorr(new Uint8Array(5 << 20), key));
	assert.ok(p.verifySchnorr(signature, new Uint8Array(5 << 20), p.derive(key).slice(1)));
});

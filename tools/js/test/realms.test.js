// Tests arguments that were made in another realm, as in test runners with a simulated DOM, engines that lack some
// functions, and workers.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inspect } from "node:util";
import vm from "node:vm";
import { Worker } from "node:worker_threads";
import { calls, hex, load, replaced } from "./library.js";

const script = new URL("../dist/p256k1.js", import.meta.url), wasm = readFileSync(new URL("p256k1.wasm", script));
const p = await load();
const generator = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
const one = Uint8Array.from({ length: 32 }, (_, i) => (i === 31 ? 1 : 0));

/** inRealm returns the value of code in a new realm with the given globals. */
const inRealm = (code, globals) => vm.runInNewContext(code, { wasm, ...globals });
const sources = {
	ArrayBuffer: "new Uint8Array(wasm).buffer", Uint8Array: "new Uint8Array(wasm)", DataView: "new DataView(new Uint8Array(wasm).buffer)",
	Module: "new WebAssembly.Module(wasm)", Promise: "Promise.resolve(new Uint8Array(wasm))", URL: `({ href: ${JSON.stringify(new URL("p256k1.wasm", script).href)} })`,
	Response: `({ ok: true, headers: new Map([["Content-Type", "application/wasm"]]), arrayBuffer: async () => new Uint8Array(wasm).buffer })`,
};
const typed = () => new Response(wasm, { headers: { "Content-Type": "application/wasm" } });

test("load takes sources of another realm, and in another realm those of this one", async () => {
	for (const [name, code] of Object.entries(sources)) assert.equal(hex((await load(inRealm(code))).derive(one)), generator, name);
	// The script in a realm that has no import.meta, fetch, Response or compileStreaming.
	const text = readFileSync(script, "utf8").replaceAll(/^export /gm, "").replaceAll("import.meta.url", JSON.stringify(script.href));
	const there = inRealm(`delete WebAssembly.compileStreaming; ${text}; ({ load, bytesToHex, hexToBytes })`, { TextEncoder, TextDecoder, crypto, performance, URL, process });
	for (const source of [undefined, wasm, new Uint8Array(wasm).buffer, new WebAssembly.Module(wasm), new URL("p256k1.wasm", script), new Response(wasm), typed()]) {
		const again = source instanceof Response ? source.clone() : source;
		assert.equal(there.bytesToHex((await there.load(source)).derive(one)), generator, inspect(source));
		assert.equal(hex((await load(again)).derive(one)), generator, inspect(source));
	}
});

test("every function takes arguments of another realm", () => {
	const clone = inRealm(`(function clone(value) {
		if (ArrayBuffer.isView(value)) return new Uint8Array(value);
		if (Array.isArray(value)) return Array.from(value, clone);
		return value && typeof value === "object" ? Object.fromEntries(Object.entries(value).map(([name, v]) => [name, clone(v)])) : value;
	})`);
	for (const [name, args] of Object.entries(calls(p, one))) {
		if (name !== "generateKey") assert.equal(inspect(p[name](...args.map(clone))), inspect(p[name](...args)), name);
	}
});

test("without compileStreaming, or if it fails, load compiles the bytes", async () => {
	for (const compileStreaming of [undefined, async () => { throw new TypeError("another type, or another realm"); }]) {
		const p = await replaced(WebAssembly, { compileStreaming }, () => load(typed()));
		assert.equal(hex(p.derive(one)), generator);
	}
	await assert.rejects(load(new Response("x".repeat(99), { headers: { "Content-Type": "application/wasm" } })), /^Error: p256k1: the response: WebAssembly/);
});

test("no error repeats a data: address", async () => {
	assert.equal(hex((await load(`data:application/wasm;base64,${wasm.toString("base64")}`)).derive(one)), generator);
	for (const [type, data] of [["application/wasm;base64", "A".repeat(1 << 20)], ["application/wasm", "x".repeat(1 << 20)], ["x".repeat(1 << 20), ""], ["a;base64", "*".repeat(1 << 20)]]) {
		await assert.rejects(load(`data:${type},${data}`), (error) => error.message.startsWith("p256k1: data:") && inspect(error).length < 5000);
	}
});

test("in a worker, from the file and from a module that was compiled outside", async () => {
	const code = `const { workerData, parentPort } = require("node:worker_threads");
		import(workerData.script).then(({ load, bytesToHex }) => load(workerData.module).then((p) => parentPort.postMessage(bytesToHex(p.derive(workerData.one)))));`;
	for (const module of [undefined, await WebAssembly.compile(wasm)]) {
		const worker = new Worker(code, { eval: true, workerData: { script: script.href, module, one } });
		assert.equal(await new Promise((done, failed) => worker.once("message", done).once("error", failed)), generator);
	}
});

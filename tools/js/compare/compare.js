// Compares the library in Node with those that its users would choose else: engines
// take turns at each operation, round after round, on the same inputs.
//
//	node tools/js/compare/compare.js [--rounds N] [--time MS] [--ops a,b] [--engines a,b] [--least] [--json] [--seed TEXT]
import { spawnSync } from "node:child_process";
import os from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { corpus } from "./corpus.js";
import { engines, ops } from "./engines.js";

const baseline = "p256k1";

function options() {
	const { values } = parseArgs({
		options: {
			rounds: { type: "string", default: "20" }, time: { type: "string", default: "20" }, inputs: { type: "string", default: "256" },
			ops: { type: "string", default: Object.keys(ops).join() }, engines: { type: "string", default: Object.keys(engines).join() },
			least: { type: "boolean", default: false }, json: { type: "boolean", default: false }, seed: { type: "string", default: "p256k1" },
		},
	});
	for (const name of ["rounds", "time", "inputs"]) {
		values[name] = Number(values[name]);
		if (!Number.isSafeInteger(values[name]) || values[name] < 1) throw new Error(`--${name}: want a whole number above 0`);
	}
	for (const [name, known] of [["ops", ops], ["engines", engines]]) {
		values[name] = values[name].split(",");
		for (const value of values[name]) {
			if (!Object.hasOwn(known, value)) throw new Error(`--${name}: no ${value}: there are ${Object.keys(known).join(", ")}`);
		}
	}
	return values;
}

async function main() {
	const o = options();
	const inputs = await corpus(o.seed, o.inputs);
	const open = {}, samples = {}; // engines; by operation and engine, ns a call
	for (const name of o.engines) open[name] = await engines[name]();
	for (const op of o.ops) {
		samples[op] = {};
		for (const name of o.engines) {
			check(op, name, open[name][op], inputs);
			time(open[name][op], inputs, Math.max(10 * o.time, 100), 0); // until the engine's code is compiled for good
			samples[op][name] = [];
		}
	}
	for (let round = 0; round < o.rounds; round++) {
		for (const op of o.ops) {
			for (let i = 0; i < o.engines.length; i++) {
				const name = o.engines[(i + round) % o.engines.length];
				samples[op][name].push(time(open[name][op], inputs, o.time, round));
			}
		}
	}
	const rows = o.ops.flatMap((op) => o.engines.map((name) => row(op, name, open[name].backend, samples[op], o)));
	if (o.json) for (const { ratio, ...fields } of rows) console.log(JSON.stringify(fields));
	else print(rows, open, o);
}

// check compares what calls return with what they have to.
function check(op, name, call, inputs) {
	for (const [i, input] of inputs.entries()) {
		if (i > 0 && i % 16 !== 0) continue;
		const want = ops[op][1](input), got = call(input);
		if (want === true ? got !== true : Buffer.compare(got, want) !== 0) throw new Error(`${name}: wrong result of ${op} for input ${i}`);
	}
}

let kept; // what calls return, so that none is left out

/** time returns how many ns a call takes, in about ms milliseconds. */
function time(call, inputs, ms, round) {
	let n = round * 31;
	const start = performance.now();
	let calls = 0, now;
	do {
		kept = call(inputs[n++ % inputs.length]);
		calls++;
		now = performance.now();
	} while (now - start < ms);
	return ((now - start) * 1e6) / calls;
}

/** interval returns the median and its confidence interval of 95 %, by order statistics; the range of fewer than 6 values. */
function interval(values) {
	const v = values.toSorted((a, b) => a - b), n = v.length;
	const median = (v[(n - 1) >> 1] + v[n >> 1]) / 2;
	let k = 0, tail = 0.5 ** n, term = tail; // tail: that at most k of n lie below the median
	while (n >= 6) {
		term *= (n - k) / (k + 1);
		if (2 * (tail + term) > 0.05) break;
		tail += term;
		k++;
	}
	return [median, v[k], v[n - 1 - k]];
}

function row(op, engine, backend, samples, { least }) {
	const own = samples[engine], base = samples[baseline];
	const [ns, low, high] = least ? Array(3).fill(Math.min(...own)) : interval(own);
	const ratio = base && (least ? ns / Math.min(...base) : interval(own.map((v, i) => v / base[i]))[0]);
	// Allocations of JavaScript and WebAssembly are not counted.
	return { engine, backend, op, ns: round(ns), ns_low: round(low), ns_high: round(high), allocs: null, bytes: null, n: own.length, ratio };
}

const round = (ns) => Math.round(ns * 10) / 10;

function print(rows, open, o) {
	table([
		["processor", `${os.cpus()[0].model}, ${os.cpus().length} usable`],
		["Node", `${process.version}, V8 ${process.versions.v8}, ${process.platform}/${process.arch}`],
		["date", new Date().toISOString().slice(0, 19).replace("T", " ") + " UTC"],
		["method", `${o.rounds} rounds in turns, samples of ${o.time} ms, ${o.least ? "the quickest" : "median and 95 % confidence interval"}`],
		["inputs", `${o.inputs} keys, messages and signatures, from --seed ${o.seed}`],
		...o.engines.map((name) => [name, `${open[name].backend}; ${open[name].version}`]),
	], []);
	for (const op of o.ops) {
		console.log(`\n${op}: ${ops[op][0]}`);
		table(rows.filter((r) => r.op === op).map((r) => [r.engine, duration(r.ns), spread(r), r.ratio ? `${digits(r.ratio)} ×` : "–"]), [1, 2, 3], "  ");
	}
	console.log(`\n× is the time over that of ${baseline}${o.least ? "" : " in the same round"}; below 1 is faster.`);
	firstUses(o);
	console.log("\n- Secret keys are bytes here: each signature and shared secret includes reading the key, and p256k1 computes its public key too.");
	console.log("- The noble libraries verify each Schnorr signature that they make. They are not constant-time; the others are written to be.");
	console.log("- Compare ratios within a report, never times between reports.");
}

// firstUses starts each engine in fresh processes and prints the quickest.
function firstUses(o) {
	console.log("\nfirst use, in a fresh process, the quickest of 10");
	const script = fileURLToPath(new URL("first.js", import.meta.url));
	const runs = Object.fromEntries(o.engines.map((name) => [name, []]));
	for (let i = 0; i < 10; i++) {
		for (const name of o.engines) {
			const run = spawnSync(process.execPath, [script, name], { encoding: "utf8" });
			if (run.status !== 0) throw new Error(`first.js ${name}: ${run.stderr}`);
			runs[name].push(JSON.parse(run.stdout));
		}
	}
	const least = (name, field) => Math.min(...runs[name].map((r) => r[field]));
	const columns = ["loading", "derive", "again", "verify", "verify again"];
	table([["", "loading", "first derive", "later", "first verify", "later"], ...o.engines.map((name) => [name, ...columns.map((c) => duration(least(name, c)))])], [1, 2, 3, 4, 5], "  ");
	if (runs[baseline]) {
		const total = Math.min(...runs[baseline].map((r) => r.loading + r.derive));
		console.log(`result: ${baseline} starts in ${duration(least(baseline, "loading"))} (processor time ${duration(least(baseline, "cpu"))}), and has its first public key after ${duration(total)}`);
	}
}

function table(rows, right, indent = "") {
	const widths = [];
	for (const row of rows) row.forEach((cell, i) => { widths[i] = Math.max(widths[i] ?? 0, cell.length); });
	for (const row of rows) {
		console.log((indent + row.map((cell, i) => (right.includes(i) ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join("  ")).trimEnd());
	}
}

function duration(ns) {
	if (ns < 999.5) return `${digits(ns)} ns`;
	if (ns < 999.5e3) return `${digits(ns / 1e3)} µs`;
	return ns < 999.5e6 ? `${digits(ns / 1e6)} ms` : `${digits(ns / 1e9)} s`;
}

function digits(v) {
	return v.toFixed(v < 0.0995 ? 3 : v < 9.995 ? 2 : v < 99.95 ? 1 : 0);
}

function spread({ ns, ns_low, ns_high }) {
	return ns_low === ns_high ? "" : `±${((100 * Math.max(ns_high - ns, ns - ns_low)) / ns).toFixed(1)} %`;
}

try {
	await main();
} catch (error) {
	console.error(`compare: ${error.message}`);
	if (error.code === "ERR_MODULE_NOT_FOUND") console.error("first: npm ci --prefix tools/js && go run ./tools/js/build -o tools/js/dist");
	if (error.code?.startsWith("ERR_PARSE_ARGS")) console.error("flags: --rounds N --time MS --inputs N --ops A,B --engines A,B --least --json --seed TEXT");
	process.exitCode = 2;
}

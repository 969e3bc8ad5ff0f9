// Compares the library in Node with the libraries that its users would otherwise choose. In each round, every library
// runs each operation for some milliseconds on the same inputs. The fastest round of a library counts.
//
//	node tools/js/compare/compare.js [--rounds N] [--time MS] [--inputs N] [--ops a,b] [--engines a,b] [--json] [--seed TEXT]
import os from "node:os";
import { parseArgs } from "node:util";
import { corpus } from "./corpus.js";
import { engines, ops } from "./engines.js";

const baseline = "p256k1";

function options() {
	const { values } = parseArgs({
		options: {
			rounds: { type: "string", default: "20" }, time: { type: "string", default: "20" }, inputs: { type: "string", default: "256" },
			ops: { type: "string", default: Object.keys(ops).join() }, engines: { type: "string", default: Object.keys(engines).join() },
			json: { type: "boolean", default: false }, seed: { type: "string", default: "p256k1" },
		},
	});
	for (const name of ["rounds", "time", "inputs"]) {
		values[name] = Number(values[name]);
		if (!Number.isSafeInteger(values[name]) || values[name] < 1) throw new Error(`--${name}: want a whole number above 0`);
	}
	for (const [name, known] of [["ops", ops], ["engines", engines]]) {
		values[name] = values[name].split(",");
		for (const value of values[name]) {
			if (!Object.hasOwn(known, value)) throw new Error(`--${name}: no ${value}, want one of ${Object.keys(known).join(", ")}`);
		}
	}
	return values;
}

async function main() {
	const o = options();
	const inputs = await corpus(o.seed, o.inputs);
	const open = {};
	for (const engine of o.engines) open[engine] = await engines[engine]();
	const rows = o.ops.flatMap((op) => o.engines.map((engine) => ({ op, engine, backend: open[engine].backend, ns: Infinity, rounds: o.rounds })));
	for (const { op, engine } of rows) {
		check(op, engine, open[engine][op], inputs);
		time(open[engine][op], inputs, Math.max(10 * o.time, 100), 0); // lets Node compile the engine's code fully
	}
	for (let round = 0; round < o.rounds; round++) {
		for (const row of rows) row.ns = Math.min(row.ns, time(open[row.engine][row.op], inputs, o.time, round) / signatures(row.op, inputs));
	}
	if (o.json) for (const row of rows) console.log(JSON.stringify(row));
	else print(rows, open, o);
}

/** signatures returns the number of inputs that one call of an operation uses. */
const signatures = (op, inputs) => (op === "schnorr-batch" ? inputs.length : 1);

// check compares the results of calls with the expected results.
function check(op, name, call, inputs) {
	for (const [i, input] of inputs.entries()) {
		if (i > 0 && (i % 16 !== 0 || signatures(op, inputs) > 1)) continue;
		const want = ops[op][1](input), got = call(input);
		if (want === true ? got !== true : Buffer.compare(got, want) !== 0) throw new Error(`${name}: wrong result of ${op} for input ${i}`);
	}
}

let kept; // the results of calls, so that no call is optimized away

/** time returns the time of a call in ns, measured for about ms milliseconds. */
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

function print(rows, open, o) {
	console.log(`${os.cpus()[0].model}, ${os.cpus().length} usable; Node ${process.version}, ${process.platform}/${process.arch}; ${new Date().toISOString().slice(0, 10)}`);
	console.log(`${o.rounds} turns of ${o.time} ms each, the quickest counts; ${o.inputs} keys, messages and signatures, from --seed ${o.seed}`);
	for (const engine of o.engines) console.log(`${engine}: ${open[engine].backend}, ${open[engine].version}`);
	for (const op of o.ops) {
		console.log(`\n${op}: ${ops[op][0]}`);
		const own = rows.filter((row) => row.op === op);
		const base = own.find((row) => row.engine === baseline)?.ns;
		console.table(Object.fromEntries(own.map(({ engine, ns }) => [engine, { "µs": (ns / 1000).toFixed(1), [`time ÷ ${baseline}'s`]: (ns / base).toFixed(2) }])));
	}
	console.log("Secret keys are bytes here: each signature and shared secret includes reading the key, and p256k1 computes its public key too.");
	console.log("The noble libraries verify each Schnorr signature that they make. They are not constant-time; the others are written to be.");
	console.log("Compare ratios within a report, never times between reports.");
}

try {
	await main();
} catch (error) {
	console.error(`compare: ${error.message}`);
	if (error.code === "ERR_MODULE_NOT_FOUND") console.error("first: npm ci --prefix tools/js && go run ./tools/js/build -o tools/js/dist");
	if (error.code?.startsWith("ERR_PARSE_ARGS")) console.error("flags: --rounds N --time MS --inputs N --ops A,B --engines A,B --json --seed TEXT");
	process.exitCode = 2;
}

// Prints how long an engine takes at first, in ns, and how much processor time its
// loading takes on all threads: run by compare.js in a fresh process.
import { engines } from "./engines.js";

const ns = (start) => (performance.now() - start) * 1e6;

const start = performance.now(), used = process.cpuUsage();
const engine = await engines[process.argv[2]]();
const loading = ns(start), { user, system } = process.cpuUsage(used);

const input = { secret: new Uint8Array(32).fill(1), digest: new Uint8Array(32).fill(2), aux: new Uint8Array(32) };
function timed(op) {
	const before = performance.now();
	input.returned = engine[op](input);
	return ns(before);
}
const result = { loading, cpu: (user + system) * 1000, derive: timed("derive") };
input.pub = input.returned;
result.again = timed("derive");
input.ecdsa = engine["ecdsa-sign"](input);
result.verify = timed("ecdsa-verify");
result["verify again"] = timed("ecdsa-verify");
console.log(JSON.stringify(result));

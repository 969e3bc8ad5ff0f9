// The page: each button calls the library and shows what it returned.
import { load } from "./p256k1.js";

const $ = (id) => document.getElementById(id);
const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
const utf8 = new TextEncoder();

function unhex(text) {
	const digits = text.replace(/\s/g, "");
	if (digits.length % 2 !== 0 || /[^0-9a-f]/i.test(digits)) throw new Error("the signature is not of pairs of hexadecimal digits");
	return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function show(element, good, text) {
	element.className = good ? "good" : "bad";
	element.textContent = text;
}

function clear(element) {
	element.className = element.textContent = "";
}

/** on clears the output at a click, calls f and shows there what it throws. */
function on(id, output, f) {
	$(id).addEventListener("click", async () => {
		clear(output);
		try {
			await f();
		} catch (error) {
			show(output, false, error.message);
		}
	});
}

function start(p) {
	let secret; // there is always one
	const xOnly = () => p.derive(secret).slice(1);

	function make() {
		secret?.fill(0);
		secret = p.generateKey();
		$("secret").textContent = hex(secret);
		$("public").textContent = hex(xOnly());
		$("signature").value = "";
		clear($("verified"));
	}
	on("make", $("public"), make);
	make();

	on("sign", $("verified"), () => {
		$("signature").value = hex(p.signSchnorr(utf8.encode($("message").value), secret));
	});
	on("verify", $("verified"), () => {
		const good = p.verifySchnorr(unhex($("signature").value), utf8.encode($("message").value), xOnly());
		show($("verified"), good, good ? "valid" : "not valid");
	});

	on("example", $("verdicts"), () => {
		const event = { pubkey: hex(xOnly()), created_at: Math.floor(Date.now() / 1000), kind: 1, tags: [], content: $("message").value };
		const id = p.eventId(event);
		$("events").value = JSON.stringify({ id: hex(id), ...event, sig: hex(p.signSchnorr(id, secret)) });
	});
	on("check", $("verdicts"), () => {
		const verdicts = p.verifyEvents(oneOrLines($("events").value));
		if (verdicts.length === 0) throw new Error("there is no event");
		$("verdicts").replaceChildren(...verdicts.map((verdict) => {
			const item = document.createElement("li");
			show(item, verdict.valid, verdict.valid ? "valid" : verdict.reason);
			return item;
		}));
	});

	for (const [input, output] of [["message", "verified"], ["signature", "verified"], ["events", "verdicts"]]) {
		$(input).addEventListener("input", () => clear($(output))); // it was about another text
	}

	on("measure", $("measured"), async () => {
		$("measure").disabled = true;
		try {
			await measure(p, draw);
		} finally {
			$("measure").disabled = false;
		}
	});
	for (const button of document.querySelectorAll("button")) button.disabled = false;
}

/** oneOrLines lets a single event be spread over lines. */
function oneOrLines(text) {
	try {
		return [JSON.parse(text)];
	} catch {
		return text;
	}
}

/** measure times the operations and calls draw with what is known so far. */
async function measure(p, draw) {
	const digest = crypto.getRandomValues(new Uint8Array(32));
	const secret = p.generateKey();
	const pub = p.derive(secret), peer = p.derive(p.generateKey());
	const ecdsa = p.signRecoverable(digest, secret), schnorr = p.signSchnorr(digest, secret);
	const r = ecdsa.slice(0, 64), x = pub.slice(1);
	const rows = [
		["public key", () => p.derive(secret)],
		["Schnorr sign", () => p.signSchnorr(digest, secret)],
		["Schnorr verify", () => p.verifySchnorr(schnorr, digest, x)],
		["ECDSA sign", () => p.signEcdsa(digest, secret)],
		["ECDSA verify", () => p.verifyEcdsa(r, digest, pub)],
		["recover", () => p.recover(ecdsa, digest)],
		["ECDH", () => p.ecdh(secret, peer)],
	].map(([name, call]) => ({ name, call, ms: Infinity }));
	for (let turn = 0; turn < 11; turn++) {
		for (const row of rows) {
			const before = performance.now();
			let calls = 0, ms;
			do {
				for (let i = 0; i < 10; i++) row.call();
				calls += 10;
				ms = performance.now() - before;
			} while (ms < 25); // clocks of browsers are coarse
			if (turn > 0) row.ms = Math.min(row.ms, ms / calls); // the first is for the compiler
			await new Promise((resolve) => setTimeout(resolve)); // lets the browser breathe
		}
		if (turn > 0) draw(rows);
	}
	secret.fill(0);
}

/** draw makes the bars. */
function draw(rows) {
	const chart = $("chart");
	const height = 32, left = 112, right = 136; // what the text takes
	const width = chart.clientWidth - left - right;
	const most = Math.max(...rows.map((row) => 1 / row.ms));
	chart.setAttribute("viewBox", `0 0 ${chart.clientWidth} ${height * rows.length}`);
	chart.replaceChildren(...rows.flatMap(({ name, ms }, i) => {
		const y = i * height, bar = Math.max(1, (width / ms) / most);
		const calls = Math.round(1000 / ms).toLocaleString("en");
		return [
			svg("text", { x: left - 10, y: y + 21, "text-anchor": "end" }, name),
			svg("rect", { x: left, y: y + 5, width: bar, height: height - 10, rx: 2 }),
			svg("text", { x: left + bar + 8, y: y + 21, class: "value" }, `${calls}/s, ${Math.round(1000 * ms)} µs`),
		];
	}));
}

function svg(name, attributes, text = "") {
	const element = document.createElementNS("http://www.w3.org/2000/svg", name);
	for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
	element.textContent = text;
	return element;
}

try {
	const before = performance.now();
	const p = await load();
	start(p);
	$("from-file").hidden = true; // where a browser lets files load modules
	$("status").textContent = `ready after ${Math.round(performance.now() - before)} ms`;
} catch (error) {
	show($("status"), false, error.message);
}

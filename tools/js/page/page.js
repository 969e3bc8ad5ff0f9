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

try {
	const before = performance.now();
	const p = await load();
	start(p);
	$("from-file").hidden = true; // where a browser lets files load modules
	$("status").textContent = `ready after ${Math.round(performance.now() - before)} ms`;
} catch (error) {
	show($("status"), false, error.message);
}

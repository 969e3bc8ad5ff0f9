// The demo page: each button calls the library and shows the result.
import { bytesToHex, hexToBytes, load } from "./p256k1.js";

const $ = (id) => document.getElementById(id);
const utf8 = new TextEncoder();

function show(element, good, text) {
	element.className = good ? "good" : "bad";
	element.textContent = text;
}

const clear = (element) => (element.className = element.textContent = "");

/** on makes a click on the element clear the output and call f. The output shows the error if f throws. */
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
	let secret; // there is always a secret key
	const xOnly = () => p.derive(secret).slice(1);

	function make() {
		secret?.fill(0);
		secret = p.generateKey();
		const texts = { secret: bytesToHex(secret), nsec: p.encodeNsec(secret), public: bytesToHex(xOnly()), npub: p.encodeNpub(xOnly()) };
		for (const [id, text] of Object.entries(texts)) $(id).textContent = text;
		$("signature").value = "";
		clear($("verified"));
	}
	on("make", $("public"), make);
	make();

	on("sign", $("verified"), () => {
		$("signature").value = bytesToHex(p.signSchnorr(utf8.encode($("message").value), secret));
	});
	on("verify", $("verified"), () => {
		const signature = hexToBytes($("signature").value.replace(/\s/g, "").toLowerCase());
		const good = p.verifySchnorr(signature, utf8.encode($("message").value), xOnly());
		show($("verified"), good, good ? "valid" : "not valid");
	});

	on("example", $("verdicts"), () => {
		const event = { created_at: Math.floor(Date.now() / 1000), kind: 1, tags: [], content: $("message").value };
		$("events").value = JSON.stringify(p.signEvent(event, secret));
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
		$(input).addEventListener("input", () => clear($(output))); // the result belonged to another text
	}

	for (const button of document.querySelectorAll("button")) button.disabled = false;
}

/** oneOrLines returns an array with the event if the text is a single event, even over several lines, and otherwise the text. */
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
	$("from-file").hidden = true; // the note does not apply if the browser lets files load modules
	$("status").textContent = `ready after ${Math.round(performance.now() - before)} ms`;
} catch (error) {
	show($("status"), false, error.message);
}

// Events of Nostr: verdicts, and that they are those of the command p256k1 verify.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { cases, hex, load, module, unhex } from "./library.js";

const p = await load();
const key = p.generateKey();
const pubkey = hex(p.derive(key).slice(1));

function sign(event) {
	const whole = { pubkey, created_at: 1700000000, kind: 1, tags: [], content: "", ...event };
	const id = p.eventId(whole);
	return { ...whole, id: hex(id), sig: hex(p.signSchnorr(id, key)) };
}

// An event of the public network.
const real = {
	id: "dc90c95f09947507c1044e8f48bcf6350aa6bff1507dd4acfc755b9239b5c962",
	pubkey: "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d", created_at: 1644271588, kind: 1, tags: [],
	content: "now that https://blueskyweb.org/blog/2-7-2022-overview was announced we can stop working on nostr?",
	sig: "230e9d8f0ddaf7eb70b5f7741ccfa37e87a455c9a469282e3464e2052d3192cd63a167e196e381ef9d7e69e9ea43af2443b839974dc85d8aaab9efe1d9296524",
};
const everything = "plain \"quoted\" back\\slash \\u0001 /slash/ \n\r\t\b\f \x00\x01\x0b\x1b\x1f\x7f\u0080 <b>&amp;'</b> \u2028\u2029 ünïcødé 日本 😀\u{10ffff} \ufffd";

test("the id is the SHA-256 of what NIP-01 says, control characters verbatim", () => {
	const text = `[0,"${pubkey}",-5,65535,[["a","\\"\\\\\\n\\r\\t\\b\\f\x00\x1f\x7f"],[]],"\\\\u0001\\\\\x01é\u2028"]`;
	const id = p.eventId({ pubkey, created_at: -5, kind: 65535, tags: [["a", "\"\\\n\r\t\b\f\x00\x1f\x7f"], []], content: "\\u0001\\\x01é\u2028" });
	assert.equal(hex(id), createHash("sha256").update(text).digest("hex"));
	assert.equal(hex(p.eventId(real)), real.id);
});

const good = sign({ content: everything, tags: [["e", everything], [], ["p", "", "x"]] });
const flip = (text, i) => text.slice(0, i) + (text[i] === "0" ? "1" : "0") + text.slice(i + 1);

// Changes that make events bad, and the reason.
const wrong = [
	[{ content: "" }, /^id is not the SHA-256 of the event, which is [0-9a-f]{64}$/],
	[{ created_at: 1 }, /^id is not/],
	[{ kind: 2 }, /^id is not/],
	[{ tags: [] }, /^id is not/],
	[{ id: flip(good.id, 5) }, /^id is not/],
	[{ sig: flip(good.sig, 5) }, /^the signature does not verify$/],
	[{ sig: real.sig }, /^the signature does not verify$/],
	[{ pubkey: flip(pubkey, 5) }, /^id is not/],
	[{ id: good.id.toUpperCase() }, /^id has ".", want|^id has "[A-F]" at \d+, want lower-case hexadecimal digits$/],
	[{ id: "00" }, /^id has 2 characters, want 64$/],
	[{ id: undefined }, /^id is undefined, want a string$/],
	[{ sig: 5 }, /^sig is a number, want a string$/],
	[{ pubkey: "x".repeat(64) }, /^pubkey has "x" at 1, want/],
	[{ pubkey: null }, /^pubkey is null, want a string$/],
	[{ created_at: "1" }, /^created_at is a string, want an integer/],
	[{ created_at: 1.5 }, /^created_at is 1.5, want an integer/],
	[{ created_at: 2 ** 53 }, /^created_at is 9007199254740992, want an integer/],
	[{ kind: -1 }, /^kind is -1, want an integer from 0 to 65535$/],
	[{ kind: 65536 }, /^kind is 65536/],
	[{ tags: "x" }, /^tags is a string, want an array$/],
	[{ tags: ["x"] }, /^tags has a string, want arrays of strings$/],
	[{ tags: [["x", 1]] }, /^a tag has a number, want strings$/],
	[{ tags: [["\ud800"]] }, /^a tag has half of a surrogate pair$/],
	[{ content: "\udc00" }, /^content has half of a surrogate pair$/],
	[{ content: null }, /^content is null, want a string$/],
];

test("verdicts", () => {
	assert.deepEqual(p.verifyEvents([]), []);
	assert.deepEqual(p.verifyEvents([real, good, sign({})]), Array(3).fill({ valid: true }));
	const verdicts = p.verifyEvents(wrong.map(([change]) => ({ ...good, ...change })));
	for (const [i, [change, reason]] of wrong.entries()) {
		assert.equal(verdicts[i].valid, false, JSON.stringify(change));
		assert.match(verdicts[i].reason, reason);
	}
	const off = { ...good, pubkey: "00".repeat(32) }; // no point has this x
	off.id = hex(p.eventId(off));
	assert.deepEqual(p.verifyEvents([off, null, 7, [], "x"]).map((v) => v.reason), [
		"p256k1: x-only public key: curve: point: x is not on the curve", "the event is null, want an object",
		"the event is a number, want an object", "the event is an array, want an object", "the event is a string, want an object",
	]);
	const text = p.verifyEvents(`${JSON.stringify(real)}\r\n{"id":\n${JSON.stringify(good)}\n`);
	assert.deepEqual(text.map((v) => v.valid), [true, false, true]);
	assert.match(text[1].reason, /^not JSON: /);
});

/** random events, half of them changed. */
function corpus(n) {
	const letters = [...everything];
	const random = (below) => crypto.getRandomValues(new Uint32Array(1))[0] % below;
	const text = () => Array.from({ length: random(30) }, () => letters[random(letters.length)]).join("");
	const events = [real, good];
	for (const [change] of wrong) {
		// One value that JSON reads as another, or that the command reads as 64 bits.
		if (change.created_at !== 2 ** 53) events.push({ ...good, ...change });
	}
	while (events.length < n) {
		const tags = Array.from({ length: random(4) }, () => Array.from({ length: random(4) }, text));
		const event = sign({ content: text(), tags, kind: random(65536), created_at: random(2 ** 32) - 2 ** 31 });
		switch (random(10)) {
			case 0: event.content += "x"; break;
			case 1: event.id = flip(event.id, random(64)); break;
			case 2: event.sig = flip(event.sig, random(128)); break;
			case 3: event.kind ^= 1; break;
			case 4: event.tags.push(["x"]); break;
		}
		events.push(event);
	}
	return events;
}

test("the command p256k1 verify judges the same", (t) => {
	const lines = corpus(cases).map((event) => JSON.stringify(event));
	const run = spawnSync("go", ["run", "./cmd/p256k1", "verify", "--json"], { cwd: `${module}/..`, input: lines.join("\n") + "\n", encoding: "utf8", maxBuffer: 1 << 28 });
	assert.ifError(run.error);
	const theirs = Array(lines.length).fill(true);
	let summary;
	for (const line of run.stdout.trim().split("\n").map((line) => JSON.parse(line))) {
		if (line.type === "finding") theirs[line.line - 1] = false;
		if (line.type === "summary") summary = line;
	}
	assert.ok(summary, run.stderr);
	const ours = p.verifyEvents(lines.join("\n"));
	for (const [i, line] of lines.entries()) assert.equal(ours[i].valid, theirs[i], `${line}\n${ours[i].reason}`);
	const good = theirs.filter(Boolean).length;
	assert.equal(summary.signatures.good, good);
	assert.ok(good > cases / 4 && good < cases);
	t.diagnostic(`result: ${lines.length} events, ${good} good: the verdicts of p256k1 verify`);
});

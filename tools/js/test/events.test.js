// Tests the verdicts on Nostr events, and that the command p256k1 verify gives the same verdicts.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import path from "node:path";
import { test } from "node:test";
import { bytesToHex, cases, hex, hexToBytes, load, module, replaced, unhex } from "./library.js";

const p = await load();
const key = p.generateKey();
const pubkey = hex(p.derive(key).slice(1));

const sign = (event) => p.signEvent({ created_at: 1700000000, kind: 1, tags: [], content: "", ...event }, key);

test("a signed event has the id, the key and the signature of its parts, and each field is read once", () => {
	const parts = { created_at: 5, kind: 1, tags: [["a"]], content: everything }, id = p.eventId({ pubkey, ...parts }), aux = new Uint8Array(32);
	const want = { id: hex(id), pubkey, ...parts, sig: hex(p.signSchnorr(id, key, aux)) };
	let read = 0;
	class Draft { get content() { return read++ === 0 ? everything : "another"; } }
	const draft = Object.assign(new Draft(), { created_at: 5, kind: 1, tags: parts.tags, id: "of before", more: 1 });
	assert.deepEqual(p.signEvent(draft, key, aux), want);
	assert.equal(read, 1);
	assert.deepEqual(p.signEvent(want, key, aux), want);
	const other = p.signEvent(parts, key);
	assert.notEqual(other.sig, want.sig);
	assert.deepEqual(p.verifyEvents([want, other]), [{ valid: true }, { valid: true }]);
});

test("keys in texts: the examples of NIP-19, and hexadecimal digits", () => {
	const npub = "npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg", pub = "7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e";
	const nsec = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5", secret = "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa";
	assert.deepEqual([p.encodeNpub(unhex(pub)), bytesToHex(p.decodeNpub(npub))], [npub, pub]);
	assert.deepEqual([p.encodeNsec(unhex(secret)), bytesToHex(p.decodeNsec(nsec.toUpperCase()))], [nsec, secret]);
	const all = Uint8Array.from({ length: 256 }, (_, i) => i);
	assert.equal(bytesToHex(all), hex(all));
	assert.deepEqual([hexToBytes(hex(all)), hexToBytes("")], [all, new Uint8Array()]);
});

// An event from a public Nostr relay.
const real = {
	id: "dc90c95f09947507c1044e8f48bcf6350aa6bff1507dd4acfc755b9239b5c962",
	pubkey: "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d", created_at: 1644271588, kind: 1, tags: [],
	content: "now that https://blueskyweb.org/blog/2-7-2022-overview was announced we can stop working on nostr?",
	sig: "230e9d8f0ddaf7eb70b5f7741ccfa37e87a455c9a469282e3464e2052d3192cd63a167e196e381ef9d7e69e9ea43af2443b839974dc85d8aaab9efe1d9296524",
};
const everything = "plain \"quoted\" back\\slash \\u0001 /slash/ \n\r\t\b\f \x00\x01\x0b\x1b\x1f\x7f\u0080 <b>&amp;'</b> \u2028\u2029 ünïcødé 日本 😀\u{10ffff} \ufffd";

test("the id is the SHA-256 of NIP-01's serialization, with control characters verbatim", () => {
	const text = `[0,"${pubkey}",-5,65535,[["a","\\"\\\\\\n\\r\\t\\b\\f\x00\x1f\x7f"],[]],"\\\\u0001\\\\\x01é\u2028"]`;
	const id = p.eventId({ pubkey, created_at: -5, kind: 65535, tags: [["a", "\"\\\n\r\t\b\f\x00\x1f\x7f"], []], content: "\\u0001\\\x01é\u2028" });
	assert.equal(hex(id), createHash("sha256").update(text).digest("hex"));
	assert.equal(hex(p.eventId(real)), real.id);
});

const good = sign({ content: everything, tags: [["e", everything], [], ["p", "", "x"]] });
const flip = (text, i) => text.slice(0, i) + (text[i] === "0" ? "1" : "0") + text.slice(i + 1);

// Changes that make events bad, each with the expected reason.
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
	[{ created_at: -0 }, /^created_at is -0, want an integer/],
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

test("the verdict on an id that was hashed with control characters as \\u00xx says so", () => {
	for (const [change, hint] of [[{ content: everything }, true], [{ tags: [["t", "\x00"], []] }, true], [{ content: "\n\t\x7f\u2028" }, false]]) {
		const { created_at, kind, tags, content, sig } = sign(change);
		const id = createHash("sha256").update(JSON.stringify([0, pubkey, created_at, kind, tags, content])).digest("hex");
		const event = { id: hint ? id : flip(id, 3), pubkey, created_at, kind, tags, content, sig };
		for (const given of [[event], JSON.stringify(event)]) {
			const [{ valid, reason }] = p.verifyEvents(given);
			assert.equal(valid, false);
			assert.equal(reason.endsWith("; it is that with control characters as \\u00xx, which NIP-01 wants verbatim"), hint, reason);
		}
	}
});

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
	assert.deepEqual(p.verifyEvents([off, , null, 7, [], "x"]).map((v) => v.reason), [
		"p256k1: x-only public key: x is not on the curve", "the event is undefined, want an object", "the event is null, want an object",
		"the event is a number, want an object", "the event is an array, want an object", "the event is a string, want an object",
	]);
	const text = p.verifyEvents(`\ufeff${JSON.stringify(real)}\r\n{"id":\n\n \t\r\n${JSON.stringify(good)}\n`);
	assert.deepEqual(text.map((v) => v.valid), [true, false, true]);
	assert.match(text[1].reason, /^not JSON: /);
	assert.deepEqual(p.verifyEvents("\n \n"), []);
});

test("each of many events has its own verdict, and one may verify others while it is read", () => {
	const events = Array.from({ length: 600 }, (_, i) => sign({ content: `${i}` }));
	const bad = new Map([[0, "sig"], [1, "id"], [255, "sig"], [256, "sig"], [257, "pubkey"], [511, "id"], [599, "sig"]]);
	for (const [i, field] of bad) events[i] = { ...events[i], [field]: flip(events[i][field], 9) };
	events[300] = { ...events[300], get content() { assert.equal(p.verifyEvents([good, events[0]])[1].valid, false); return "300"; } };
	delete events[512];
	const verdicts = p.verifyEvents(events);
	assert.equal(verdicts.length, 600);
	for (const [i, verdict] of verdicts.entries()) {
		assert.equal(verdict.valid, !bad.has(i) && i !== 512, `${i}: ${verdict.reason}`);
		if (bad.get(i) === "sig") assert.match(verdict.reason, /^the signature does not verify$/);
	}
	const long = events.slice(2, 40).map((_, i) => sign({ content: `${i}`.repeat(1 << 19) })); // so long that groups are short
	long[30] = { ...long[30], sig: long[31].sig };
	assert.deepEqual(p.verifyEvents(long).map((v, i) => v.valid || i).filter((v) => v !== true), [30]);
});

test("no value in place of an event throws an error", () => {
	const hostile = [
		'{"pubkey":{"constructor":{"name":{"toString":1}}}}', '{"pubkey":{"toString":1,"toJSON":1,"length":64}}', '{"__proto__":{"id":1}}',
		`{"pubkey":"${pubkey}","created_at":{"valueOf":1},"kind":1}`, `{"pubkey":"${pubkey}","created_at":1,"kind":1,"tags":[{"length":1}]}`, "[".repeat(1e5),
	];
	assert.deepEqual(p.verifyEvents(hostile.join("\n")).map((v) => v.valid), Array(hostile.length).fill(false));
	const { proxy, revoke } = Proxy.revocable([], {});
	revoke();
	const thrower = { get pubkey() { throw new Error("no key"); } };
	const live = [proxy, thrower, { ...good, id: proxy }, { ...good, content: proxy }, { ...good, tags: [proxy] }, { ...good, tags: [[Symbol()]] }];
	const verdicts = p.verifyEvents([...live, good]);
	assert.deepEqual(verdicts.map((v) => v.valid), [...Array(live.length).fill(false), true]);
	assert.equal(verdicts[0].reason, "the event cannot be read");
});

test("an event that is too long is bad", () => {
	const tag = Array(1e5).fill("0123456789");
	const long = { valid: false, reason: "the event has more than 33554432 characters" };
	for (const change of [{ content: "x".repeat(90e6) }, { content: "\x01".repeat(95e6) }, { tags: Array(1e5).fill(tag) }, { tags: [["x".repeat(2 ** 25)]] }]) {
		const event = { ...good, ...change };
		assert.deepEqual(p.verifyEvents([event, good]), [long, { valid: true }]);
		assert.throws(() => p.eventId(event), new TypeError(`p256k1: ${long.reason}`));
	}
	assert.match(p.verifyEvents([{ ...good, tags: [], content: "日".repeat(2 ** 25) }])[0].reason, /^id is not/);
});

test("verification uses the values that were read once", async () => {
	const other = p.derive(new Uint8Array(32).fill(4));
	const event = { pubkey: hex(other.slice(1)), created_at: 1, kind: 1, tags: [], content: "forged" };
	const id = p.eventId(event);
	let read = 0;
	const changing = { ...event, id: hex(id), sig: hex(p.signSchnorr(id, key)), get pubkey() { return read++ === 1 ? pubkey : event.pubkey; } };
	assert.equal(p.verifyEvents([changing])[0].reason, "the signature does not verify");
	assert.equal(read, 1);

	const forged = [["e", "forged"]], none = () => [];
	const tags = [Object.assign([...forged], { toJSON: none }), Object.assign([...forged], { [Symbol.iterator]: () => [].values() }), [Object.assign([...forged[0]], { toJSON: none, map: none, join: none })]];
	for (const lie of tags) assert.equal(p.verifyEvents([{ ...sign({}), tags: lie }])[0].valid, false);
	const verdicts = await replaced(Array.prototype, { toJSON: none }, () => p.verifyEvents([good, { ...sign({}), tags: forged }]));
	assert.deepEqual(verdicts.map((v) => v.valid), [true, false]);
});

/** corpus returns n events: a real event, a good event, wrong events, and random events, half of which are changed. */
function corpus(n) {
	const letters = [...everything];
	const random = (below) => crypto.getRandomValues(new Uint32Array(1))[0] % below;
	const text = () => Array.from({ length: random(30) }, () => letters[random(letters.length)]).join("");
	const events = [real, good];
	for (const [change] of wrong) {
		// The corpus lacks numbers that the command reads as 64 bits, and numbers that JSON writes differently.
		if (change.created_at !== 2 ** 53 && !Object.is(change.created_at, -0)) events.push({ ...good, ...change });
	}
	while (events.length < n) {
		const tags = Array.from({ length: random(4) }, () => Array.from({ length: random(4) }, text));
		const event = sign({ content: text(), tags, kind: random(65536), created_at: random(2 ** 32) - 2 ** 31 });
		switch (events.length % 10) {
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

/** command returns the lines that p256k1 verify calls good, and its counts. */
function command(lines) {
	const run = spawnSync("go", ["run", "./cmd/p256k1", "verify", "--json"], { cwd: path.join(module, "../.."), input: lines.join("\n") + "\n", encoding: "utf8", maxBuffer: 1 << 28 });
	assert.ifError(run.error);
	const good = Array(lines.length).fill(true);
	let summary;
	for (const line of run.stdout.trim().split("\n").map((line) => JSON.parse(line))) {
		if (line.type === "finding") good[line.line - 1] = false;
		if (line.type === "summary") summary = line;
	}
	assert.ok(summary, run.stderr);
	return { good, summary };
}

test("the command p256k1 verify gives the same verdicts", (t) => {
	const lines = corpus(cases).map((event) => JSON.stringify(event));
	const { good: theirs, summary } = command(lines);
	const ours = p.verifyEvents(lines.join("\n"));
	for (const [i, line] of lines.entries()) assert.equal(ours[i].valid, theirs[i], `${line}\n${ours[i].reason}`);
	const good = theirs.filter(Boolean).length;
	assert.equal(summary.signatures.good, good);
	assert.ok(good > cases / 4 && good < cases);
	t.diagnostic(`result: ${lines.length} events, ${good} good: the verdicts of p256k1 verify`);
});

// This test has lines of most kinds for which p256k1.d.ts says that the command's verdict differs, and other lines.
test("spellings", () => {
	const line = JSON.stringify(sign({ created_at: 1000 }));
	const written = (number) => line.replace('"created_at":1000', `"created_at":${number}`);
	const timed = (number, text) => JSON.stringify(sign({ created_at: number })).replace(/"created_at":[^,]*/, `"created_at":${text}`);
	const more = (fields) => line.replace("{", `{${fields},`);
	const huge = createHash("sha256").update(`[0,"${pubkey}",9007199254740993,1,[],""]`).digest();
	const names = Array.from({ length: 1025 }, (_, i) => `"${i}":0`);
	const rows = [ // line, valid here, good for the command
		[line, true, true],
		[` \t${line}\r`, true, true],
		[line.replace('"sig"', '"\\u0073ig"'), true, true],
		[more('"x":[{"y":null}]'), true, true],
		[more('"__proto__":{"kind":5}'), true, true],
		[written("01000"), false, false],
		[written("+1000"), false, false],
		[timed(0, "-0"), false, false],
		[written("1e400"), false, false],
		[`${line}x`, false, false],
		[`${line},`, false, false],
		[`\ufeff${line}`, false, false], // except in the first line
		[line.replace('"kind"', '"Kind"'), false, false],
		[written("1e3"), true, false],
		[written("1000.0"), true, false],
		[written("1000.00000000000000000001"), true, false],
		[timed(2 ** 53 - 1, "9007199254740991.1"), true, false],
		[more('"sig":"00"'), true, false],
		[`{"id":"${hex(huge)}","pubkey":"${pubkey}","created_at":9007199254740993,"kind":1,"tags":[],"content":"","sig":"${hex(p.signSchnorr(huge, key))}"}`, false, true],
		[more(`"x":${"[".repeat(257)}${"]".repeat(257)}`), true, false],
		[more(`"x":{${names}}`), true, false],
		[more('"x":"\\ud800"'), true, false],
	];
	const lines = rows.map(([line]) => line);
	assert.deepEqual(p.verifyEvents(lines.join("\n")).map((v) => v.valid), rows.map((row) => row[1]));
	assert.deepEqual(command(lines).good, rows.map((row) => row[2]));
});

// Clicks through the demo page in a browser. P256K1_SCREENSHOT names a file for a picture.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { until, visit } from "./browser.js";
import { load, module, unhex } from "./library.js";

/** show runs f with a browser and a folder with the page. f may change the folder. */
async function show(t, f) {
	const folder = mkdtempSync(path.join(os.tmpdir(), "p256k1-page-"));
	for (const source of ["dist", "page"]) cpSync(path.join(module, source), folder, { recursive: true });
	try {
		await visit(folder, (why) => t.skip(why), (page, url) => f(page, url, folder));
	} finally {
		rmSync(folder, { recursive: true });
	}
}

test("the page", (t) => show(t, async (page, url) => {
	await clickThrough(page, url, t);
	if (process.env.P256K1_SCREENSHOT) writeFileSync(process.env.P256K1_SCREENSHOT, await page.screenshot({ fullPage: true }));
	await breakDown(page);
	assert.deepEqual(page.said, []);
}));

// says returns the message above the first section, which the page shows while no button works.
const says = (page) => page.evaluate(`[...document.querySelectorAll("main > p")].filter((p) => p.checkVisibility() && p.innerText).map((p) => p.innerText).join()`);

test("the page from a file says how to serve it", (t) => show(t, async (page, _, folder) => {
	await page.goto(pathToFileURL(path.join(folder, "index.html")).href);
	await until(page, `location.protocol === "file:" && document.readyState === "complete"`);
	assert.match(await says(page), /^Browsers load no modules from files, .* Run python3 -m http\.server -b 127\.0\.0\.1 in its folder and open http:\/\/127\.0\.0\.1:8000\/\.$/);
	assert.ok(!page.said.some((text) => /Content.Security.Policy/.test(text)), `${page.said}`);
}));

test("the page names a missing or malformed file", (t) => show(t, async (page, url, folder) => {
	const failed = async (why) => {
		await page.goto(url);
		await until(page, `document.getElementById("status")?.className === "bad"`);
		assert.match(await says(page), why);
	};
	renameSync(path.join(folder, "p256k1.wasm"), path.join(folder, "moved"));
	await failed(/^p256k1: http:.*\/p256k1\.wasm: status 404 Not Found$/);
	rmSync(path.join(folder, "p256k1.js"));
	await failed(/^http:.*\/page\.js did not load, or what it imports$/);
	writeFileSync(path.join(folder, "p256k1.js"), "#");
	await failed(/SyntaxError/);
}));

async function clickThrough(page, url, t) {
	const read = (id, property) => page.evaluate(`document.getElementById("${id}").${property}`);
	const text = (id) => read(id, "textContent"), value = (id) => read(id, "value");
	// elements that do not fit into the window
	const overflow = () => page.evaluate(`[...document.querySelectorAll("main *")].filter((e) => e.getBoundingClientRect().right > innerWidth).map((e) => e.outerHTML)`);
	/** press types a text, unless it is undefined, and clicks a button. */
	const press = async (button, id, typed) => {
		if (typed !== undefined) await page.evaluate(`document.getElementById("${id}").value = ${JSON.stringify(typed)}`);
		await page.click(`#${button}`);
	};

	await page.setViewportSize({ width: 390, height: 800 });
	await page.goto(url);
	await until(page, `document.getElementById("status")?.textContent.startsWith("ready")`);
	const ready = await text("status");

	// a key
	const before = await text("public");
	await press("make");
	const pub = await text("public");
	assert.match(pub, /^[0-9a-f]{64}$/);
	assert.notEqual(pub, before);
	assert.match(await text("secret"), /^[0-9a-f]{64}$/);
	const p = await load();
	assert.deepEqual([await text("npub"), await text("nsec")], [p.encodeNpub(unhex(pub)), p.encodeNsec(unhex(await text("secret")))]);

	// a signature
	await press("sign", "message", "héllo");
	const signature = await value("signature");
	assert.match(signature, /^[0-9a-f]{128}$/);
	for (const [id, typed, says] of [
		["message", "héllo", "valid"],
		["message", "hello", "not valid"],
		["signature", signature.slice(2), "p256k1: signature has 63 bytes, want 64"],
		["signature", "x", "p256k1: text has 1 character, want an even number"],
	]) {
		await press("verify", id, typed);
		assert.equal(await text("verified"), says);
	}

	// events
	const verdicts = () => page.evaluate(`[...document.querySelectorAll("#verdicts li")].map((li) => li.textContent)`);
	await press("example");
	const event = await value("events");
	assert.equal(JSON.parse(event).pubkey, pub);
	await press("check");
	assert.deepEqual(await verdicts(), ["valid"]);
	await press("check", "events", `${event}\n\n${event.replace("hello", "hullo")}\nnonsense`);
	assert.match((await verdicts()).join("; "), /^valid; id is not the SHA-256 of the event.*; not JSON/);
	for (const width of [1280, 390]) {
		await page.setViewportSize({ width, height: 800 });
		assert.deepEqual(await overflow(), [], `at ${width} pixels`);
	}
	await press("check", "events", "\n");
	assert.equal(await text("verdicts"), "there is no event");
	await press("check", "events", JSON.stringify(JSON.parse(event), null, 2));
	assert.deepEqual(await verdicts(), ["valid"]);
	await page.evaluate(`document.getElementById("events").focus(); document.getElementById("events").setSelectionRange(0, 0)`);
	await page.keyboard.insertText(" ");
	assert.deepEqual(await verdicts(), []);
	await press("check");
	assert.deepEqual(await verdicts(), ["valid"]);
	t.diagnostic(`result: the page in Chromium: ${ready}; key, signature and events as expected`);
}

// breakDown makes the module break down. No "valid" of earlier calls may remain.
async function breakDown(page) {
	const text = (id) => page.evaluate(`document.getElementById("${id}").textContent`);
	await page.evaluate(`crypto.getRandomValues = () => { throw new Error("no randomness"); }`);
	assert.equal(await text("verdicts"), "valid");
	for (const [button, output] of [["make", "public"], ["sign", "verified"], ["check", "verdicts"]]) {
		await page.click(`#${button}`);
		assert.match(await text(output), /no randomness/, button);
	}
}

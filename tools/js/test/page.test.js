// The page in a browser: clicks through it. P256K1_SCREENSHOT names a file for a picture.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { open, serve } from "./browser.js";
import { module } from "./library.js";

/** visit runs f with a browser and a folder with the page, which it may change. */
async function visit(t, f) {
	const browser = await open();
	if (!browser) {
		assert.ok(!process.env.CI, "there is no chromium");
		t.skip("there is no chromium");
		return;
	}
	const folder = mkdtempSync(path.join(os.tmpdir(), "p256k1-page-"));
	for (const from of ["dist", "page"]) cpSync(path.join(module, from), folder, { recursive: true });
	const server = await serve(folder);
	try {
		await f(browser, server.url, folder);
	} finally {
		await browser.close();
		server.close();
		rmSync(folder, { recursive: true });
	}
}

test("the page", (t) => visit(t, async (browser, url) => {
	await clickThrough(browser, url, t);
	if (process.env.P256K1_SCREENSHOT) writeFileSync(process.env.P256K1_SCREENSHOT, await browser.screenshot());
	await breakDown(browser);
	assert.deepEqual(browser.said, []);
}));

// What the page shows above the first section, since no button does anything.
const says = (browser) => browser.evaluate(`[...document.querySelectorAll("main > p")].filter((p) => p.checkVisibility() && p.innerText).map((p) => p.innerText).join()`);

test("the page from a file says how to serve it", (t) => visit(t, async (browser, _, folder) => {
	await browser.goto(pathToFileURL(path.join(folder, "index.html")));
	await browser.until(`location.protocol === "file:" && document.readyState === "complete"`);
	assert.match(await says(browser), /^Browsers load no modules from files, .* Run python3 -m http\.server -b 127\.0\.0\.1 in its folder and open http:\/\/127\.0\.0\.1:8000\/\.$/);
	assert.ok(!browser.said.some((text) => /Content.Security.Policy/.test(text)), `${browser.said}`);
}));

test("the page says which file is missing or no program", (t) => visit(t, async (browser, url, folder) => {
	const failed = async (why) => {
		await browser.goto(url);
		await browser.until(`document.getElementById("status")?.className === "bad"`);
		assert.match(await says(browser), why);
	};
	renameSync(path.join(folder, "p256k1.wasm"), path.join(folder, "moved"));
	await failed(/^p256k1: http:.*\/p256k1\.wasm: status 404 Not Found$/);
	rmSync(path.join(folder, "p256k1.js"));
	await failed(/^http:.*\/page\.js did not load, or what it imports$/);
	writeFileSync(path.join(folder, "p256k1.js"), "#");
	await failed(/SyntaxError/);
}));

async function clickThrough(browser, url, t) {
	const text = (id) => browser.evaluate(`document.getElementById("${id}").textContent`);
	const value = (id) => browser.evaluate(`document.getElementById("${id}").value`);
	// what does not fit into a window as narrow as that of a phone
	const overflow = () => browser.evaluate(`[...document.querySelectorAll("main *")].filter((e) => e.getBoundingClientRect().right > innerWidth).map((e) => e.outerHTML)`);
	const type = (id, value) => browser.evaluate(`document.getElementById("${id}").value = ${JSON.stringify(value)}`);

	await browser.send("Emulation.setDeviceMetricsOverride", { width: 390, height: 800, deviceScaleFactor: 1, mobile: false });
	await browser.goto(url);
	await browser.until(`document.getElementById("status")?.textContent.startsWith("ready")`);
	const ready = await text("status");

	// a key
	const before = await text("public");
	await browser.click("#make");
	const pub = await text("public");
	assert.match(pub, /^[0-9a-f]{64}$/);
	assert.notEqual(pub, before);
	assert.match(await text("secret"), /^[0-9a-f]{64}$/);

	// a signature
	await type("message", "héllo");
	await browser.click("#sign");
	const signature = await value("signature");
	assert.match(signature, /^[0-9a-f]{128}$/);
	await browser.click("#verify");
	assert.equal(await text("verified"), "valid");
	await type("message", "hello");
	await browser.click("#verify");
	assert.equal(await text("verified"), "not valid");
	await type("signature", signature.slice(2));
	await browser.click("#verify");
	assert.equal(await text("verified"), "p256k1: signature has 63 bytes, want 64");
	await type("signature", "x");
	await browser.click("#verify");
	assert.equal(await text("verified"), "the signature is not of pairs of hexadecimal digits");

	// events
	const verdicts = () => browser.evaluate(`[...document.querySelectorAll("#verdicts li")].map((li) => li.textContent)`);
	await browser.click("#example");
	const event = await value("events");
	assert.equal(JSON.parse(event).pubkey, pub);
	await browser.click("#check");
	assert.deepEqual(await verdicts(), ["valid"]);
	await type("events", `${event}\n\n${event.replace("hello", "hullo")}\nnonsense`);
	await browser.click("#check");
	const [first, second, third] = await verdicts();
	assert.equal(first, "valid");
	assert.match(second, /^id is not the SHA-256 of the event/);
	assert.match(third, /^not JSON/);
	assert.deepEqual(await overflow(), []);
	await type("events", "\n");
	await browser.click("#check");
	assert.equal(await text("verdicts"), "there is no event");
	await type("events", JSON.stringify(JSON.parse(event), null, 2));
	await browser.click("#check");
	assert.deepEqual(await verdicts(), ["valid"]);
	await browser.evaluate(`document.getElementById("events").focus(); document.getElementById("events").setSelectionRange(0, 0)`);
	await browser.send("Input.insertText", { text: " " });
	assert.deepEqual(await verdicts(), []);
	await browser.click("#check");
	assert.deepEqual(await verdicts(), ["valid"]);

	// speed
	await browser.click("#measure");
	await browser.until(`document.getElementById("measure").disabled`);
	await browser.until(`!document.getElementById("measure").disabled`);
	const bars = await browser.evaluate(`[...document.querySelectorAll("#chart rect")].map((r) => r.width.baseVal.value)`);
	assert.equal(bars.length, 7);
	assert.ok(bars.every((width) => width > 0), `${bars}`);
	const values = await browser.evaluate(`[...document.querySelectorAll("#chart .value")].map((v) => v.textContent)`);
	for (const v of values) assert.match(v, /^[1-9][0-9,]*\/s, [1-9][0-9]* µs$/);
	assert.deepEqual(await overflow(), []);
	t.diagnostic(`result: the page in Chromium: ${ready}; key, signature, events and chart as expected; ${values.length} operations measured`);
}

// breakDown ends the module. No "valid" is left of the calls before.
async function breakDown(browser) {
	const text = (id) => browser.evaluate(`document.getElementById("${id}").textContent`);
	await browser.evaluate(`crypto.getRandomValues = () => { throw new Error("no randomness"); }`);
	assert.equal(await text("verdicts"), "valid");
	for (const [button, output] of [["make", "public"], ["sign", "verified"], ["check", "verdicts"], ["measure", "measured"]]) {
		await browser.click(`#${button}`);
		assert.match(await text(output), /no randomness/, button);
	}
}

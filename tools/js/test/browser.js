// Helpers that open pages in Chromium with Playwright, and serve the pages.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/** serve serves the files of a folder and of the folders below it. */
async function serve(folder) {
	const server = http.createServer((request, response) => {
		const { pathname } = new URL(request.url, "http://localhost"); // without ".."
		const name = pathname === "/" ? "index.html" : pathname;
		let body;
		try {
			body = readFileSync(path.join(folder, name));
		} catch {
			response.writeHead(404).end();
			return;
		}
		response.writeHead(200, { "Content-Type": types[path.extname(name)] ?? "application/octet-stream" }).end(body);
	});
	await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
	return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** launch starts the browser, or returns undefined if there is none. */
async function launch() {
	const playwright = await import("playwright-core").catch(() => undefined);
	const executablePath = process.env.PATH.split(path.delimiter).map((folder) => path.join(folder, "chromium")).find(existsSync);
	return playwright && executablePath && playwright.chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
}

/**
 * visit runs f with a page of the browser and the address of a served folder. page.said has the page's errors and
 * console output. If there is no browser, visit fails under CI, and calls missing otherwise.
 */
export async function visit(folder, missing, f) {
	const browser = await launch();
	if (!browser) {
		const why = "there is no chromium, or no playwright-core: npm ci --prefix tools/js";
		assert.ok(!process.env.CI, why);
		missing(why);
		return;
	}
	const server = await serve(folder);
	try {
		const page = await browser.newPage();
		page.said = [];
		page.on("pageerror", (error) => page.said.push(error.message));
		page.on("console", (message) => page.said.push(message.text()));
		await f(page, server.url);
	} finally {
		await browser.close();
		server.close();
	}
}

/** until waits for an expression to become true. Playwright's waitForFunction does not work under a Content-Security-Policy. */
export async function until(page, expression, ms = 60000) {
	for (const end = Date.now() + ms; Date.now() < end; ) {
		if (await page.evaluate(expression).catch(() => false)) return;
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	throw new Error(`not within ${ms} ms: ${expression}; the browser said: ${page.said.join("; ")}`);
}

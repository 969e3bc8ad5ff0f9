// Chromium, driven over a pipe with the DevTools protocol, and a server for it.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/** serve serves the files of a folder and those below it. */
export async function serve(folder) {
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

/** open starts the browser with a page, or returns undefined if there is none. */
export async function open() {
	const profile = await mkdtemp(path.join(os.tmpdir(), "p256k1-chromium-"));
	const child = spawn("chromium", [
		"--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--window-size=900,1500", `--user-data-dir=${profile}`, "--remote-debugging-pipe", "about:blank",
	], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
	const started = await new Promise((resolve) => child.once("spawn", () => resolve(true)).once("error", () => resolve(false)));
	const clean = () => rm(profile, { recursive: true, force: true, maxRetries: 10 });
	if (!started) {
		await clean();
		return undefined;
	}
	const page = new Page(child);
	await page.attach();
	return Object.assign(page, {
		async close() {
			const gone = new Promise((resolve) => child.once("exit", resolve));
			page.send("Browser.close", {}, undefined).catch(() => {});
			await gone;
			await clean();
		},
	});
}

class Page {
	said = []; // errors, and what is on the console
	#out;
	#waiting = new Map();
	#next = 1;
	#session;

	constructor(child) {
		this.#out = child.stdio[3];
		let rest = "";
		child.stdio[4].setEncoding("utf8").on("data", (text) => {
			const messages = (rest + text).split("\0");
			rest = messages.pop();
			for (const message of messages) this.#receive(JSON.parse(message));
		});
		child.once("exit", () => { for (const { reject } of this.#waiting.values()) reject(new Error("the browser has ended")); });
	}

	#receive({ id, result, error, method, params }) {
		if (id) {
			const { resolve, reject } = this.#waiting.get(id);
			this.#waiting.delete(id);
			error ? reject(new Error(error.message)) : resolve(result);
		} else if (method === "Runtime.exceptionThrown") {
			this.said.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
		} else if (method === "Runtime.consoleAPICalled") {
			this.said.push(params.args.map((a) => a.value ?? a.description).join(" "));
		} else if (method === "Log.entryAdded") {
			this.said.push(`${params.entry.text} ${params.entry.url ?? ""}`);
		}
	}

	send(method, params = {}, sessionId = this.#session) {
		const id = this.#next++;
		this.#out.write(JSON.stringify({ id, method, params, sessionId }) + "\0");
		return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
	}

	async attach() {
		const { targetInfos } = await this.send("Target.getTargets");
		const { targetId } = targetInfos.find((target) => target.type === "page");
		this.#session = (await this.send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
		for (const domain of ["Page", "Runtime", "Log"]) await this.send(`${domain}.enable`);
	}

	goto(url) {
		return this.send("Page.navigate", { url });
	}

	async evaluate(expression) {
		const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
		if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
		return result.value;
	}

	/** until waits for an expression to be true. */
	async until(expression, ms = 60000) {
		for (const end = Date.now() + ms; Date.now() < end; ) {
			if (await this.evaluate(expression).catch(() => false)) return;
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		throw new Error(`not within ${ms} ms: ${expression}; the browser said: ${this.said.join("; ")}`);
	}

	/** click clicks with the mouse where the element is. */
	async click(selector) {
		const at = await this.evaluate(`(() => {
			const element = document.querySelector(${JSON.stringify(selector)});
			element.scrollIntoView({ block: "center" });
			const { x, y, width, height } = element.getBoundingClientRect();
			return { x: x + width / 2, y: y + height / 2 };
		})()`);
		for (const type of ["mousePressed", "mouseReleased"]) {
			await this.send("Input.dispatchMouseEvent", { type, ...at, button: "left", clickCount: 1 });
		}
	}

	async screenshot() {
		const { data } = await this.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: true });
		return Buffer.from(data, "base64");
	}
}

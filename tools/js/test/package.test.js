// Tests the package that the build makes, installed in a project of its own: in Node, with TypeScript, and in a browser
// after each of two bundlers, one of which copies the WebAssembly module.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { until, visit } from "./browser.js";
import { dist, load, module } from "./library.js";

const project = mkdtempSync(path.join(os.tmpdir(), "p256k1-package-"));
after(() => rmSync(project, { recursive: true }));

// The public key of the secret key 1, which is the generator.
const generator = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";

/** program returns a program that shows the generator, or the error of load, on its page or on the console. */
const program = (source = "") => `import { load } from "p256k1";
	const show = (text) => globalThis.document ? (document.body.textContent = text) : console.log(text);
	load(${source}).then((p) => {
		const key = new Uint8Array(32);
		key[31] = 1;
		show(Array.from(p.derive(key), (b) => b.toString(16).padStart(2, "0")).join(""));
	}).catch((error) => show(error.message));`;

function write(name, text) {
	const file = path.join(project, name);
	mkdirSync(path.dirname(file), { recursive: true });
	writeFileSync(file, text);
	return file;
}

function run(command, ...args) {
	const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: project, encoding: "utf8" });
	assert.ifError(error);
	assert.equal(status, 0, `${command} ${args.join(" ")}: ${(stdout + stderr).slice(-1000)}`);
	return stdout;
}

/** tool imports a development dependency. If it is missing, the test fails under CI, and is skipped otherwise. */
async function tool(t, name) {
	try {
		return await import(name);
	} catch {
		const missing = `no ${name}: npm ci --prefix tools/js`;
		assert.ok(!process.env.CI, missing);
		t.skip(missing);
		return undefined;
	}
}

/** shows opens the page of a folder, and checks that it shows the key. */
function shows(t, folder) {
	return visit(folder, (why) => t.diagnostic(`not run in a browser: ${why}`), async (page, url) => {
		await page.goto(url);
		await until(page, `document.body?.textContent === "${generator}"`);
	});
}

const html = (script, type = "module") => `<!DOCTYPE html><link rel="icon" href="data:,"><body><script type="${type}" src="${script}"></script></body>`;

before(() => {
	write("package.json", '{ "private": true, "type": "module" }');
	run("npm", "install", "--offline", "--no-audit", "--no-fund", dist);
});

test("the packed files", (t) => {
	const { files, name } = Object.values(JSON.parse(run("npm", "pack", "--dry-run", "--json", dist)))[0];
	assert.equal(name, "p256k1");
	assert.deepEqual(files.map((f) => f.path).sort(), ["LICENSE", "README.md", "p256k1.d.ts", "p256k1.js", "p256k1.wasm", "package.json"]);
	t.diagnostic(`result: the package holds ${files.length} files`);
});

test("in Node", () => {
	write("main.js", program());
	assert.equal(run(process.execPath, "main.js").trim(), generator);
	// All other files that the manifest names exist.
	write("resolve.js", `for (const name of ["p256k1.wasm", "package.json"]) console.log(import.meta.resolve("p256k1/" + name));`);
	for (const address of run(process.execPath, "resolve.js").trim().split("\n")) assert.ok(existsSync(new URL(address)), address);
});

test("the program in README", () => {
	const [, code] = readFileSync(path.join(project, "node_modules/p256k1/README.md"), "utf8").match(/```js\n(.*?)```/s);
	write("readme.js", code);
	assert.equal(run(process.execPath, "readme.js"), "[ { valid: true } ]\ntrue\ntrue\n[ 1 ]\ntrue\ntrue\n");
});

test("with TypeScript: right and wrong uses", async (t) => {
	if (!(await tool(t, "typescript"))) return;
	copyFileSync(path.join(module, "test/types.ts"), path.join(project, "types.ts"));
	for (const options of [
		{ module: "NodeNext", lib: ["ES2022"], types: ["node"], typeRoots: [path.join(module, "node_modules/@types")] }, // Node, without the types of browsers
		{ module: "ESNext", moduleResolution: "Bundler", lib: ["ES2022", "DOM"], types: [] },
	]) {
		write("tsconfig.json", JSON.stringify({ compilerOptions: { strict: true, target: "ES2022", noEmit: true, ...options }, files: ["types.ts"] }));
		run(process.execPath, path.join(module, "node_modules/typescript/bin/tsc"));
	}
	const wrong = readFileSync(path.join(module, "test/types.ts"), "utf8").match(/^\s*\/\/ @ts-expect-error: /gm).length;
	t.diagnostic(`result: the types accept all right uses and none of ${wrong} wrong ones`);
});

test("the types name all exports", async (t) => {
	const ts = (await tool(t, "typescript"))?.default;
	if (!ts) return;
	const file = path.join(module, "p256k1.d.ts");
	const source = ts.createProgram([file], {}).getSourceFile(file);
	const declared = source.statements.find((s) => ts.isInterfaceDeclaration(s) && s.name.text === "P256k1").members.map((m) => m.name.text);
	assert.deepEqual(declared.sort(), Object.keys(await load()).sort());
	const functions = source.statements.filter((s) => ts.isFunctionDeclaration(s)).map((s) => s.name.text);
	assert.deepEqual(functions.sort(), Object.keys(await import("../dist/p256k1.js")).sort());
});

test("Vite copies p256k1.wasm", async (t) => {
	const vite = await tool(t, "vite");
	if (!vite) return;
	write("main.js", program());
	write("index.html", html("main.js"));
	await vite.build({ root: project, configFile: false, logLevel: "error" });
	const assets = readdirSync(path.join(project, "dist/assets"));
	assert.equal(assets.filter((name) => /^p256k1-.*\.wasm$/.test(name)).length, 1, `${assets}`);
	await shows(t, path.join(project, "dist"));
});

test("esbuild does not copy it, and three ways to load it", async (t) => {
	const esbuild = await tool(t, "esbuild");
	if (!esbuild) return;
	const bundle = async (folder, text, options = {}) => {
		const outfile = path.join(project, folder, "app/main.js");
		const { warnings } = await esbuild.build({ entryPoints: [write(`${folder}.js`, text)], outfile, bundle: true, minify: true, format: "esm", target: "es2022", logLevel: "silent", ...options });
		if (options.format !== "iife") assert.deepEqual(warnings, []);
		write(`${folder}/index.html`, html("app/main.js", options.format === "iife" ? "text/javascript" : "module"));
		return outfile;
	};
	const works = async (outfile) => {
		assert.equal(run(process.execPath, outfile).trim(), generator);
		await shows(t, path.dirname(path.dirname(outfile)));
	};

	const beside = await bundle("beside", program());
	assert.match(run(process.execPath, beside), /^p256k1: file:.*\/app\/p256k1\.wasm: ENOENT/); // the message says which file has to be where
	copyFileSync(path.join(dist, "p256k1.wasm"), path.join(path.dirname(beside), "p256k1.wasm"));
	await works(beside);

	const wasm = 'import wasm from "p256k1/p256k1.wasm"; ';
	await works(await bundle("address", wasm + program("new URL(wasm, import.meta.url)"), { loader: { ".wasm": "file" } }));
	await works(await bundle("bytes", wasm + program("wasm"), { loader: { ".wasm": "binary" }, format: "iife" }));

	const nowhere = await bundle("nowhere", program(), { format: "iife" });
	assert.equal(run(process.execPath, nowhere).trim(), "p256k1: this script has no address: load needs the address or the bytes of p256k1.wasm");
});

test("a string is an address relative to the page", async (t) => {
	const esbuild = await tool(t, "esbuild");
	if (!esbuild) return;
	const outfile = path.join(project, "relative/app/main.js");
	await esbuild.build({ entryPoints: [write("relative.js", program('"wasm/p256k1.wasm"'))], outfile, bundle: true, format: "esm", logLevel: "silent" });
	const page = write("relative/index.html", html("app/main.js"));
	mkdirSync(path.join(path.dirname(page), "wasm"));
	copyFileSync(path.join(dist, "p256k1.wasm"), path.join(path.dirname(page), "wasm/p256k1.wasm"));
	await shows(t, path.dirname(page));
});

// The types: that the compiler accepts right uses and no others, and that they name
// what there is.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { load, module } from "./library.js";

const missing = "npm ci --prefix tools/js, which fetches the compiler";

async function compiler(t) {
	try {
		return (await import("typescript")).default;
	} catch (error) {
		assert.ok(!process.env.CI, missing);
		t.skip(missing);
		return undefined;
	}
}

test("right and wrong uses", async (t) => {
	if (!(await compiler(t))) return;
	const run = spawnSync(process.execPath, [path.join(module, "node_modules/typescript/bin/tsc"), "-p", path.join(module, "test")], { encoding: "utf8" });
	assert.equal(run.status, 0, run.stdout + run.stderr);
	const wrong = readFileSync(path.join(module, "test/types.ts"), "utf8").match(/^\s*\/\/ @ts-expect-error: /gm).length;
	t.diagnostic(`result: the types accept all right uses and none of ${wrong} wrong ones`);
});

test("the types name all that there is", async (t) => {
	const ts = await compiler(t);
	if (!ts) return;
	const file = path.join(module, "p256k1.d.ts");
	const source = ts.createProgram([file], {}).getSourceFile(file);
	const declared = source.statements.find((s) => ts.isInterfaceDeclaration(s) && s.name.text === "P256k1").members.map((m) => m.name.text);
	assert.deepEqual(declared.sort(), Object.keys(await load()).sort());
});

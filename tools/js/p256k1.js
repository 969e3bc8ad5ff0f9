// This is secp256k1 for JavaScript: keys, ECDSA, BIP-340 Schnorr signatures, ECDH and Nostr events. p256k1.d.ts
// describes the functions. p256k1.wasm is the Go library, which does the work; tools/js/wasm/main.go says how it is
// called.

/**
 * load starts the module. The source is the module's address, its bytes, a Response or a
 * compiled WebAssembly.Module, of any realm. Without a source, load uses the file next to this script.
 */
export async function load(source = beside()) {
	const module = await compile(await source);
	const host = new Host();
	const { exports } = await WebAssembly.instantiate(module, host.imports(module));
	if (!exports.reserve) throw new Error("p256k1: the module is not p256k1.wasm");
	host.memory = exports.memory;
	return library(new Caller(host, exports));
}

// beside returns the address of p256k1.wasm. Bundlers recognize this expression, copy the file and insert its address.
// A bundle that is not a module has no import.meta.url.
function beside() {
	try {
		return new URL("./p256k1.wasm", import.meta.url);
	} catch {
		throw new Error("p256k1: this script has no address: load needs the address or the bytes of p256k1.wasm");
	}
}

// compile tests what a source is by its tag or its methods, never by instanceof, because test runners with a simulated
// DOM and node:vm pass objects of another realm, whose constructors are others.
async function compile(source) {
	if (tag(source) === "[object WebAssembly.Module]") return source;
	if (isBytes(source)) return compileBytes(source);
	let address;
	if (typeof source === "string" || typeof source?.href === "string") {
		address = new URL(source.href ?? source, globalThis.document?.baseURI ?? globalThis.location?.href ?? beside());
	} else if (typeof source?.arrayBuffer !== "function" || typeof source.ok !== "boolean") {
		throw new TypeError(`p256k1: source is ${describe(source)}, want an address, bytes, a Response or a module`);
	}
	try {
		const got = address ? await get(address) : source;
		if (isBytes(got)) return await compileBytes(got);
		if (!got.ok) throw new Error(`status ${got.status} ${got.statusText}`.trimEnd());
		return await compileResponse(got);
	} catch (error) {
		const name = String(address ?? (source.url || "the response")), [start] = name.split(",", 1);
		const shown = name.startsWith("data:") ? `${start.slice(0, 60)},…` : name; // a data: address has all bytes of the module
		throw new Error(`p256k1: ${shown}: ${error.message}`, { cause: error });
	}
}

// compileResponse compiles while the bytes arrive if the engine can. Some engines cannot, and Node's compileStreaming
// refuses a Response of another realm, but without reading it.
async function compileResponse(response) {
	if (WebAssembly.compileStreaming && response.headers?.get?.("Content-Type") === "application/wasm") {
		try {
			return await WebAssembly.compileStreaming(response);
		} catch (error) {
			if (response.bodyUsed) throw error;
		}
	}
	return compileBytes(await response.arrayBuffer());
}

// compileBytes makes a new array of any view, because V8's compile refuses a DataView.
function compileBytes(bytes) {
	return WebAssembly.compile(ArrayBuffer.isView(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : bytes);
}

const tag = (value) => Object.prototype.toString.call(value);

function isBytes(source) {
	return ArrayBuffer.isView(source) || tag(source) === "[object ArrayBuffer]";
}

// get fetches the module, or reads the file in Node, whose fetch cannot read files. It does not import node:fs,
// because bundlers for browsers would fail.
function get(address) {
	const fs = address.protocol === "file:" && globalThis.process?.getBuiltinModule?.("node:fs/promises");
	return fs ? fs.readFile(address) : fetch(address);
}

// Host implements the functions of WASI, preview 1, that Go's runtime calls: time, randomness, writing its last
// message, and exiting. The functions for arguments, the environment and scheduling do nothing. All others return an
// error.
class Host {
	memory;
	ended = ""; // the reason, once the module has ended
	#text = "";
	#us = 0; // the last time that was returned to Go

	imports(module) {
		const badFile = () => 8;
		const success = () => 0;
		const none = (count, size) => this.#words(count, 0, size, 0);
		const has = {
			args_get: success,
			environ_get: success,
			args_sizes_get: none,
			environ_sizes_get: none,
			sched_yield: success,
			poll_oneoff: success, // does not wait, because a call leaves nothing to do after it has returned
			clock_time_get: (_id, _precision, at) => {
				new DataView(this.memory.buffer).setBigUint64(at, this.#now(), true);
				return 0;
			},
			random_get: (at, length) => {
				const most = 65536; // limit of one call of getRandomValues
				for (let i = 0; i < length; i += most) {
					crypto.getRandomValues(new Uint8Array(this.memory.buffer, at + i, Math.min(most, length - i)));
				}
				return 0;
			},
			fd_write: (_, vectors, count, written) => {
				const view = new DataView(this.memory.buffer);
				let sum = 0;
				for (; count > 0; count--, vectors += 8) {
					const length = view.getUint32(vectors + 4, true);
					this.#text += new TextDecoder().decode(new Uint8Array(this.memory.buffer, view.getUint32(vectors, true), length));
					sum += length;
				}
				return this.#words(written, sum);
			},
			proc_exit: (code) => {
				throw new Error(`it ended with code ${code}`);
			},
		};
		const imports = {};
		for (const { module: group, name } of WebAssembly.Module.imports(module)) {
			(imports[group] ??= {})[name] = has[name] ?? badFile;
		}
		return imports;
	}

	// now returns the time in ns for all clocks of WASI. It is the time since 1970 if performance works. The time
	// increases with each call and is never 0, because Go's runtime would end at the time 0. The clocks of pages and
	// tests may be coarse, faked or missing.
	#now() {
		let us;
		try {
			us = Math.round((performance.timeOrigin + performance.now()) * 1000);
		} catch {
			// The environment has no such clock.
		}
		this.#us = Number.isSafeInteger(us) && us > this.#us ? us : this.#us + 1;
		return BigInt(this.#us) * 1000n;
	}

	// end stores the reason why no call is possible any more: the exception and, after a panic, Go's message. It omits
	// the stack trace, which contains arguments of functions.
	end(error) {
		this.ended = "p256k1: the module broke down";
		this.ended += `: ${error}`;
		const [panic] = this.#text.split("\n\ngoroutine ");
		if (panic) this.ended += `: ${panic.slice(0, 2000)}`;
	}

	#words(...pairs) {
		const view = new DataView(this.memory.buffer);
		for (let i = 0; i < pairs.length; i += 2) view.setUint32(pairs[i], pairs[i + 1], true);
		return 0;
	}
}

// Caller calls functions of the module. Arguments and results go through one buffer in the module's memory, which is
// wiped after each call.
class Caller {
	#host;
	#exports;
	#bytes; // all of the memory; a new array after the memory has grown
	#at; // address of the buffer
	#size = 0; // size of the buffer
	#busy = false; // true while Go runs, which may call a crypto.getRandomValues that the page has replaced

	constructor(host, exports) {
		this.#host = host;
		this.#exports = exports;
		this.#enter("_initialize");
	}

	get memory() {
		if (this.#bytes?.buffer !== this.#host.memory.buffer) this.#bytes = new Uint8Array(this.#host.memory.buffer);
		return this.#bytes;
	}

	/**
	 * call returns the result that a function leaves in the buffer, or throws its error. The
	 * parts are the arguments that go into the buffer: arrays and, at the end, a string. The
	 * function's name follows them.
	 */
	call(name, parts, option = 0) {
		if (this.#busy) throw new Error(`p256k1: ${name} is called while another call runs`);
		let used = 0;
		for (const part of parts) used += typeof part === "string" ? 3 * part.length : part.length;
		this.#reserve(used);
		let result = 0;
		try {
			const lengths = this.#put([...parts, name]);
			result = this.#enter("call", option, lengths.pop(), ...lengths);
			const returned = this.memory.subarray(this.#at, this.#at + Math.abs(result));
			if (result < 0) throw new Error(new TextDecoder().decode(returned));
			return returned.slice();
		} finally {
			this.memory.fill(0, this.#at, this.#at + Math.max(used, Math.abs(result)));
			if (this.#size > mostKept && !this.#host.ended) this.#renew(usual);
		}
	}

	#reserve(size) {
		if (size > mostBytes) throw new RangeError(`p256k1: ${size} bytes in one call, want at most ${mostBytes}`);
		if (size + mostName > this.#size) this.#renew(Math.max(size + mostName, usual));
	}

	#renew(size) {
		this.#at = this.#enter("reserve", size);
		this.#size = size;
	}

	// put copies the arguments into the buffer and returns their lengths.
	#put(parts) {
		const buffer = this.memory.subarray(this.#at, this.#at + this.#size);
		let used = 0;
		return parts.map((part) => {
			let { length } = part;
			if (typeof part === "string") {
				length = utf8.encodeInto(part, buffer.subarray(used)).written;
			} else {
				buffer.set(part, used);
			}
			used += length;
			return length;
		});
	}

	// enter calls a function of the module. After an exception Go cannot continue and has wiped nothing, so enter wipes
	// all memory. An exception only occurs if the memory is exhausted or something is broken.
	#enter(name, ...numbers) {
		if (!this.#host.ended) {
			this.#busy = true;
			try {
				return this.#exports[name](...numbers);
			} catch (error) {
				this.memory.fill(0);
				this.#host.end(error);
			} finally {
				this.#busy = false;
			}
		}
		throw new Error(this.#host.ended);
	}
}

const usual = 4 << 10; // usual size of the buffer in bytes
const mostName = 64; // bytes for the name of a function
const mostKept = 1 << 20;
const mostBytes = 1 << 28;

const utf8 = new TextEncoder();
const nothing = new Uint8Array();

// These functions read the real properties of a typed array, even if a subclass or the array itself overrides them.
const typed = (name) => Function.prototype.call.bind(Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name).get);
const typeOf = typed(Symbol.toStringTag), lengthOf = typed("length"), bufferOf = typed("buffer"), offsetOf = typed("byteOffset");
const firstOf = Function.prototype.call.bind(Uint8Array.prototype.at);

// need returns a view of the bytes of a Uint8Array. It throws unless the value is a Uint8Array with one of the given
// lengths. Without lengths, any length is allowed.
function need(name, value, ...lengths) {
	if (typeOf(value) !== "Uint8Array") throw new TypeError(`p256k1: ${name} is ${describe(value)}, want a Uint8Array`);
	const length = lengthOf(value);
	if (lengths.length > 0 && !lengths.includes(length)) {
		throw new RangeError(`p256k1: ${name} has ${count(length, "byte")}, want ${lengths.join(" or ")}`);
	}
	firstOf(value); // throws if the buffer was moved away or is too short now, so that the array only seems to be empty
	return new Uint8Array(bufferOf(value), offsetOf(value), length);
}

const needSecret = (value) => need("secretKey", value, 32), needXOnly = (value) => need("publicKey", value, 32);

function needText(name, value) {
	if (typeof value !== "string") throw new TypeError(`p256k1: ${name} is ${describe(value)}, want a string`);
	return value;
}

function needObject(name, value) {
	if (typeof value !== "object" || value === null) throw new TypeError(`p256k1: ${name} is ${describe(value)}, want an object`);
	return value;
}

// describe names the type of a value. It reads no property of the value, which may be part of an untrusted event.
function describe(value) {
	if (value === null || value === undefined) return String(value);
	if (Array.isArray(value)) return "an array";
	return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

// needLowS returns the value of lowS, the only option of verifyEcdsa. It throws for any other option, because a caller
// who misspells lowS would believe that a high s is refused.
function needLowS(options) {
	if (options === undefined) return false;
	for (const name of Object.keys(needObject("options", options))) {
		if (name !== "lowS") throw new TypeError(`p256k1: there is no option ${JSON.stringify(name)}, want lowS`);
	}
	const { lowS = false } = options;
	if (typeof lowS !== "boolean") throw new TypeError(`p256k1: lowS is ${describe(lowS)}, want a boolean`);
	return lowS;
}

function count(n, what) {
	return `${n} ${what}${n === 1 ? "" : "s"}`;
}

// library returns the object that load resolves to.
function library(wasm) {
	const derive = (secretKey) => wasm.call("derive", [needSecret(secretKey)]);
	const signSchnorr = (message, secretKey, auxRand) => {
		const aux = auxRand === undefined ? nothing : need("auxRand", auxRand, 32);
		return wasm.call("signSchnorr", [needSecret(secretKey), aux, need("message", message)]);
	};
	const signRecoverable = (digest, secretKey) => wasm.call("signRecoverable", [needSecret(secretKey), need("digest", digest, 32)]);

	return Object.freeze({
		generateKey: () => wasm.call("generateKey", []),
		derive,
		compress: (publicKey) => wasm.call("encode", [need("publicKey", publicKey, 32, 33, 65)], 0),
		uncompress: (publicKey) => wasm.call("encode", [need("publicKey", publicKey, 32, 33, 65)], 1),
		encodeNpub: (publicKey) => utf8Text.decode(wasm.call("encodeNpub", [needXOnly(publicKey)])),
		decodeNpub: (npub) => wasm.call("decodeNpub", [needText("npub", npub)]),
		encodeNsec(secretKey) {
			const text = wasm.call("encodeNsec", [needSecret(secretKey)]);
			const nsec = utf8Text.decode(text);
			text.fill(0);
			return nsec;
		},
		decodeNsec: (nsec) => wasm.call("decodeNsec", [needText("nsec", nsec)]),
		secretKeyTweakAdd: (secretKey, tweak) => wasm.call("tweakSecret", [needSecret(secretKey), need("tweak", tweak, 32)], 0),
		publicKeyTweakAdd: (publicKey, tweak) => wasm.call("tweakPublic", [need("publicKey", publicKey, 33, 65), need("tweak", tweak, 32)]),
		secretKeyTweakAddXOnly: (secretKey, tweak) => wasm.call("tweakSecret", [needSecret(secretKey), need("tweak", tweak, 32)], 1),
		publicKeyTweakAddXOnly: (publicKey, tweak) => wasm.call("tweakPublic", [needXOnly(publicKey), need("tweak", tweak, 32)]),
		signSchnorr,
		verifySchnorr(signature, message, publicKey) {
			return wasm.call("verifySchnorr", [needXOnly(publicKey), need("signature", signature, 64), need("message", message)]).length === 1;
		},
		invalidSchnorr(items) {
			if (!Array.isArray(items)) throw new TypeError(`p256k1: items is ${describe(items)}, want an array`);
			const all = Array.from(items, (item, i) => {
				const { signature, message, publicKey } = needObject(`items[${i}]`, item), part = (name) => `items[${i}].${name}`;
				return [need(part("publicKey"), publicKey, 32), need(part("signature"), signature, 64), need(part("message"), message)];
			});
			const invalid = [];
			for (let from = 0; from < all.length; from += most.events) {
				let places;
				try {
					for (const parts of all.slice(from, from + most.events)) wasm.call("addSignature", parts);
				} finally {
					places = wasm.call("refusedOnes", []); // empties the batch, even after a message that is too long
				}
				for (const place of places) invalid.push(from + place);
			}
			return invalid;
		},
		signEcdsa: (digest, secretKey) => signRecoverable(digest, secretKey).slice(0, 64),
		signRecoverable,
		verifyEcdsa(signature, digest, publicKey, options) {
			const lowS = needLowS(options);
			const parts = [need("publicKey", publicKey, 33, 65), need("signature", signature, 64), need("digest", digest, 32)];
			return wasm.call("verifyEcdsa", parts, lowS ? 1 : 0).length === 1;
		},
		encodeDer: (signature) => wasm.call("encodeDer", [need("signature", signature, 64)]),
		decodeDer: (der) => wasm.call("decodeDer", [need("der", der)]),
		recover: (signature, digest) => wasm.call("recover", [need("signature", signature, 65), need("digest", digest, 32)]),
		ecdh: (secretKey, publicKey) => wasm.call("ecdh", [needSecret(secretKey), need("publicKey", publicKey, 33, 65)]),
		ecdhX: (secretKey, publicKey) => wasm.call("ecdhX", [needSecret(secretKey), need("publicKey", publicKey, 32, 33, 65)]),
		nip44ConversationKey: (secretKey, publicKey) => wasm.call("nip44ConversationKey", [needSecret(secretKey), needXOnly(publicKey)]),
		eventId(event) {
			const { reason, serialized } = read(event);
			if (reason) throw new TypeError(`p256k1: ${reason}`);
			return wasm.call("eventId", [serialized]);
		},
		signEvent(event, secretKey, auxRand) {
			const own = bytesToHex(derive(secretKey).subarray(1));
			const { pubkey = own, created_at, kind, tags, content } = needObject("event", event);
			const { reason, serialized } = read({ pubkey, created_at, kind, tags, content });
			if (reason) throw new TypeError(`p256k1: ${reason}`);
			if (pubkey !== own) throw new Error("p256k1: pubkey is not the public key of the secret key");
			const id = wasm.call("eventId", [serialized]);
			return { id: bytesToHex(id), pubkey, created_at, kind, tags, content, sig: bytesToHex(signSchnorr(id, secretKey, auxRand)) };
		},
		verifyEvents(events) {
			if (typeof events === "string") return verifyAll(wasm, lines(events), readLine);
			if (!Array.isArray(events)) throw new TypeError(`p256k1: events is ${describe(events)}, want an array or a string`);
			return verifyAll(wasm, events, readSigned);
		},
		get memory() {
			return new Uint8Array(wasm.memory.buffer);
		},
	});
}

// The following functions are for Nostr events, as NIP-01 defines them.

const mostText = 1 << 25; // limit of an event in characters; serialized, an event has at most six times as many bytes

function lines(text) {
	return text.replace(/^\ufeff/, "").split("\n").filter((line) => /[^ \t\r]/.test(line));
}

const most = { events: 256, text: 1 << 22 }; // limits of a group of events whose signatures are verified together; an index has to fit in a byte

// verifyAll verifies the events in an array; a hole in the array counts as undefined. It reads events one by one and
// verifies their signatures together. Between the first and the last call for a group no other code may run, because
// that code might verify events, too.
function verifyAll(wasm, values, readOne) {
	const verdicts = [];
	let group = [], text = 0;
	const count = values.length; // read once, because a getter may change it
	for (let i = 0; i < count; i++) {
		let event;
		try {
			event = readOne(values[i]);
		} catch {
			event = bad("the event cannot be read"); // a getter or a proxy throws
		}
		if (event.reason) {
			verdicts[i] = bad(event.reason);
			continue;
		}
		group.push({ i, event });
		text += event.serialized.length;
		if (group.length < most.events && text < most.text) continue;
		verifyGroup(wasm, group, verdicts);
		group = [];
		text = 0;
	}
	verifyGroup(wasm, group, verdicts);
	return verdicts;
}

// verifyGroup sets the verdicts of a group.
function verifyGroup(wasm, group, verdicts) {
	const call = (name, { i, event }, ...parts) => {
		const reason = utf8Text.decode(wasm.call(name, [fromHex(event.pubkey), ...parts]));
		verdicts[i] = reason === "" ? { valid: true } : bad(reason);
		return reason === "";
	};
	const added = group.filter((item) => call("addEvent", item, fromHex(item.event.sig), fromHex(item.event.id), item.event.serialized));
	if (added.length === 0) return;
	for (const place of wasm.call("refusedOnes", [])) call("whyRefused", added[place]);
}

const utf8Text = new TextDecoder();

function readLine(line) {
	let event;
	try {
		event = JSON.parse(line);
	} catch (error) {
		return bad(`not JSON: ${error.message}`);
	}
	return readSigned(event);
}

// readSigned reads an event to verify. Its reason says why the event is bad.
function readSigned(value) {
	const event = read(value);
	return event.reason ? event : { ...event, reason: wrongHex("id", event.id, 32) || wrongHex("sig", event.sig, 64) };
}

function bad(reason) {
	return { valid: false, reason };
}

// read returns the fields that verification needs, and the text whose SHA-256 is the id, or the reason why a value has
// no id. It reads each field once and calls no method of the values, because objects with getters could answer
// differently the next time.
function read(event) {
	if (typeof event !== "object" || event === null || Array.isArray(event)) return bad(`the event is ${describe(event)}, want an object`);
	const { id, sig, pubkey, created_at, kind, tags, content } = event;
	const most = Number.MAX_SAFE_INTEGER;
	const reason = wrongHex("pubkey", pubkey, 32) || wrongInteger("created_at", created_at, -most, most) || wrongInteger("kind", kind, 0, 65535);
	if (reason) return bad(reason);
	if (!Array.isArray(tags)) return bad(`tags is ${describe(tags)}, want an array`);
	if (typeof content !== "string") return bad(`content is ${describe(content)}, want a string`);
	if (!content.isWellFormed()) return bad("content has half of a surrogate pair");
	let size = content.length;
	const lists = [];
	for (let i = 0; i < tags.length && size <= mostText; i++) {
		const tag = tags[i];
		if (!Array.isArray(tag)) return bad(`tags has ${describe(tag)}, want arrays of strings`);
		let list = "";
		for (let j = 0; j < tag.length; j++) {
			const text = tag[j];
			if (typeof text !== "string") return bad(`a tag has ${describe(text)}, want strings`);
			if (!text.isWellFormed()) return bad("a tag has half of a surrogate pair");
			size += text.length + 3; // quotation marks and a comma
			if (size > mostText) break;
			list += j > 0 ? `,${quote(text)}` : quote(text);
		}
		size += 3;
		lists.push(`[${list}]`);
	}
	if (size > mostText) return bad(`the event has more than ${mostText} characters`);
	return { id, sig, pubkey, serialized: `[0,"${pubkey}",${created_at},${kind},[${lists.join()}],${quote(content)}]` };
}

// quote writes a string with the escape sequences of NIP-01. Other control characters stay verbatim.
function quote(text) {
	if (!/["\\\n\r\t\b\f]/.test(text)) return `"${text}"`; // faster than a replacement that changes nothing
	return `"${text.replace(/["\\\n\r\t\b\f]/g, (character) => escapes[character])}"`;
}

const escapes = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f" };

function wrongInteger(name, value, low, high) {
	const zero = Object.is(value, -0);
	if (Number.isSafeInteger(value) && low <= value && value <= high && !zero) return "";
	return `${name} is ${zero ? "-0" : typeof value === "number" ? value : describe(value)}, want an integer from ${low} to ${high}`;
}

function wrongHex(name, text, length) {
	if (typeof text !== "string") return `${name} is ${describe(text)}, want a string`;
	if (text.length !== 2 * length) return `${name} has ${count(text.length, "character")}, want ${2 * length}`;
	return wrongDigit(name, text);
}

function wrongDigit(name, text) {
	const place = text.search(/[^0-9a-f]/);
	return place < 0 ? "" : `${name} has ${JSON.stringify(text[place])} at ${place + 1}, want lower-case hexadecimal digits`;
}

function fromHex(text) {
	const bytes = new Uint8Array(text.length / 2);
	for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(text.substr(2 * i, 2), 16);
	return bytes;
}

/** bytesToHex writes bytes in lower-case hexadecimal digits. */
export function bytesToHex(bytes) {
	return Array.from(need("bytes", bytes), (b) => b.toString(16).padStart(2, "0")).join("");
}

/** hexToBytes reads pairs of lower-case hexadecimal digits, and nothing else. */
export function hexToBytes(text) {
	const { length } = needText("text", text);
	if (length % 2 !== 0) throw new RangeError(`p256k1: text has ${count(length, "character")}, want an even number`);
	const wrong = wrongDigit("text", text);
	if (wrong) throw new Error(`p256k1: ${wrong}`);
	return fromHex(text);
}

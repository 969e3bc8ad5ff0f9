// Uses every function as its types say. Lines marked with @ts-expect-error are mistakes that the compiler has to
// notice. package.test.js compiles this file.
import { bytesToHex, hexToBytes, load, type Bytes, type Event, type Module, type P256k1, type UnsignedEvent, type Verdict } from "p256k1";

declare const compiled: Module; // WebAssembly.Module, which Node's types lack
const p = await load();
await load("p256k1.wasm");
await load(new URL("https://example.org/p256k1.wasm"));
await load(fetch("p256k1.wasm"));
await load(new Uint8Array());
await load(compiled);
await load(new ArrayBuffer(0));

const key: Uint8Array = p.generateKey();
const pub: Uint8Array = p.derive(key);
let sig: Uint8Array = p.signSchnorr(key, key);
sig = p.signSchnorr(key, key, key);
let good: boolean = p.verifySchnorr(sig, key, pub);
sig = p.signEcdsa(key, key);
good = p.verifyEcdsa(sig, key, pub) && p.verifyEcdsa(sig, key, pub, { lowS: true });
sig = p.decodeDer(p.encodeDer(sig));
sig = p.recover(p.signRecoverable(key, key), key);
const shared: Uint8Array[] = [p.ecdh(key, pub), p.ecdhX(key, pub), p.nip44ConversationKey(key, pub.slice(1))];
const sums: Uint8Array[] = [p.secretKeyTweakAdd(key, key), p.publicKeyTweakAdd(p.uncompress(p.compress(pub)), key), p.secretKeyTweakAddXOnly(key, key), p.publicKeyTweakAddXOnly(key, key)];
const texts: string[] = [p.encodeNpub(p.decodeNpub("")), p.encodeNsec(p.decodeNsec("")), bytesToHex(hexToBytes(""))];
const hash: ArrayBuffer = await crypto.subtle.digest("SHA-256", p.ecdh(key, pub)); // takes no shared buffers
const own: Bytes = p.generateKey();
const unsigned: UnsignedEvent = { pubkey: "", created_at: 0, kind: 1, tags: [["e", ""]], content: "" };
const event: Event = { ...unsigned, id: "", sig: "" };
const signed: Event[] = [p.signEvent(unsigned, key), p.signEvent({ created_at: 0, kind: 1, tags: [], content: "" }, key, key)];
const invalid: number[] = p.invalidSchnorr([{ signature: sig, message: key, publicKey: key }]);
const id: Uint8Array = p.eventId(event);
const verdicts: Verdict[] = [...p.verifyEvents([event]), ...p.verifyEvents("")];
for (const v of verdicts) {
	if (!v.valid) v.reason.length;
	// @ts-expect-error: a valid verdict has no reason
	if (v.valid) v.reason;
}
const { derive }: P256k1 = p;
console.log(good, shared, sums, texts, signed, invalid, hash, own, id, derive(key), p.memory.length);

// @ts-expect-error: not an address
await load(3);
// @ts-expect-error: not a string
p.derive("00");
// @ts-expect-error: a message is needed
p.signSchnorr(key);
// @ts-expect-error: no such option
p.verifyEcdsa(sig, key, pub, { low: true });
// @ts-expect-error: not a number
p.verifyEvents(7);
// @ts-expect-error: an event has tags
p.eventId({ pubkey: "", created_at: 0, kind: 1, content: "" });
// @ts-expect-error: not to be replaced
p.derive = derive;
// @ts-expect-error: no such function
p.sign(key, key);

package check

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/cmd/p256k1/internal/show"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// These are two events from public Nostr relays.
var publicEvents = []string{
	`{"id":"dc90c95f09947507c1044e8f48bcf6350aa6bff1507dd4acfc755b9239b5c962","pubkey":"3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d","created_at":1644271588,"kind":1,"tags":[],"content":"now that https://blueskyweb.org/blog/2-7-2022-overview was announced we can stop working on nostr?","sig":"230e9d8f0ddaf7eb70b5f7741ccfa37e87a455c9a469282e3464e2052d3192cd63a167e196e381ef9d7e69e9ea43af2443b839974dc85d8aaab9efe1d9296524"}`,
	`{"id":"9e662bdd7d8abc40b5b15ee1ff5e9320efc87e9274d8d440c58e6eed2dddfbe2","pubkey":"373ebe3d45ec91977296a178d9f19f326c70631d2a1b0bbba5c5ecc2eb53b9e7","created_at":1644844224,"kind":3,"tags":[["p","3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d"],["p","75fc5ac2487363293bd27fb0d14fb966477d0f1dbc6361d37806a6a740eda91e"],["p","46d0dfd3a724a302ca9175163bdf788f3606b3fd1bb12d5fe055d1e418cb60ea"]],"content":"{\"wss://nostr-pub.wellorder.net\":{\"read\":true,\"write\":true},\"wss://nostr.bitcoiner.social\":{\"read\":false,\"write\":true},\"wss://expensive-relay.fiatjaf.com\":{\"read\":true,\"write\":true},\"wss://relayer.fiatjaf.com\":{\"read\":true,\"write\":true},\"wss://relay.bitid.nz\":{\"read\":true,\"write\":true},\"wss://nostr.rocks\":{\"read\":true,\"write\":true}}","sig":"811355d3484d375df47581cb5d66bed05002c2978894098304f20b595e571b7e01b2efd906c5650080ffe49cf1c62b36715698e9d88b9e8be43029a2f3fa66be"}`,
}

// text is a line that a test case gives as it is, not as an object.
type text string

func (l text) line(testing.TB) []byte { return []byte(l) }

// A testCase is a line and its result. reason is a part of the reason in the result.
type testCase struct {
	text    interface{ line(testing.TB) []byte }
	verdict Verdict
	shape   Shape
	reason  string
}

// highS is the reason for lines that are bad only if s must be low.
const highS = "the signature verifies, but its s is above (n-1)/2"

// cases returns good lines, and changed lines that are bad or unreadable. TestCases and FuzzLine use them.
func cases(t testing.TB) []testCase {
	row := ecdsaRow(t)
	sig := row["sig"].(string)
	x := schnorrRow(t, testDigest())
	tweak := tweakRow(t)
	event := eventRow(t, 1700000000, 1, [][]string{{"e", "a"}}, "hello")
	uncompressed := hex.EncodeToString(libtest.SecretKey(t).PublicKey().BytesUncompressed())
	const secret = "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa"
	const order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
	zeros := strings.Repeat("0", 64)
	rightID := sha256.Sum256([]byte(libtest.NIP01Serialization(zeros, 1, 1, nil, "", libtest.NIP01Escapes)))

	signature := libtest.Must(ecdsa.Sign(libtest.SecretKey(t), testDigest(), nil))
	withHighS := oracle.ParseCompact([64]byte(signature.Bytes())).Negate().Compact()
	negated := libtest.Must(ecdsa.ParseCompact(withHighS[:]))
	recoverable := recoverableRow(t)
	rsv := recoverable["sig"].(string)
	v := rsv[129] - '0'
	withV := func(v byte) object { return recoverable.with("sig", rsv[:128]+hex.EncodeToString([]byte{v})) }
	other := recoverable["pub"].(string)
	other = map[string]string{"02": "03", "03": "02"}[other[:2]] + other[2:]

	var control object // an event whose id is the hash of a serialization with \u00xx
	for _, c := range libtest.OtherSerializers() {
		if c.Controls {
			x := hex.EncodeToString(libtest.SecretKey(t).PublicKey().XOnly().Bytes())
			control = signedEvent(t, x, 1, 1, nil, "\x01", sha256.Sum256([]byte(libtest.NIP01Serialization(x, 1, 1, nil, "\x01", c.Escapes))))
			control["tags"] = []any{}
		}
	}

	line := string(row.line(t))
	escaped := fmt.Sprintf("\t{ \"\\u0074\" : \"\\u0065cdsa\", \"pub\": \"\\u0030%s\", \"h\":\"%s\",\n\"sig\":\"%s\" }\r\n", row["pub"].(string)[1:], row["h"], sig)
	return []testCase{
		// Good lines.
		{row, Good, ECDSA, ""},
		{row.with("pub", uncompressed), Good, ECDSA, ""},
		{row.with("pub", "0X"+strings.ToUpper(uncompressed)).with("h", "0x"+row["h"].(string)).with("sig", strings.ToUpper(sig)), Good, ECDSA, ""},
		{row.with("sig", hex.EncodeToString(signature.Bytes())), Good, ECDSA, ""},
		{row.with("sig", hex.EncodeToString(negated.DER())), Good, ECDSA, highS},
		{row.with("sig", hex.EncodeToString(negated.Bytes())), Good, ECDSA, highS},
		{shortRow(t), Good, ECDSA, ""},
		{row.with("k", []any{1, object{"t": "t"}}).with("kind", "no number").with("id", nil), Good, ECDSA, ""},
		{text(escaped), Good, ECDSA, ""},
		{x, Good, Schnorr, ""},
		{schnorrRow(t, nil), Good, Schnorr, ""},
		{schnorrRow(t, make([]byte, 100000)), Good, Schnorr, ""},
		{recoverable, Good, Recoverable, ""},
		{withV(v + 27), Good, Recoverable, ""},
		{recoverable.with("pub", uncompressed), Good, Recoverable, ""},
		{recoverable.with("sig", hex.EncodeToString(negated.Bytes())+hex.EncodeToString([]byte{v ^ 1})), Good, Recoverable, highS},
		{tweak, Good, Tweak, ""},
		{event, Good, Event, ""},
		{event.with("t", 1).with("seen_on", []string{"a"}), Good, Event, ""},
		{eventRow(t, 0, 0, [][]string{}, ""), Good, Event, ""},
		{eventRow(t, 1, 1, [][]string{{"e", "a", ""}, {}, {"\"\n"}}, "hello"), Good, Event, ""},
		{eventRow(t, math.MinInt64, math.MaxUint16, [][]string{{""}}, " "), Good, Event, ""},
		{eventRow(t, math.MaxInt64, 30023, [][]string{{libtest.Everything, libtest.Everything}, {"", libtest.Everything}}, libtest.Everything), Good, Event, ""},
		{text(publicEvents[0]), Good, Event, ""},
		{text(publicEvents[1]), Good, Event, ""},
		{text(escapeStrings(t, publicEvents[1])), Good, Event, ""},
		{text(strings.ReplaceAll(publicEvents[0], "/", `\/`)), Good, Event, ""},

		// Syntax.
		{text("hello"), Unreadable, None, "column 1: invalid character 'h' at start of value"},
		{text(`["EVENT",{}]`), Unreadable, None, "column 1: an array, want an object"},
		{text(line + line), Unreadable, None, fmt.Sprintf("column %d: text after the object", len(line)+1)},
		{text(line[:len(line)-1] + `,"t":"ecdsa"}`), Unreadable, None, fmt.Sprintf(`column %d: duplicate name "t"`, len(line)+1)},
		{text(line[:len(line)-1] + `,"x":"` + "\xff" + `"}`), Unreadable, None, fmt.Sprintf("column %d: invalid UTF-8", len(line)+6)},
		{text(line[:len(line)-1]), Unreadable, None, fmt.Sprintf("column %d: unexpected end of the line", len(line))},
		{text(`{"t":"ecdsa","pub":"\u0030","h":"00","sig":"3006020101020101"}`), Bad, ECDSA, "pub has 1 hexadecimal digit, an odd number"},
		{text(`{"t":1,"pub":null,"h":[],"sig":{}}`), Unreadable, None, "t is a number, want a string"},

		// Lines that are not safe to print, or contain a secret key.
		{text(`{"a\u202eb":1,"a\u202eb":2}`), Unreadable, None, `duplicate name "a\u202eb"`},
		{text("{\"\u202e\":1,\"\u202e\":2}"), Unreadable, None, `duplicate name "\u202e"`},
		{text("\u202e"), Unreadable, None, `invalid character '\u202e' at start of value`},
		{text("\x1b[2J"), Unreadable, None, `invalid character '\x1b' at start of value`},
		{text("{\"\\\u009b\":1}"), Unreadable, None, `invalid escape sequence`},
		{text("{} \u2028"), Unreadable, None, "column 4: text after the object"},
		{text(`{"` + secret + `":1,"` + secret + `":2}`), Unreadable, None, "column 71: duplicate name of 64 bytes"},
		{text(`{"t":"` + secret + `","pub":"","h":"","sig":""}`), Unreadable, None, "t is \"" + show.Withheld + "\", want"},
		{text(secret), Unreadable, None, "column 1: a number, want an object"},
		{text(`{"t":"\u001b[2J\u200b","pub":"","h":"","sig":""}`), Unreadable, None, `t is "\x1b[2J\u200b", want`},

		// Shapes.
		{object{}, Unreadable, None, "neither a Nostr event nor a signature row nor a tweak: none of their fields"},
		{object{"sig": "00", "a": 1}, Unreadable, None, "neither a Nostr event nor a signature row nor a tweak: none of their fields"},
		{row.with("t", nil), Unreadable, None, `not a signature row: no field "t"`},
		{row.with("t", nil).with("sig", nil), Unreadable, None, `not a signature row: no field "t", "sig"`},
		{event.with("sig", nil), Unreadable, None, `not a Nostr event: no field "sig"`},
		{tweak.with("parity", nil), Unreadable, None, `not a tweak: no field "parity"`},
		{event.with("t", "schnorr").with("pub", "").with("h", ""), Unreadable, None, "has the fields both of a Nostr event and of a signature row"},
		{row.with("t", "ed25519"), Unreadable, None, `t is "ed25519", want "ecdsa", "schnorr" or "recoverable"`},
		{row.with("t", "ECDSA"), Unreadable, None, `t is "ECDSA", want "ecdsa", "schnorr" or "recoverable"`},
		{row.with("t", strings.Repeat("x ", 50)), Unreadable, None, `t is "` + strings.Repeat("x ", 20) + `…", want "ecdsa", "schnorr" or "recoverable"`},
		{row.with("t", 1), Unreadable, None, "t is a number, want a string"},
		{row.with("pub", []int{}), Unreadable, None, "pub is an array, want a string"},
		{row.with("h", true), Unreadable, None, "h is a boolean, want a string"},
		{row.with("sig", object{}), Unreadable, None, "sig is an object, want a string"},
		{event.with("kind", "1"), Unreadable, None, "kind is a string, want a number"},
		{event.with("tags", "[]"), Unreadable, None, "tags is a string, want an array"},
		{event.with("content", 7), Unreadable, None, "content is a number, want a string"},
		{event.with("content", json.RawMessage("null")), Unreadable, None, "content is null, want a string"},
		{tweak.with("parity", true), Unreadable, None, "parity is a boolean, want a number"},

		// ECDSA.
		{row.with("h", zeros), Bad, ECDSA, "the signature does not verify"},
		{row.with("pub", ""), Bad, ECDSA, "pub: wrong length"},
		{row.with("pub", x["pub"]), Bad, ECDSA, "pub: wrong length"},
		{row.with("pub", uncompressed+"00"), Bad, ECDSA, "pub has 66 bytes, want at most 65"},
		{row.with("pub", row["pub"].(string)+"0"), Bad, ECDSA, "pub has 67 hexadecimal digits, an odd number"},
		{row.with("pub", "05"+row["pub"].(string)[2:]), Bad, ECDSA, "pub: unknown prefix"},
		{row.with("pub", "06"+uncompressed[2:]), Bad, ECDSA, "pub: unknown prefix"},
		{row.with("pub", "02"+strings.Repeat("f", 64)), Bad, ECDSA, "pub: x out of range"},
		{row.with("pub", "02"+zeros[:62]+"05"), Bad, ECDSA, "pub: x is not on the curve"},
		{row.with("pub", uncompressed[:128]+"00"), Bad, ECDSA, "not on the curve"},
		{row.with("pub", "02xy"+row["pub"].(string)[4:]), Bad, ECDSA, `pub has "x" at 3, want a hexadecimal digit`},
		{row.with("pub", "日"+row["pub"].(string)[3:]), Bad, ECDSA, `pub has "日" at 1, want a hexadecimal digit`},
		{row.with("pub", "0x0x"+row["pub"].(string)), Bad, ECDSA, "pub begins with 0x, want hexadecimal digits only"},
		{row.with("h", "0X"+zeros), Bad, ECDSA, "the signature does not verify"},
		{x.with("h", "0x"), Bad, Schnorr, "the signature does not verify"},
		{event.with("id", "0x"+zeros), Bad, Event, "id begins with 0x, want"},
		{tweak.with("output", "0x"+zeros), Bad, Tweak, "output is not the tweaked key"},
		{row.with("pub", strings.Repeat("0", 1000001)), Bad, ECDSA, "pub has 500000 bytes, want at most 65"},
		{row.with("h", "00"), Bad, ECDSA, "h has 1 byte, want 32"},
		{row.with("h", zeros+"00"), Bad, ECDSA, "h has 33 bytes, want 32"},
		{row.with("h", zeros[1:]), Bad, ECDSA, "h has 63 hexadecimal digits, an odd number"},
		{row.with("h", strings.Repeat("F", 64)), Bad, ECDSA, "the signature does not verify"},
		{row.with("h", ""), Bad, ECDSA, "h has 0 bytes, want 32"},
		{row.with("sig", ""), Bad, ECDSA, "sig: not strict DER: at byte 0"},
		{row.with("sig", sig+"01"), Bad, ECDSA, "sig: not strict DER: at byte 1"},
		{row.with("sig", sig[:len(sig)-2]), Bad, ECDSA, "sig: not strict DER: at byte 1"},
		{row.with("sig", "31"+sig[2:]), Bad, ECDSA, "sig: not strict DER: at byte 0"},
		{row.with("sig", "3006020100020100"), Bad, ECDSA, "sig: r out of range"},
		{row.with("sig", strings.Repeat("0", 2*maxDER+2)), Bad, ECDSA, "sig has 73 bytes, want at most 72"},
		{row.with("sig", sig[:9]), Bad, ECDSA, "sig has 9 hexadecimal digits, an odd number"},
		{row.with("sig", zeros+zeros), Bad, ECDSA, "sig: r out of range"},
		{row.with("sig", zeros[:63]+"1"+order), Bad, ECDSA, "sig: s out of range"},
		{row.with("sig", zeros[:63]+"1"+zeros[:63]+"1"), Bad, ECDSA, "the signature does not verify"},

		{row.with("sig", "3081"+sig[2:]), Bad, ECDSA, "sig: not strict DER: at byte "},
		{row.with("sig", "300702020001020101"), Bad, ECDSA, "sig: not strict DER: at byte "},
		{row.with("sig", "3006020101020101"), Bad, ECDSA, "the signature does not verify"},

		// Recoverable signatures.
		{withV(v ^ 1), Bad, Recoverable, "the signature is by another key, which is 0"},
		{withV(v | 2), Bad, Recoverable, "no key can be recovered from the signature"},
		{withV(4), Bad, Recoverable, "sig: "},
		{withV(31), Bad, Recoverable, "sig: "},
		{recoverable.with("sig", rsv[:128]), Bad, Recoverable, "sig has 64 bytes, want 65"},
		{recoverable.with("pub", other), Bad, Recoverable, "the signature is by another key, which is 0"},
		{recoverable.with("pub", other[2:]), Bad, Recoverable, "pub: "},
		{recoverable.with("pub", "02"+zeros), Bad, Recoverable, "pub: "},
		{recoverable.with("pub", "").with("sig", zeros[1:]+"5"+zeros[1:]+"100"), Bad, Recoverable, "pub: wrong length"},
		{recoverable.with("h", zeros), Bad, Recoverable, "the signature is by another key, which is 0"},
		{recoverable.with("h", zeros[2:]), Bad, Recoverable, "h has 31 bytes, want 32"},

		// Schnorr.
		{x.with("h", zeros), Bad, Schnorr, "the signature does not verify"},
		{x.with("h", zeros[:62]), Bad, Schnorr, "the signature does not verify"},
		{x.with("h", zeros[1:]), Bad, Schnorr, "h has 63 hexadecimal digits, an odd number"},
		{x.with("h", "-"), Bad, Schnorr, "h has 1 hexadecimal digit, an odd number"},
		{x.with("pub", row["pub"]), Bad, Schnorr, "pub has 33 bytes, want 32"},
		{x.with("pub", zeros), Bad, Schnorr, "pub: x is not on the curve"},
		{x.with("pub", strings.Repeat("f", 64)), Bad, Schnorr, "pub: x out of range"},
		{x.with("sig", x["sig"].(string)+"00"), Bad, Schnorr, "sig has 65 bytes, want 64"},
		{x.with("sig", x["sig"].(string)[:64]+order), Bad, Schnorr, "the signature does not verify"},
		{x.with("sig", strings.Repeat("g", 128)), Bad, Schnorr, `sig has "g" at 1, want a hexadecimal digit`},

		// Tweaks.
		{tweak.with("parity", 1-tweak["parity"].(int)), Bad, Tweak, "the y coordinate of the tweaked key has the other parity"},
		{tweak.with("tweak", zeros), Bad, Tweak, "output is not the tweaked key, which is " + tweak["internal"].(string)},
		{tweak.with("tweak", order), Bad, Tweak, "tweak: out of range"},
		{tweak.with("internal", zeros), Bad, Tweak, "internal: x is not on the curve"},
		{tweak.with("output", zeros), Bad, Tweak, "output is not the tweaked key, which is " + tweak["output"].(string)},
		{tweak.with("output", "00"), Bad, Tweak, "output has 1 byte, want 32"},
		{tweak.with("internal", "00"), Bad, Tweak, "internal has 1 byte, want 32"},
		{tweak.with("tweak", "0"), Bad, Tweak, "tweak has 1 hexadecimal digit, an odd number"},
		{tweak.with("parity", 2), Unreadable, Tweak, "parity is 2, want 0 or 1"},
		{tweak.with("parity", json.RawMessage("1.0")), Unreadable, Tweak, "parity is 1.0, want 0 or 1"},

		// Events.
		{event.with("content", "Hello"), Bad, Event, "id is not the SHA-256 of the event, which is "},
		{event.with("created_at", 1700000001), Bad, Event, "id is not the SHA-256 of the event, which is "},
		{control, Bad, Event, "; it is that with control characters as \\u00xx, which NIP-01 wants verbatim"},
		{event.with("kind", 2), Bad, Event, "id is not the SHA-256 of the event, which is "},
		{event.with("tags", [][]string{{"e"}}), Bad, Event, "id is not the SHA-256 of the event, which is "},
		{event.with("tags", [][]string{{"e", "a"}, {}}), Bad, Event, "id is not the SHA-256 of the event, which is "},
		{event.with("sig", x["sig"]), Bad, Event, "the signature does not verify"},
		{event.with("id", strings.ToUpper(event["id"].(string))), Bad, Event, "id has the upper-case"},
		{event.with("id", zeros[2:]), Bad, Event, "id has 31 bytes, want 32"},
		{event.with("pubkey", "x"), Bad, Event, "pubkey has 1 hexadecimal digit, an odd number"},
		{event.with("pubkey", "xy"), Bad, Event, "pubkey has 1 byte, want 32"},
		{event.with("sig", event["id"]), Bad, Event, "sig has 32 bytes, want 64"},
		{signedEvent(t, zeros, 1, 1, [][]string{}, "", rightID), Bad, Event, "pubkey: x is not on the curve"},
		{event.with("created_at", 1.5), Unreadable, Event, "created_at is 1.5, want an integer of 64 bits"},
		{event.with("created_at", json.RawMessage("1e9")), Unreadable, Event, "created_at is 1e9, want an integer of 64 bits"},
		{event.with("created_at", json.RawMessage("-0")), Unreadable, Event, "created_at is -0, want an integer of 64 bits"},
		{event.with("created_at", json.RawMessage("9223372036854775808")), Unreadable, Event, "created_at is 9223372036854775808, want"},
		{event.with("created_at", json.RawMessage(strings.Repeat("9", 100))), Unreadable, Event, "created_at is a number of 100 bytes, want"},
		{event.with("kind", 65536), Unreadable, Event, "kind is 65536, want an integer from 0 to 65535"},
		{event.with("kind", -1), Unreadable, Event, "kind is -1, want an integer from 0 to 65535"},
		{event.with("tags", []any{"e"}), Unreadable, Event, "tags has a string, want arrays of strings"},
		{event.with("tags", []any{[]any{"e", 1}}), Unreadable, Event, "a tag has a number, want strings"},
		{event.with("tags", []any{[]any{json.RawMessage("null")}}), Unreadable, Event, "a tag has null, want strings"},
		{event.with("pubkey", "x").with("kind", -1), Unreadable, Event, "kind is -1, want an integer from 0 to 65535"},
	}
}

// TestCases judges each line alone, twice, and together with good lines, with and without the low-S rule. It compares
// the verdicts with those of a second implementation.
func TestCases(t *testing.T) {
	good := ecdsaRow(t).line(t)
	for _, c := range cases(t) {
		line := c.text.line(t)
		for _, lowS := range []bool{false, true} {
			want, reason := c.verdict, c.reason
			if reason == highS && lowS {
				want = Bad
			} else if want == Good {
				reason = ""
			}
			checker := Checker{LowS: lowS}
			r := checker.Line(line)
			if r.Verdict != want || r.Shape != c.shape || !strings.Contains(r.Reason, reason) || (r.Reason == "") != (reason == "") || len(r.Reason) > 300 {
				t.Errorf("%.200s, low s %t:\n%v %v %q\nwant %v %v %q", line, lowS, r.Verdict, r.Shape, r.Reason, want, c.shape, reason)
			}
			if again := checker.Line(line); again != r {
				t.Errorf("%.200s: %+v with used buffers", line, again)
			}
			if all := checker.Lines(nil, [][]byte{good, line, good, line}); all[1] != r || all[3] != r || all[0].Verdict != Good || all[2].Verdict != Good {
				t.Errorf("%.200s: among others %+v", line, all)
			}
			if want != Unreadable && opinion(t, c.shape, line, lowS) != (want == Good) {
				t.Errorf("%.200s: the oracle disagrees", line)
			}
		}
	}
}

// TestManyLines judges as many lines as a batch has, of which the last has the digest of another signature.
func TestManyLines(t *testing.T) {
	for _, o := range []object{ecdsaRow(t), schnorrRow(t, testDigest()), recoverableRow(t)} {
		lines := slices.Repeat([][]byte{o.line(t)}, 1024)
		lines[1023] = o.with("h", strings.Repeat("01", 32)).line(t)
		results := new(Checker).Lines(nil, lines)
		if place := slices.IndexFunc(results, func(r Result) bool { return r.Verdict != Good }); place != 1023 || results[1023].Verdict != Bad {
			t.Errorf("%s: line %d is the first that is not good: %+v", o["t"], place, results[1023])
		}
	}
}

// shortRow returns a row whose signature has a DER encoding of 64 bytes, because r has 26 bytes. The key is recovered
// from the signature.
func shortRow(t testing.TB) object {
	var rsv [65]byte
	rsv[6] = 1
	for i := range 32 {
		rsv[32+i] = 0x11
	}
	for ; rsv[31] < 100; rsv[31]++ { // half of all integers are x coordinates
		sig := libtest.Must(ecdsa.ParseRecoverable(rsv[:]))
		pub, err := ecdsa.Recover(testDigest(), sig)
		if err != nil {
			continue
		}
		der := sig.Signature().DER()
		if len(der) != 64 {
			t.Fatalf("%d bytes", len(der))
		}
		return ecdsaRow(t).with("pub", hex.EncodeToString(pub.Bytes())).with("sig", hex.EncodeToString(der))
	}
	t.Fatal("no x coordinate found")
	return nil
}

// escapeStrings returns the line with all characters of strings, except names, written as \uXXXX, and with white space
// around each of these strings.
func escapeStrings(t testing.TB, line string) string {
	return regexp.MustCompile(`"(?:[^"\\]|\\.)*":?`).ReplaceAllStringFunc(line, func(quoted string) string {
		if strings.HasSuffix(quoted, ":") {
			return quoted
		}
		var text string
		libtest.Check(t, json.Unmarshal([]byte(quoted), &text))
		escaped := ""
		for _, r := range text {
			escaped += fmt.Sprintf(`\u%04X`, r)
		}
		return ` "` + escaped + "\"\t"
	})
}

func FuzzLine(f *testing.F) {
	for _, c := range cases(f) {
		if line := c.text.line(f); len(line) < 4096 {
			f.Add(line, false)
			f.Add(line, true)
		}
	}
	f.Fuzz(func(t *testing.T, line []byte, lowS bool) {
		checker := Checker{LowS: lowS}
		r := checker.Line(line)
		if (r.Reason == "") != (r.Verdict == Good) || len(r.Reason) > 600 {
			t.Fatalf("%+v", r)
		}
		if show.Text(r.Reason) != r.Reason {
			t.Fatalf("a reason with unprintable characters: %q", r.Reason)
		}
		if show.Redact(r.Reason) != r.Reason && !strings.Contains(r.Reason, ", which is ") {
			t.Fatalf("a reason that may contain a key: %s", r.Reason)
		}
		if r.Verdict != Unreadable && !json.Valid(line) {
			t.Fatalf("%+v for text that is not JSON", r)
		}
		if r.Verdict != Unreadable {
			if want := opinion(t, r.Shape, line, lowS); (r.Verdict == Good) != want {
				t.Fatalf("%+v, want good: %v", r, want)
			}
		}
		if again := checker.Line(line); again != r {
			t.Fatalf("%+v, then %+v", r, again)
		}
	})
}

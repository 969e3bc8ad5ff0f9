package check

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/template"

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

// A testCase is a line and its result: the verdict and the shape, and a part of the reason.
type testCase struct {
	line           []byte
	result, reason string
}

// highS is the reason for lines that are bad only if s must be low.
const highS = "the signature verifies, but its s is above (n-1)/2"

// named returns values that files in testdata name.
func named(t testing.TB) map[string]any {
	row, tweak, recoverable := ecdsaRow(t), tweakRow(t), recoverableRow(t)
	sig, pub := row["sig"].(string), recoverable["pub"].(string)
	high := negated(t)
	return map[string]any{
		"row": row, "x": schnorrRow(t, testDigest()), "tweak": tweak, "recoverable": recoverable, "short": shortRow(t),
		"event":        eventRow(t, 1700000000, 1, [][]string{{"e", "a"}}, "hello"),
		"uncompressed": hex.EncodeToString(libtest.SecretKey(t).PublicKey().BytesUncompressed()),
		"opposite":     map[string]string{"02": "03", "03": "02"}[pub[:2]] + pub[2:],
		"compact":      recoverable["sig"].(string)[:128],
		"highDER":      hex.EncodeToString(high.DER()),
		"highCompact":  hex.EncodeToString(high.Bytes()),
		"cut":          sig[:len(sig)-2],
		"otherParity":  1 - tweak["parity"].(int),
		"secret":       "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa",
		"order":        "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141",
		"zeros":        strings.Repeat("0", 64),
		"withheld":     show.Withheld,
		"maxHeader":    MaxHeader,
	}
}

// negated returns the test key's signature with s above (n-1)/2.
func negated(t testing.TB) ecdsa.Signature {
	signature := libtest.Must(ecdsa.Sign(libtest.SecretKey(t), testDigest(), nil))
	withHighS := oracle.ParseCompact([64]byte(signature.Bytes())).Negate().Compact()
	return libtest.Must(ecdsa.ParseCompact(withHighS[:]))
}

// readCases returns what stands before and after the arrow in each line of a template in testdata, except comments.
func readCases(t testing.TB, file string, values map[string]any) (all [][2]string) {
	functions := template.FuncMap{"repeat": strings.Repeat, "upper": strings.ToUpper}
	var text strings.Builder
	libtest.Check(t, libtest.Must(template.New(file).Funcs(functions).ParseFiles("testdata/"+file)).Execute(&text, values))
	for line := range strings.Lines(text.String()) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && line[0] != '#' {
			before, after, _ := strings.Cut(line, " → ")
			all = append(all, [2]string{before, after})
		}
	}
	return all
}

// cases returns good lines, and changed lines that are bad or unreadable. TestCases and FuzzLine use them.
func cases(t testing.TB) (all []testCase) {
	values := named(t)
	for _, c := range readCases(t, "cases.txt", values) {
		result, line, _ := strings.Cut(c[0], ": ")
		if name, changes, ok := strings.Cut(line, " {"); ok && values[name] != nil {
			var changed map[string]any
			d := json.NewDecoder(strings.NewReader("{" + changes))
			d.UseNumber() // keeps the text of a number
			libtest.Check(t, d.Decode(&changed))
			o := values[name].(object)
			for field, value := range changed {
				o = o.with(field, value)
			}
			line = string(o.line(t))
		} else {
			line = libtest.Must(strconv.Unquote(line))
		}
		all = append(all, testCase{[]byte(line), result, c[1]})
	}
	if len(all) != 133 {
		t.Errorf("%d cases", len(all))
	}
	add := func(result string, o object, reason string) { all = append(all, testCase{o.line(t), result, reason}) }
	addText := func(result, line, reason string) { all = append(all, testCase{[]byte(line), result, reason}) }

	recoverable := values["recoverable"].(object)
	rs, v := recoverable["sig"].(string)[:128], recoverable["sig"].(string)[129]-'0'
	withV := func(rs string, v byte) object { return recoverable.with("sig", rs+hex.EncodeToString([]byte{v})) }
	add("good recoverable", withV(rs, v+27), "")
	add("good recoverable", withV(values["highCompact"].(string), v^1), highS)
	add("bad recoverable", withV(rs, v^1), "the signature is by another key, which is 0")
	add("bad recoverable", withV(rs, v|2), "no key can be recovered from the signature")

	add("good schnorr", schnorrRow(t, nil), "")
	add("good schnorr", schnorrRow(t, make([]byte, 100000)), "")
	add("good event", eventRow(t, 0, 0, [][]string{}, ""), "")
	add("good event", eventRow(t, 1, 1, [][]string{{"e", "a", ""}, {}, {"\"\n"}}, "hello"), "")
	add("good event", eventRow(t, math.MinInt64, math.MaxUint16, [][]string{{""}}, " "), "")
	many := [][]string{{libtest.Everything, libtest.Everything}, {"", libtest.Everything}}
	add("good event", eventRow(t, math.MaxInt64, 30023, many, libtest.Everything), "")
	addText("good event", publicEvents[0], "")
	addText("good event", publicEvents[1], "")
	addText("good event", escapeStrings(t, publicEvents[1]), "")
	addText("good event", strings.ReplaceAll(publicEvents[0], "/", `\/`), "")

	add("unreadable", values["event"].(object).with("content", json.RawMessage("null")), "content is null, want a string")
	zeros := values["zeros"].(string)
	rightID := sha256.Sum256([]byte(libtest.NIP01Serialization(zeros, 1, 1, nil, "", libtest.NIP01Escapes)))
	add("bad event", signedEvent(t, zeros, 1, 1, [][]string{}, "", rightID), "pubkey: x is not on the curve")
	for _, c := range libtest.OtherSerializers() {
		if c.Controls { // the id is the hash of a serialization with \u00xx
			x := hex.EncodeToString(libtest.SecretKey(t).PublicKey().XOnly().Bytes())
			event := signedEvent(t, x, 1, 1, nil, "\x01", sha256.Sum256([]byte(libtest.NIP01Serialization(x, 1, 1, nil, "\x01", c.Escapes))))
			add("bad event", event.with("tags", []any{}), "; it is that with control characters as \\u00xx, which NIP-01 wants verbatim")
		}
	}

	row := values["row"].(object)
	line := string(row.line(t))
	open := line[:len(line)-1]
	addText("good ecdsa", fmt.Sprintf("\t{ \"\\u0074\" : \"\\u0065cdsa\", \"pub\": \"\\u0030%s\", \"h\":\"%s\",\n\"sig\":\"%s\" }\r\n",
		row["pub"].(string)[1:], row["h"], row["sig"]), "")
	addText("unreadable", line+line, fmt.Sprintf("column %d: text after the object", len(line)+1))
	addText("unreadable", open+`,"t":"ecdsa"}`, fmt.Sprintf(`column %d: duplicate name "t"`, len(line)+1))
	addText("unreadable", open+`,"x":"`+"\xff"+`"}`, fmt.Sprintf("column %d: invalid UTF-8", len(line)+6))
	addText("unreadable", open, fmt.Sprintf("column %d: unexpected end of the line", len(line)))
	return all
}

// resultOf returns the verdict and the shape of a result.
func resultOf(r Result) string { return strings.TrimSpace(fmt.Sprint(r.Verdict, " ", r.Shape)) }

// TestCases judges each line alone, twice, and together with good lines, with and without the low-S rule. It compares
// the verdicts with those of a second implementation.
func TestCases(t *testing.T) {
	good := ecdsaRow(t).line(t)
	for _, c := range cases(t) {
		line := c.line
		for _, lowS := range []bool{false, true} {
			want, reason := c.result, c.reason
			if reason == highS && lowS {
				want = strings.Replace(want, "good", "bad", 1)
			} else if strings.HasPrefix(want, "good") {
				reason = ""
			}
			checker := Checker{LowS: lowS}
			r := checker.Line(line)
			if got := resultOf(r); got != want || !strings.Contains(r.Reason, reason) || (r.Reason == "") != (reason == "") || len(r.Reason) > 300 {
				t.Errorf("%.200s, low s %t:\n%s %q\nwant %s %q", line, lowS, got, r.Reason, want, reason)
			}
			if again := checker.Line(line); again != r {
				t.Errorf("%.200s: %+v with used buffers", line, again)
			}
			if all := checker.Lines(nil, [][]byte{good, line, good, line}); all[1] != r || all[3] != r || all[0].Verdict != Good || all[2].Verdict != Good {
				t.Errorf("%.200s: among others %+v", line, all)
			}
			if r.Verdict != Unreadable && opinion(t, r.Shape, line, lowS) != (r.Verdict == Good) {
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
		if len(c.line) < 4096 {
			f.Add(c.line, false)
			f.Add(c.line, true)
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

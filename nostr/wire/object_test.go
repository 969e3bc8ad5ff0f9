package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// testNames holds the names that the tests look for.
var testNames = []string{"id", "sig", "t", "h"}

// fieldsOf returns the fields that Object finds in a line.
func fieldsOf(line string) (fields, reason string) {
	var r Reader
	values := make([][]byte, len(testNames))
	if err := r.Object([]byte(line), testNames, values); err != nil {
		if !errors.Is(err, ErrFormat) {
			return "", fmt.Sprintf("%v is not of the kind", err)
		}
		return "", err.Error()
	}
	var b strings.Builder
	for i, v := range values {
		if v != nil {
			fmt.Fprintf(&b, "%s=%s[%s];", testNames[i], describe(jsontext.Value(v).Kind()), v)
		}
	}
	return b.String(), ""
}

func TestObject(t *testing.T) {
	for line, want := range map[string]string{
		`{}`:                               "",
		" \t\r\n{ \t\r\n} \t\r\n":          "",
		`{"h":"x"}`:                        "h=a string[\"x\"];",
		`{"t":1,"h":-0.5e+10}`:             "t=a number[1];h=a number[-0.5e+10];",
		`{"id":0,"t":10,"h":0E0}`:          "id=a number[0];t=a number[10];h=a number[0E0];",
		`{"id":null,"t":true,"h":false}`:   "id=null[null];t=a boolean[true];h=a boolean[false];",
		`{"t":[1,[2,{"a":[]}]] , "h":1}`:   `t=an array[[1,[2,{"a":[]}]]];h=a number[1];`,
		`{"h":{"h":1,"x":2}, "x":[{}] }`:   `h=an object[{"h":1,"x":2}];`,
		"{ \"t\"\t:\r\n[ ] , \"h\" : {} }": `t=an array[[ ]];h=an object[{}];`,
		`{"\u0068":1,"\ud83d\ude00":2}`:    "h=a number[1];",
		`{"":1," ":2,"H":3}`:               "",
		"{\"h\":\"\u2028\x7fü\ufffd\"}":    "h=a string[\"\u2028\x7fü\ufffd\"];",
	} {
		if got, reason := fieldsOf(line); got != want || reason != "" {
			t.Errorf("%s: %s, %s; want %s", line, got, reason, want)
		}
	}
}

func TestRefused(t *testing.T) {
	nested := func(n int) string { return `{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}" }
	if _, reason := fieldsOf(nested(maxDepth)); reason != "" {
		t.Errorf("nested as deep as allowed: %s", reason)
	}
	many := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"%d":0`, i)
		}
		return "{" + b.String()[1:] + "}"
	}
	for _, line := range []string{many(maxNames), `{"a":` + many(maxNames) + `}`, `{"a":[0` + strings.Repeat(",0", 3*maxNames) + "]}"} {
		if _, reason := fieldsOf(line); reason != "" {
			t.Errorf("as many names as allowed, or more elements: %s", reason)
		}
	}
	for _, c := range []struct{ line, want string }{
		{``, "column 1: nothing, want an object"},
		{" \t\n", "column 1: nothing, want an object"},
		{"\x00", `column 1: invalid character '\x00' at start of value`},
		{"\ufeff{}", `column 1: invalid character '\ufeff' at start of value`},
		{`hello`, "column 1: invalid character 'h' at start of value"},
		{`[1]`, "column 1: an array, want an object"},
		{` "a"`, "column 2: a string, want an object"},
		{`1`, "column 1: a number, want an object"},
		{`null`, "column 1: null, want an object"},
		{`nil`, "column 2: invalid character 'i' in literal null (expecting 'u')"},
		{`{} {}`, "column 4: text after the object"},
		{`{},{}`, "column 3: text after the object"},
		{`{}x`, "column 3: text after the object"},
		{`{}ü`, "column 3: text after the object"},
		{"{}\xff", "column 3: text after the object"},
		{"{}\x00", `column 3: text after the object`},
		{`{`, "column 2: unexpected end of the line"},
		{`{a:1}`, "column 2: invalid character 'a' at start of value"},
		{`{1:1}`, "column 2: object member name must be a string"},
		{`{[]:1}`, "column 2: object member name must be a string"},
		{`{"a"}`, "column 5: invalid character '}' after object name (expecting ':')"},
		{`{"a":}`, "column 6: missing value after object name"},
		{`{"a" 1}`, "column 6: invalid character '1' after object name (expecting ':')"},
		{`{"a":1`, "column 7: unexpected end of the line"},
		{`{"a":1,}`, "column 7: invalid character ',' at start of value"},
		{`{,"a":1}`, "column 2: invalid character ',' at start of value"},
		{`{"a":1]`, "column 7: invalid character ']' after object value (expecting ',' or '}')"},
		{`{"a":1 "b":2}`, `column 8: invalid character '"' after object value (expecting ',' or '}')`},
		{`{"a":1:"b":2}`, `column 7: invalid character ':' after object value (expecting ',' or '}')`},
		{`{"a":[1,]}`, "column 8: invalid character ',' at start of value"},
		{`{"a":[1}}`, "column 8: invalid character '}' after array element (expecting ',' or ']')"},
		{`{"a":[1 2]}`, "column 9: invalid character '2' after array element (expecting ',' or ']')"},
		{`{"a":[1`, "column 8: unexpected end of the line"},
		{`{"a":tru}`, "column 9: invalid character '}' in literal true (expecting 'e')"},
		{`{"a":nul`, "column 9: unexpected end of the line"},
		{`{"a":falsy}`, "column 10: invalid character 'y' in literal false (expecting 'e')"},
		{`{"a":truex}`, "column 10: invalid character 'x' after object value (expecting ',' or '}')"},
		{`{"a":NaN}`, "column 6: invalid character 'N' at start of value"},
		{`{"a":01}`, "column 7: invalid character '1' after object value (expecting ',' or '}')"},
		{`{"a":+1}`, "column 6: invalid character '+' at start of value"},
		{`{"a":-}`, "column 7: invalid character '}' in number (expecting digit)"},
		{`{"a":1.}`, "column 8: invalid character '}' in number (expecting digit)"},
		{`{"a":1e}`, "column 8: invalid character '}' in number (expecting digit)"},
		{`{"a":.5}`, "column 6: invalid character '.' at start of value"},
		{`{"a":0x1}`, "column 7: invalid character 'x' after object value (expecting ',' or '}')"},
		{`{"a":'b'}`, `column 6: invalid character '\'' at start of value`},
		{`{"a":"b`, "column 8: unexpected end of the line"},
		{`{"a":"b\`, "column 8: unexpected end of the line"},
		{"{\"a\":\"\x1f\"}", `column 7: invalid character '\x1f' in string (expecting non-control character)`},
		{"{\"a\":\"\t\"}", `column 7: invalid character '\t' in string (expecting non-control character)`},
		{`{"a":"\x"}`, "column 7: invalid escape sequence `\\x` in string"},
		{`{"a":"\u12g4"}`, "column 7: invalid escape sequence `\\u12g4` in string"},
		{`{"a":"\u12`, "column 7: unexpected end of the line"},
		{`{"a":"\ud83d"}`, "column 7: invalid surrogate pair `\\ud83d\"}` in string"},
		{`{"a":"\ud83d-----"}`, "column 7: invalid surrogate pair `\\ud83d-----\"` in string"},
		{`{"a":"\ude00\ud83d"}`, "column 7: invalid surrogate pair `\\ude00\\ud83d` in string"},
		{`{"a":"\ud83d\u0041"}`, "column 7: invalid surrogate pair `\\ud83d\\u0041` in string"},
		{`{"\ud83d\ud83d":1}`, "column 3: invalid surrogate pair `\\ud83d\\ud83d` in string"},
		{"{\"a\":\"\xff\"}", "column 7: invalid UTF-8"},
		{"{\"a\":[\"\xed\xa0\x80\"]}", "column 8: invalid UTF-8"},
		{"{\"ü\xc0\x80\":1}", "column 5: invalid UTF-8"},
		{"{\"ü\":\xff", `column 7: invalid character '\xff' at start of value`},
		{`{"a":1,"b":2,"a":3}`, `column 14: duplicate name "a"`},
		{`{"a":1,"\u0061":3}`, `column 8: duplicate name "a"`},
		{`{"a/~\"":1,"a/~\"":3}`, `column 12: duplicate name "a/~\""`},
		{`{"x":[{"a":1,"b":2,"a":3}]}`, `column 20: duplicate name "a"`},
		{`{"abcdefghijklmnopqrst":1,"abcdefghijklmnopqrst":3}`, `column 27: duplicate name "abcdefghijklmnopqrst"`},
		{`{"abcdefghijklmnopqrstu":1,"abcdefghijklmnopqrstu":3}`, `column 28: duplicate name of 21 bytes`},
		{`{"` + strings.Repeat("ü", 50) + `":1,"` + strings.Repeat("ü", 50) + `":3}`, `column 107: duplicate name of 100 bytes`},
		{many(100)[:len(many(100))-1] + `,"5":0}`, `column 692: duplicate name "5"`},
		{many(maxNames + 1), "column 8113: more than 1024 names"},
		{`{"a":` + many(maxNames+1) + `}`, "column 8118: more than 1024 names"},
		{nested(maxDepth + 1), "column 262: nested deeper than 256"},
		{nested(1 << 20), "column 262: nested deeper than 256"},
		{`{"a":` + strings.Repeat(`{"a":`, maxDepth+1), "column 1286: nested deeper than 256"},
		{"{" + nested(1<<20), "column 2: object member name must be a string"},
		{nested(1 << 20)[5:], "column 1: an array, want an object"},
		{"{" + strings.Repeat("[", 1<<20), "column 2: object member name must be a string"},
	} {
		_, reason := fieldsOf(c.line)
		if reason != c.want {
			t.Errorf("%.60s: %s\nwant %s", c.line, reason, c.want)
		}
	}
}

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		``:                         "",
		`abc`:                      "abc",
		`\"\\\/\b\f\n\r\t`:         "\"\\/\b\f\n\r\t",
		`a\u0000b\u001Fc\u00fcd`:   "a\x00b\x1fcüd",
		`\ud83d\ude00\uD83D\uDE00`: "😀😀",
		`\ufffd\uffff\u2028`:       "\ufffd\uffff\u2028",
		`x\\u0041`:                 `x\u0041`,
	} {
		var r Reader
		var h [1][]byte
		if err := r.Object([]byte(`{"h":"`+text+`"}`), []string{"h"}, h[:]); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if got := string(r.Text(h[0])); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	var r Reader
	values := make([][]byte, len(testNames))
	line := []byte(`{"t":"schnorr","k":"nostr","pub":"6b09","h":"d56b","sig":"6536","tags":[["a","b"]],"kind":7,"x":{"y":[]}}`)
	if allocs := testing.AllocsPerRun(100, func() {
		if err := r.Object(line, testNames, values); err != nil {
			t.Fatal(err)
		}
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// FuzzObject compares Object with encoding/json. The two accept the same lines, except that encoding/json also accepts
// values that are not objects, duplicate names, text that is not UTF-8, halves of surrogate pairs, and objects beyond
// maxDepth and maxNames.
func FuzzObject(f *testing.F) {
	for _, line := range []string{
		`{}`, `{"t":1,"h":[true,null,{"c":"\u00fc\ud83d\ude00\n"}]}`, `{"h":-0.5e+3, "\u0061b":""} `, `{"h":"\ud800"}`, `[]`,
		`{"a":01}`, `{"a":1,"a":2}`, "{\"\xff\":1}", `{"sig":"\/\b\f\r\t\"\\"}`, `{"id":[[[[]]],[{}]]}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var r Reader
		values := make([][]byte, len(testNames))
		before := string(line)
		err := r.Object(line, testNames, values)
		if string(line) != before {
			t.Fatal("the line has changed")
		}
		if err != nil {
			reason := err.Error()
			var column int
			if _, err := fmt.Sscanf(reason, "column %d: ", &column); err != nil || column < 1 || column > len(line)+1 || len(reason) > 300 {
				t.Fatalf("reason %q", reason)
			}
			for _, ownRule := range []string{"duplicate name", "invalid surrogate pair", "nested deeper", "more than 1024 names", "want an object"} {
				if strings.Contains(reason, ownRule) {
					return
				}
			}
			if utf8.Valid(line) && json.Valid(line) {
				t.Fatalf("refused what is valid: %s", reason)
			}
			return
		}
		if !utf8.Valid(line) {
			t.Fatal("accepted what is not UTF-8")
		}
		var theirs map[string]json.RawMessage
		if err := json.Unmarshal(line, &theirs); err != nil {
			t.Fatalf("accepted what is invalid: %v", err)
		}
		for i, v := range values {
			if string(v) != string(theirs[testNames[i]]) {
				t.Fatalf("%s: %q, want %q", testNames[i], v, theirs[testNames[i]])
			}
			if jsontext.Value(v).Kind() != '"' {
				continue
			}
			var want string
			if err := json.Unmarshal(v, &want); err != nil || string(r.Text(v)) != want {
				t.Fatalf("%s: %q, want %q, %v", v, r.Text(v), want, err)
			}
		}
	})
}

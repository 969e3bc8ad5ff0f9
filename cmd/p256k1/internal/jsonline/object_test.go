package jsonline

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// members returns what Object reports for a line.
func members(line string) (string, error) {
	var d Decoder
	var b strings.Builder
	err := d.Object([]byte(line), func(name []byte, v Value) {
		fmt.Fprintf(&b, "%s=%s[%s];", name, v.Kind(), v.Raw())
	})
	return b.String(), err
}

func TestObject(t *testing.T) {
	for line, want := range map[string]string{
		`{}`:                             "",
		" \t\r\n{ \t\r\n} \t\r\n":        "",
		`{"a":"x"}`:                      "a=a string[\"x\"];",
		`{"a":1,"b":-0.5e+10}`:           "a=a number[1];b=a number[-0.5e+10];",
		`{"a":0,"b":10,"c":0E0}`:         "a=a number[0];b=a number[10];c=a number[0E0];",
		`{"a":null,"b":true,"c":false}`:  "a=null[null];b=a boolean[true];c=a boolean[false];",
		`{"a":[1,[2,{"a":[]}]] , "b":1}`: `a=an array[[1,[2,{"a":[]}]]];b=a number[1];`,
		`{"a":{"a":1,"a":2}}`:            `a=an object[{"a":1,"a":2}];`, // a name twice, but not in the object of the line
		`{ "a" : [ ] , "b" : { } }`:      "a=an array[[ ]];b=an object[{ }];",
		`{"\u0061\ud83d\ude00":1}`:       "a😀=a number[1];",
		`{"":1," ":2}`:                   "=a number[1]; =a number[2];",
		"{\"a\":\"\u2028\x7fü\"}":        "a=a string[\"\u2028\x7fü\"];",
	} {
		if got, err := members(line); got != want || err != nil {
			t.Errorf("%s: %s, %v; want %s", line, got, err, want)
		}
	}
}

func TestRefused(t *testing.T) {
	nested := func(n int) string { return `{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}" }
	if _, err := members(nested(maxDepth)); err != nil {
		t.Errorf("nested as deep as allowed: %v", err)
	}
	many := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"%d":0`, i)
		}
		return "{" + b.String()[1:] + "}"
	}
	if _, err := members(many(maxNames)); err != nil {
		t.Errorf("as many names as allowed: %v", err)
	}
	for _, c := range []struct{ line, want string }{
		{``, "column 1: the end of the line, want a value"},
		{"\x00", `column 1: '\x00', want a value`},
		{`hello`, "column 1: 'h', want a value"},
		{`[1]`, "column 1: an array, want an object"},
		{` "a"`, "column 2: a string, want an object"},
		{`1`, "column 1: a number, want an object"},
		{`null`, "column 1: null, want an object"},
		{`{} {}`, "column 4: '{' after the object"},
		{`{}x`, "column 3: 'x' after the object"},
		{`{}ü`, "column 3: 'ü' after the object"},
		{"{}\x00", `column 3: '\x00' after the object`},
		{`{`, "column 2: the end of the line, want a name in quotation marks"},
		{`{a:1}`, "column 2: 'a', want a name in quotation marks"},
		{`{"a"}`, "column 5: '}', want a colon after a name"},
		{`{"a":}`, "column 6: '}', want a value"},
		{`{"a":1`, "column 7: the end of the line, want a comma or the end of the object"},
		{`{"a":1,}`, "column 8: '}', want a name in quotation marks"},
		{`{"a":1 "b":2}`, `column 8: '"', want a comma or the end of the object`},
		{`{"a":[1,]}`, "column 9: ']', want a value"},
		{`{"a":[1 2]}`, "column 9: '2', want a comma or the end of the array"},
		{`{"a":[1`, "column 8: the end of the line, want a comma or the end of the array"},
		{`{"a":tru}`, "column 9: '}', want the 'e' of true"},
		{`{"a":nul`, "column 9: the end of the line, want the 'l' of null"},
		{`{"a":falsy}`, "column 10: 'y', want the 'e' of false"},
		{`{"a":NaN}`, "column 6: 'N', want a value"},
		{`{"a":01}`, "column 7: a number with a leading zero"},
		{`{"a":+1}`, "column 6: '+', want a value"},
		{`{"a":-}`, "column 7: '}' in a number, want a digit"},
		{`{"a":1.}`, "column 8: '}' in a number, want a digit"},
		{`{"a":1e}`, "column 8: '}' in a number, want a digit"},
		{`{"a":.5}`, "column 6: '.', want a value"},
		{`{"a":0x1}`, "column 7: 'x', want a comma or the end of the object"},
		{`{"a":'b'}`, `column 6: '\'', want a value`},
		{`{"a":"b`, "column 8: the end of the line in the string that begins in column 6"},
		{`{"a":"b\`, "column 9: the end of the line after a backslash, which is no escape sequence"},
		{"{\"a\":\"\x1f\"}", "column 7: control character 0x1f in a string, want an escape sequence"},
		{"{\"a\":\"\t\"}", "column 7: control character 0x09 in a string, want an escape sequence"},
		{`{"a":"\x"}`, "column 8: 'x' after a backslash, which is no escape sequence"},
		{`{"a":"\u12g4"}`, `column 8: an escape sequence \u without four hex digits`},
		{`{"a":"\u12`, `column 8: an escape sequence \u without four hex digits`},
		{`{"a":"\ud83d"}`, `column 7: \ud83d, half of a surrogate pair, which is no character`},
		{`{"a":"\ude00\ud83d"}`, `column 7: \ude00, half of a surrogate pair, which is no character`},
		{`{"a":"\ud83d\u0041"}`, `column 7: \ud83d, half of a surrogate pair, which is no character`},
		{"{\"a\":\"\xff\"}", "column 7: invalid UTF-8: the byte 0xff"},
		{"{\"a\":\"\xed\xa0\x80\"}", "column 7: invalid UTF-8: the byte 0xed"},
		{"{\"ü\":\"\xc3", "column 8: invalid UTF-8: the byte 0xc3"},
		{`{"a":1,"b":2,"a":3}`, `column 14: duplicate name "a"`},
		{`{"a":1,"\u0061":3}`, `column 8: duplicate name "a"`},
		{`{"` + strings.Repeat("ü", 50) + `":1,"` + strings.Repeat("ü", 50) + `":3}`, `column 107: duplicate name "` + strings.Repeat("ü", 20) + `…"`},
		{many(100)[:len(many(100))-1] + `,"5":0}`, `column 692: duplicate name "5"`},
		{many(maxNames + 1), "column 8108: more than 1024 names"},
		{nested(maxDepth + 1), "column 262: nested deeper than 256"},
		{`{"a":` + strings.Repeat(`{"a":`, maxDepth+1), "column 1286: nested deeper than 256"},
	} {
		_, err := members(c.line)
		if err == nil || err.Error() != c.want {
			t.Errorf("%.60s: %v\nwant %s", c.line, err, c.want)
		}
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset > len(c.line) {
			t.Errorf("%.60s: %#v", c.line, err)
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
		var d Decoder
		err := d.Object([]byte(`{"a":"`+text+`"}`), func(_ []byte, v Value) {
			if got := string(v.AppendText([]byte("+"))); got != "+"+want {
				t.Errorf("%s: %q, want %q", text, got, want)
			}
			verbatim, ok := v.Verbatim()
			if ok != !strings.Contains(text, `\`) || ok && string(verbatim) != want {
				t.Errorf("%s: verbatim %q, %v", text, verbatim, ok)
			}
		})
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestElements(t *testing.T) {
	var d Decoder
	var got []string
	err := d.Object([]byte(`{"a": [ 1 , "x", [], {"y":[2]} ], "b": 3}`), func(_ []byte, v Value) {
		for e := range v.Elements() {
			got = append(got, e.String())
		}
		for range v.Elements() {
			break
		}
	})
	if s := strings.Join(got, ";"); err != nil || s != `1;"x";[];{"y":[2]}` {
		t.Errorf("%s, %v", s, err)
	}
}

func TestNoAllocation(t *testing.T) {
	var d Decoder
	line := []byte(`{"t":"schnorr","k":"nostr","pub":"6b09","h":"d56b","sig":"6536","tags":[["a","b"]],"kind":7}`)
	n := 0
	if allocs := testing.AllocsPerRun(100, func() {
		if d.Object(line, func(_ []byte, v Value) { n += len(v.Raw()) }) != nil {
			t.Fatal("refused")
		}
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// FuzzObject compares with encoding/json, which accepts the same lines but for
// what the package says it refuses.
func FuzzObject(f *testing.F) {
	for _, line := range []string{
		`{}`, `{"a":1,"b":[true,null,{"c":"\u00fc\ud83d\ude00\n"}]}`, `{"a":-0.5e+3, "\u0061b":""} `, `{"a":"\ud800"}`, `[]`,
		`{"a":01}`, `{"a":1,"a":2}`, "{\"\xff\":1}", `{"a":"\/\b\f\r\t\"\\"}`, `{"x":[[[[]]],[{}]]}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var d Decoder
		ours := make(map[string]Value)
		err := d.Object(line, func(name []byte, v Value) { ours[string(name)] = v })
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(line) || len(err.Error()) > 300 {
				t.Fatalf("error %#v", err)
			}
			for _, ownRule := range []string{"duplicate name", "half of a surrogate pair", "nested deeper", "more than 1024 names", "want an object"} {
				if strings.Contains(err.Error(), ownRule) {
					return
				}
			}
			if utf8.Valid(line) && json.Valid(line) {
				t.Fatalf("refused what is valid: %v", err)
			}
			return
		}
		var theirs map[string]json.RawMessage
		if err := json.Unmarshal(line, &theirs); err != nil {
			t.Fatalf("accepted what is invalid: %v", err)
		}
		if len(ours) != len(theirs) {
			t.Fatalf("%d members, want %d", len(ours), len(theirs))
		}
		for name, v := range ours {
			if string(v.Raw()) != string(theirs[name]) {
				t.Fatalf("%q: %q, want %q", name, v.Raw(), theirs[name])
			}
			compare(t, v)
		}
	})
}

// compare compares the parts of v with what encoding/json makes of them.
func compare(t *testing.T, v Value) {
	switch v.Kind() {
	case String:
		var want string
		if err := json.Unmarshal(v.Raw(), &want); err != nil || string(v.AppendText(nil)) != want {
			t.Fatalf("%s: %q, want %q, %v", v.Raw(), v.AppendText(nil), want, err)
		}
	case Array:
		var want []json.RawMessage
		if err := json.Unmarshal(v.Raw(), &want); err != nil {
			t.Fatalf("%s: %v", v.Raw(), err)
		}
		i := 0
		for e := range v.Elements() {
			if string(e.Raw()) != string(want[i]) {
				t.Fatalf("%s: element %d is %s, want %s", v.Raw(), i, e.Raw(), want[i])
			}
			compare(t, e)
			i++
		}
		if i != len(want) {
			t.Fatalf("%s: %d elements", v.Raw(), i)
		}
	}
}

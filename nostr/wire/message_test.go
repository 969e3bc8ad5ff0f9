package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

// nested returns n arrays, each in the one before it.
func nested(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

// named returns an object with n names.
func named(n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf(`"%d":0`, i)
	}
	return "{" + strings.Join(names, ",") + "}"
}

// TestMessage reads messages with all the places in which an event can be.
func TestMessage(t *testing.T) {
	long := strings.TrimSuffix(strings.Repeat("0,", 3*maxNames), ",")
	for _, c := range []struct{ line, label, subscription, event string }{
		{`["EVENT",{"a":1}]`, "EVENT", "", `{"a":1}`},
		{` [ "EVENT" , { } ] `, "EVENT", "", `{ }`},
		{`["\u0045VENT","s\n",{"a":1} ]`, "EVENT", "s\n", `{"a":1}`},
		{`["EVENT","",{}]`, "EVENT", "", `{}`},
		{`["EVENT",{},1]`, "EVENT", "", `{},1`}, // not an event, as its reader finds out
		{`["AUTH",{"a":1}]`, "AUTH", "", `{"a":1}`},
		{`["AUTH","challenge"]`, "AUTH", "", ""},
		{`["AUTH","challenge",{"sig":1}]`, "AUTH", "", `{"sig":1}`},
		{`["AUTH",null]`, "AUTH", "", ""},
		{`["X",{"sig":1}]`, "X", "", `{"sig":1}`},
		{`["X",1,[] , {"a":[{}],"sig":{},"b":1} ,{"a":"sig"}]`, "X", "", `{"a":[{}],"sig":{},"b":1}`},
		{`["X",{"a":1},{"sig":1},{"a":1}]`, "X", "", `{"sig":1}`},
		{`["X",{"sig":1},["sig",{"sig":1}],{"a":{"sig":1}}]`, "X", "", `{"sig":1}`},
		{`["X","sig",["sig"],{"a":"sig"},{"a":{"sig":1}},[{"sig":1}],{}]`, "X", "", ""},
		{`["REQ","s",{"kinds":[1]}]` + space, "REQ", "", ""},
		{`["X"]`, "X", "", ""},
		{`["X",` + nested(maxDepth) + `]`, "X", "", ""},
		{`["X",` + named(maxNames) + `]`, "X", "", ""},
		{`["X",{"a":` + named(maxNames) + `}]`, "X", "", ""},
		{`["X",[` + long + `],` + long + `]`, "X", "", ""}, // only names are limited
	} {
		var r Reader
		label, m, err := r.Message([]byte(c.line))
		if err != nil || label != c.label || m.Subscription != c.subscription || string(m.Event) != c.event || (m.Event == nil) != (c.event == "") {
			t.Errorf("%.80s: %q, %q, %s, %v", c.line, label, m.Subscription, m.Event, err)
		}
	}
}

// TestMessageRefused reads messages that each have one error.
func TestMessageRefused(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{``, "column 1: nothing, want an object"},
		{`x`, "column 1: invalid character 'x' at start of value"},
		{` {}`, "column 2: an object, want an object or an array"},
		{`"EVENT"`, "column 1: a string, want an object or an array"},
		{`[`, "column 2: unexpected end of the line"},
		{`[]`, "column 2: nothing, want a string"},
		{`[ 1,{}]`, "column 3: a number, want a string"},
		{`["EVENT`, "column 8: unexpected end of the line"},
		{`["EVENT"]`, "column 9: nothing, want an event"},
		{`["EVENT", 1,{}]`, "column 11: a number, want an event"},
		{`["EVENT","a","b",{}]`, "column 14: a string, want an event"},
		{`["EVENT","\x",{}]`, "column 11: invalid escape sequence `\\x` in string"},
		{`["EVENT",x]`, "column 10: invalid character 'x' at start of value"},
		{`["EVENT",{}`, "column 12: no end of the array"},
		{`["AUTH",{} `, "column 12: no end of the array"},
		{`["AUTH","\x"]`, "column 10: invalid escape sequence `\\x` in string"},
		{`["X",1`, "column 7: unexpected end of the line"},
		{`["X",{"a":1,"a":1}]`, `column 13: duplicate name "a"`},
		{`["X"] ]`, "column 7: text after the array"},
		{`["X"],`, "column 6: text after the array"},
		{`["X",{"sig":1},{"sig":2}]`, "column 16: a second event"},
		{`["X",{"a":1}, {"sig":1},[],{"b":1,"sig":2},1]`, "column 28: a second event"},
		{`["X",` + nested(maxDepth+1) + `]`, "column 262: nested too deep"},
		{`["X",` + nested(500_000) + `]`, "column 262: nested too deep"},
		{`["X",` + strings.Repeat(`{"a":`, maxDepth+1), "column 1286: nested too deep"},
		{`["X",` + named(maxNames+1) + `]`, "column 8118: too many names"},
		{`["X",[` + named(maxNames+1) + `]]`, "column 8119: too many names"},
	} {
		var r Reader
		label, m, err := r.Message([]byte(c.line))
		if !errors.Is(err, ErrFormat) || err.Error() != c.want || m.Event != nil {
			t.Errorf("%.80s: %q, %s, %v, want %s", c.line, label, m.Event, err, c.want)
		}
	}
}

// TestLine reads events, and lines that each lack a field.
func TestLine(t *testing.T) {
	event := eventObject(1700000000, 1, [][]string{{"e", "a"}, {}, {"\"\n\x01"}}, "hello", libtest.NIP01Escapes)
	var r Reader
	var e Event
	if err := r.Line(&e, event.line(t)); err != nil || r.CheckID(&e) != nil {
		t.Errorf("%v, %v", err, r.CheckID(&e))
	}
	if tags := r.Tags(e.Tags); !reflect.DeepEqual(tags, event["tags"]) {
		t.Errorf("%q", tags)
	}
	if tags := r.Tags([]byte("[]")); tags != nil {
		t.Errorf("%q", tags)
	}
	for _, name := range Names {
		err := r.Line(&e, event.with(name, nil).line(t))
		if !errors.Is(err, ErrFormat) || err.Error() != fmt.Sprintf("no field %q", name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
	for line, want := range map[string]string{
		`[]`: "column 1: an array, want an object", `{"id":1,"id":1}`: `column 9: duplicate name "id"`,
	} {
		if err := r.Line(&e, []byte(line)); !errors.Is(err, ErrFormat) || err.Error() != want {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}

// TestCheckSerialized checks an id and each id that differs from it in a bit.
func TestCheckSerialized(t *testing.T) {
	serialized := []byte("[0,\"\",0,0,[],\"\x01\"]")
	id := sha256.Sum256(serialized)
	if err := CheckSerialized(serialized, &id); err != nil {
		t.Error(err)
	}
	want := "id is not the SHA-256 of the event, which is " + hex.EncodeToString(id[:])
	for bit := range 256 {
		other := id
		other[bit/8] ^= 1 << (bit % 8)
		if err := CheckSerialized(serialized, &other); !errors.Is(err, ErrID) || err.Error() != want {
			t.Errorf("bit %d: %v", bit, err)
		}
	}
}

// TestHexUpTo decodes texts with Hex, which wants 9 bytes, and with HexUpTo, which wants at most 9 bytes.
func TestHexUpTo(t *testing.T) {
	nine := "0123456789abcdef09"
	for _, c := range []struct{ text, exact, most string }{
		{nine, "", ""},
		{nine[2:], "8 bytes, want 9", ""},
		{nine[16:], "1 byte, want 9", ""},
		{"", "0 bytes, want 9", ""},
		{nine + "00", "10 bytes, want 9", "10 bytes, want at most 9"},
		{nine + "0", "19 hexadecimal digits, an odd number", "19 hexadecimal digits, an odd number"},
		{nine + "000", "21 hexadecimal digits, an odd number", "10 bytes, want at most 9"},
		{"0", "1 hexadecimal digit, an odd number", "1 hexadecimal digit, an odd number"},
		{"0x" + nine, "begins with 0x, want hexadecimal digits only", "begins with 0x, want hexadecimal digits only"},
		{"0X" + nine[2:], "begins with 0x, want hexadecimal digits only", "begins with 0x, want hexadecimal digits only"},
		{"0x", "begins with 0x, want hexadecimal digits only", "begins with 0x, want hexadecimal digits only"},
		{"1x" + nine[2:], `"x" at 2, want a hexadecimal digit`, `"x" at 2, want a hexadecimal digit`},
		{"g" + nine[1:], `"g" at 1, want a hexadecimal digit`, `"g" at 1, want a hexadecimal digit`},
		{nine[:17] + "A", `the upper-case hexadecimal digit 'A' at 18, want lower case`, `the upper-case hexadecimal digit 'A' at 18, want lower case`},
		{nine[:3] + "F" + nine[4:], `the upper-case hexadecimal digit 'F' at 4, want lower case`, `the upper-case hexadecimal digit 'F' at 4, want lower case`},
		{nine[:15] + "@0f", `"@" at 16, want a hexadecimal digit`, `"@" at 16, want a hexadecimal digit`},
		{nine[:17] + "/", `"/" at 18, want a hexadecimal digit`, `"/" at 18, want a hexadecimal digit`},
		{nine[:17] + ":", `":" at 18, want a hexadecimal digit`, `":" at 18, want a hexadecimal digit`},
		{nine[:17] + "~", `"~" at 18, want a hexadecimal digit`, `"~" at 18, want a hexadecimal digit`},
		{nine[:16] + "`0", "\"`\" at 17, want a hexadecimal digit", "\"`\" at 17, want a hexadecimal digit"},
	} {
		var r Reader
		dst := make([]byte, 9)
		errExact := r.Hex(dst, "x", []byte(`"`+c.text+`"`))
		got, errMost := r.HexUpTo(slices.Clone(dst), "x", []byte(`"`+c.text+`"`))
		for _, e := range []struct {
			err  error
			want string
			got  []byte
		}{{errExact, c.exact, dst}, {errMost, c.most, got}} {
			switch {
			case e.want == "" && (e.err != nil || hex.EncodeToString(e.got) != c.text):
				t.Errorf("%s: %x, %v", c.text, e.got, e.err)
			case e.want != "" && (!errors.Is(e.err, ErrField) || !strings.HasPrefix(e.err.Error(), "x ") || !strings.HasSuffix(e.err.Error(), e.want)):
				t.Errorf("%s: %v, want %s", c.text, e.err, e.want)
			}
		}
	}
}

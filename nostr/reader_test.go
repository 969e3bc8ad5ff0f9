package nostr

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/nostr/wire"
)

// listed returns the frames and errors of a Reader as lines of text.
func listed(r *Reader) (lines []string) {
	for f, err := range r.All() {
		if err != nil {
			lines = append(lines, fmt.Sprintf("%d: %v", f.Line, err))
			continue
		}
		lines = append(lines, fmt.Sprintf("%d: %q %q %s", f.Line, f.Label, f.Subscription, f.Event))
	}
	return lines
}

func TestReader(t *testing.T) {
	long := `{"content":"` + strings.Repeat("x", 100) + `"}`
	for _, c := range []struct {
		stream string
		want   []string
	}{
		{"", nil},
		{"\n\n \r\n\t", nil},
		{`{}`, []string{`1: "" "" {}`}},
		{"\ufeff{}\r\n\n  {\"a\":1} \n", []string{`1: "" "" {}`, `3: "" "" {"a":1}`}},
		{"{}\n\ufeff{}", []string{`1: "" "" {}`, `2: nostr: column 1: invalid character '\ufeff' at start of value`}},
		{"[\"EVENT\",{}]\n[ \"EVENT\" , \"sub\\n\" , {\"a\":[1]} ] ", []string{`1: "EVENT" "" {}`, `2: "EVENT" "sub\n" {"a":[1]}`}},
		{`["\u0045VENT",{}]`, []string{`1: "EVENT" "" {}`}},
		{`["EVENT","",{}]`, []string{`1: "EVENT" "" {}`}},
		{`["EVENT","sub",{},{}]`, []string{`1: "EVENT" "sub" {},{}`}}, // the second {} is not an event
		{"[\"EOSE\",\"sub\"]\n[\"OK\",\"id\",true,\"\"]\n[\"REQ\",\"s\",{\"kinds\":[1]}]\n[\"X\"]", []string{`1: "EOSE" "" `, `2: "OK" "" `, `3: "REQ" "" `, `4: "X" "" `}},
		{"x\n{}\n", []string{"1: nostr: column 1: invalid character 'x' at start of value", `2: "" "" {}`}},
		{"\x00\n\"a\"\n1\nnull\n", []string{"1: nostr: column 1: invalid character '\\x00' at start of value",
			"2: nostr: column 1: a string, want an object or an array", "3: nostr: column 1: a number, want an object or an array", "4: nostr: column 1: null, want an object or an array"}},
		{"[]\n[1]\n[[]]\n[{}]\n[", []string{"1: nostr: column 2: nothing, want a string", "2: nostr: column 2: a number, want a string",
			"3: nostr: column 2: an array, want a string", "4: nostr: column 2: an object, want a string", "5: nostr: column 2: unexpected end of the line"}},
		{`["EVENT"]`, []string{"1: nostr: column 9: nothing, want an event"}},
		{`["EVENT",1,{}]`, []string{"1: nostr: column 10: a number, want an event"}},
		{`["EVENT","a","b",{}]`, []string{"1: nostr: column 14: a string, want an event"}},
		{`["EVENT","a" {}]`, []string{"1: nostr: column 14: invalid character '{' after array element (expecting ',' or ']')"}},
		{`["EVENT",{}`, []string{"1: nostr: column 12: no end of the array"}},
		{`["EVENT",{`, []string{"1: nostr: column 11: no end of the array"}},
		{`["EVENT",`, []string{"1: nostr: column 10: unexpected end of the line"}},
		{`["EOSE","sub"] x`, []string{"1: nostr: column 16: text after the array"}},
		{`["EOSE",{"a":1,"a":1}]`, []string{`1: nostr: column 16: duplicate name "a"`}},
		{`["EOSE","\ud800"]`, []string{"1: nostr: column 10: invalid surrogate pair `\\ud800\"]` in string"}},
		{long + "\n{}\n" + long, []string{"1: nostr: line too long: more than 64 bytes", `2: "" "" {}`, "3: nostr: line too long: more than 64 bytes"}},
		{strings.Repeat(" ", 64) + "\n{}", []string{`2: "" "" {}`}},
		{strings.Repeat("\n", 70_000) + "{}", []string{`70001: "" "" {}`}},
		{strings.Repeat(" ", 65) + "\n{}", []string{"1: nostr: line too long: more than 64 bytes", `2: "" "" {}`}},
		{"\ufeff" + strings.Repeat(" ", 62) + "{}", []string{`1: "" "" {}`}},
		{"\ufeff" + strings.Repeat(" ", 63) + "{}", []string{"1: nostr: line too long: more than 64 bytes"}},
	} {
		for name, r := range libtest.Readers([]byte(c.stream)) {
			if got := listed(NewReader(r, 64)); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) {
				t.Errorf("%s %q:\n%q\nwant %q", name, c.stream, got, c.want)
			}
		}
	}
}

func TestReaderErrors(t *testing.T) {
	broken := errors.New("broken")
	r := NewReader(io.MultiReader(strings.NewReader("{}\n{}\n{"), iotest.ErrReader(broken)), 0)
	for i := range 5 {
		f, err := r.Next()
		if (i < 2 && (err != nil || string(f.Event) != "{}")) || (i >= 2 && err != broken) {
			t.Errorf("%d: %+v, %v", i, f, err)
		}
	}
	r = NewReader(iotest.ErrReader(broken), 0)
	if got := listed(r); len(got) != 1 || got[0] != "0: broken" {
		t.Errorf("%q", got)
	}
	n := 0
	for _, err := range NewReader(iotest.ErrReader(incomparable{broken}), 0).All() {
		n++
		if !errors.Is(err, broken) {
			t.Errorf("error %d: %v", n, err)
		}
	}
	if n != 1 {
		t.Errorf("%d errors of the reader", n)
	}
	if _, err := NewReader(iotest.ErrReader(nil), 0).Next(); err != io.ErrNoProgress {
		t.Error(err)
	}
	for range NewReader(strings.NewReader("{}\nx\n"), 0).All() {
		break
	}
}

// endless is a reader that repeats a text until it has returned a given number of bytes.
type endless struct {
	text []byte
	left int
	next int
}

func (e *endless) Read(b []byte) (n int, err error) {
	for n < len(b) && e.left > 0 {
		k := copy(b[n:], e.text[e.next:])
		k = min(k, e.left)
		n, e.left, e.next = n+k, e.left-k, (e.next+k)%len(e.text)
	}
	if n == 0 && len(b) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// TestLongMessage reads a message with an event of megabytes, and verifies the event with another escape at its end.
func TestLongMessage(t *testing.T) {
	text := libtest.Must(large(t).MarshalJSON())
	escaped := bytes.Replace(text, []byte(`end","sig"`), []byte(`\u0065nd","sig"`), 1)
	var v Verifier
	v.Add(escaped)
	if bad := v.Invalid(nil); bad != nil || len(escaped) != len(text)+5 {
		t.Errorf("with an escape at the end: %v", bad)
	}
	f, err := NewReader(strings.NewReader(`["EVENT","sub",`+string(text)+"]"), 1<<23).Next()
	if err != nil || f.Subscription != "sub" || !bytes.Equal(f.Event, text) {
		t.Errorf("%d bytes of %d, %v", len(f.Event), len(text), err)
	}
}

// TestNoLimit sets the largest possible limit, and reads a line that needs a larger buffer.
func TestNoLimit(t *testing.T) {
	long := `{"a":"` + strings.Repeat("x", 1<<18) + `"}`
	r := NewReader(strings.NewReader(long+"\n"), math.MaxInt)
	if f, err := r.Next(); err != nil || string(f.Event) != long {
		t.Errorf("%d bytes, %v", len(f.Event), err)
	}
}

// incomparable is an error whose comparison by == panics.
type incomparable []error

func (e incomparable) Error() string   { return e[0].Error() }
func (e incomparable) Unwrap() []error { return e }

// TestMemory reads a stream with more bytes than the memory that the Reader may use.
func TestMemory(t *testing.T) {
	size := 256 << 20
	if testing.Short() {
		size = 32 << 20
	}
	for name, c := range map[string]struct {
		text  string
		lines int
	}{
		"one line":   {strings.Repeat("x", 1<<16), 1},
		"empty":      {strings.Repeat(" ", 1<<10) + "\n", 0},
		"long lines": {strings.Repeat("x", 1<<21) + "\n", size/(1<<21+1) + 1},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		n := 0
		for _, err := range NewReader(&endless{text: []byte(c.text), left: size}, 0).All() {
			n++
			if !errors.Is(err, ErrTooLong) {
				t.Fatalf("%s: %v", name, err)
			}
		}
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; n != c.lines || grown > 8<<20 {
			t.Errorf("%s: %d lines, want %d; %d KiB allocated", name, n, c.lines, grown>>10)
		}
	}
}

// TestMessages checks which element of a message is its event, so that Verified verifies it, for each message of
// NIP-01, NIP-42, NIP-45, NIP-50 and NIP-77, and for messages that no NIP defines.
func TestMessages(t *testing.T) {
	good := publicEvents[0]
	bad := strings.Replace(good, `"sig":"2`, `"sig":"3`, 1)
	escaped := strings.Replace(bad, `"sig"`, `"s\u0069g"`, 1)
	for line, hasEvent := range map[string]bool{
		`%s`: true, `["EVENT",%s]`: true, `["EVENT","s",%s]`: true, // the client sends the second, the relay the third
		`["AUTH",%s]`: true, `[ "\u0041UTH" , %s ]`: true, `["AUTH","challenge"]`: false, `["AUTH"]`: false, `["AUTH",1]`: false,
		`["REQ","s",{"kinds":[1],"#e":["x"]},{"search":"sig","limit":1}]`: false, `["CLOSE","s"]`: false,
		`["EOSE","s"]`: false, `["OK","id",true,""]`: false, `["CLOSED","s","auth-required: sig"]`: false, `["NOTICE","sig"]`: false,
		`["COUNT","s",{"authors":["x"]}]`: false, `["COUNT","s",{"count":5,"approximate":true}]`: false,
		`["NEG-OPEN","s",{"ids":[]},"61"]`: false, `["NEG-MSG","s","61"]`: false, `["NEG-ERR","s","closed: x"]`: false, `["NEG-CLOSE","s"]`: false,
		`["X",%s]`: true, `["auth",%s]`: true, `["AUTH","challenge",%s]`: true, `["X","s",%s]`: true, `["X",{"a":{}},1,%s,[]]`: true,
		`["REQ","s",{"sig":{"a":1},"kinds":[%q]}]`: true, `["X",[{"sig":1}],{"a":{"sig":1},"b":"sig"}]`: false,
	} {
		for _, event := range []string{good, bad, escaped} {
			text := line
			if strings.Contains(line, "%") {
				text = fmt.Sprintf(line, event)
			}
			for frame, err := range NewReader(strings.NewReader(text), 0).Verified() {
				if (frame.Event != nil) != hasEvent || (err != nil) != (hasEvent && (event != good || strings.Contains(line, "REQ"))) {
					t.Errorf("%s: event %s, %v", text, frame.Event, err)
				}
				if strings.Contains(line, "%s") && string(frame.Event) != event {
					t.Errorf("%s: event %s", text, frame.Event)
				}
			}
		}
	}
	for _, line := range []string{`["AUTH",{}]`, `["AUTH",%s,%[1]s]`, `["AUTH",%s,1]`, `["AUTH",%s`, `["X",%s,%[1]s]`, `["X",{"sig":1}]`} {
		for frame, err := range NewReader(strings.NewReader(strings.ReplaceAll(strings.ReplaceAll(line, "%[1]s", good), "%s", good)), 0).Verified() {
			if !errors.Is(err, ErrFormat) {
				t.Errorf("%s: event %s, %v", line, frame.Event, err)
			}
		}
	}
}

// FuzzReader compares the Reader with another way to split a stream into lines.
func FuzzReader(f *testing.F) {
	f.Add([]byte("{}\n[\"EVENT\",\"s\",{}]\r\n\n[\"EOSE\"]\nx"))
	f.Add([]byte("[\"AUTH\",{}]\n[\"AUTH\",\"challenge\"]\n[\"X\",\"s\",{\"sig\":1}]"))
	f.Add([]byte("\ufeff" + publicEvents[0] + "\n[\"EVENT\"," + publicEvents[1] + "]"))
	f.Add([]byte(strings.Repeat(" ", 101) + "\n[\"EVENT\",{\"a\":1"))
	f.Add([]byte("\ufeff" + strings.Repeat("{", 100) + "\n" + strings.Repeat("{", 100) + "\n" + strings.Repeat("{", 101)))
	f.Add([]byte("\ufeff" + strings.Repeat("{", 101) + "\n\ufeff" + strings.Repeat("{", 98)))
	f.Fuzz(func(t *testing.T, stream []byte) {
		const limit = 100
		r := NewReader(iotest.OneByteReader(bytes.NewReader(stream)), limit)
		number := int64(0)
		for line := range bytes.Lines(stream) {
			number++
			line = bytes.TrimSuffix(line, []byte("\n"))
			if number == 1 {
				line = bytes.TrimPrefix(line, []byte("\ufeff"))
			}
			whole := len(line)
			if line = bytes.Trim(line, " \t\r\n"); len(line) == 0 && whole <= limit {
				continue
			}
			got, err := r.Next()
			if got.Line != number {
				t.Fatalf("line %d, want %d, %v", got.Line, number, err)
			}
			switch {
			case whole > limit:
				if !errors.Is(err, ErrTooLong) {
					t.Fatalf("line %d: %v", number, err)
				}
			case err != nil:
				if !errors.Is(err, ErrFormat) || line[0] == '{' {
					t.Fatalf("line %d: %v", number, err)
				}
			case line[0] == '{':
				if !bytes.Equal(got.Event, line) || got.Label != "" {
					t.Fatalf("line %d: %+v", number, got)
				}
			default:
				compareMessage(t, line, got)
			}
		}
		if f, err := r.Next(); err != io.EOF {
			t.Fatalf("%+v, %v", f, err)
		}
	})
}

// compareMessage compares a message from the Reader with the parts that package wire reads from the same line.
func compareMessage(t *testing.T, line []byte, got Frame) {
	var r wire.Reader
	values := make([][]byte, 1)
	// The array is valid if and only if an object with the array as its value is valid. An invalid event in the array
	// is reported later, when the event is parsed.
	whole := fmt.Appendf(nil, `{"x":%s}`, line)
	err := r.Object(whole, []string{"x"}, values)
	if got.Event == nil {
		if err != nil || got.Label == "EVENT" || (got.Label == "AUTH" && bytes.HasPrefix(line, []byte(`["AUTH",{`))) {
			t.Fatalf("%s: %+v, %v", line, got, err)
		}
		return
	}
	if !bytes.Contains(line, got.Event) || got.Event[0] != '{' {
		t.Fatalf("%s: %+v", line, got)
	}
	if eventErr := r.Object(got.Event, []string{"x"}, values); (eventErr == nil) != (err == nil) && eventErr == nil {
		t.Fatalf("%s: %v, %v", line, err, eventErr)
	}
}

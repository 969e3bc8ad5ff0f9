package p256k1_test

import (
	"bytes"
	"crypto/sha256"
	"encoding"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ecdsa"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// marshaler lists the methods that the public types must have on values, because encoding/json cannot take the address
// of a field of a struct that is passed by value.
type marshaler interface {
	fmt.Stringer
	fmt.Formatter
	encoding.TextMarshaler
	encoding.TextAppender
	encoding.BinaryMarshaler
	encoding.BinaryAppender
}

// unmarshaler lists the methods that the public types must have on pointers.
type unmarshaler interface {
	marshaler
	encoding.TextUnmarshaler
	encoding.BinaryUnmarshaler
}

// A form describes a type by one value of it and the value's text and binary forms.
type form struct {
	name   string // the name of the type
	value  marshaler
	binary []byte // the binary form of value
	unset  error  // the error of marshalling the zero value
	bytes  []int  // lengths in bytes that the type's parser accepts
	bad    map[string]error
	// holders runs the encoders on structs that have values of the type in their fields.
	holders func(t *testing.T, f *form)
}

func (f *form) zero() marshaler {
	return reflect.Zero(reflect.TypeOf(f.value)).Interface().(marshaler)
}

// pointer returns a pointer to a copy of v.
func (f *form) pointer(v marshaler) unmarshaler {
	p := reflect.New(reflect.TypeOf(v))
	p.Elem().Set(reflect.ValueOf(v))
	return p.Interface().(unmarshaler)
}

func newForm[T any](name string, value *T, binary []byte, unset error, lengths []int, bad map[string]error) form {
	return form{
		name: name, value: any(*value).(marshaler), binary: binary, unset: unset, bytes: lengths, bad: bad,
		holders: testHolders[T],
	}
}

var digest = sha256.Sum256([]byte("what is signed"))

func forms(t testing.TB) []form {
	k := libtest.SecretKey(t)
	sig, err := ecdsa.SignRecoverable(k, digest[:], nil)
	if err != nil {
		t.Fatal(err)
	}
	plain := sig.Signature()
	pub, x := k.PublicKey(), k.PublicKey().XOnly()
	n, p := oracle.Bytes(oracle.N), oracle.Bytes(oracle.P)
	five := append(make([]byte, 31), 5) // not the x of a point
	rs := plain.Bytes()
	return []form{
		newForm("p256k1.PublicKey", pub, pub.Bytes(), p256k1.ErrNoKey, []int{33, 65}, map[string]error{
			string(append([]byte{4}, pub.Bytes()[1:]...)):        p256k1.ErrPrefix,
			string(append([]byte{7}, make([]byte, 64)...)):       p256k1.ErrPrefix,
			string(append([]byte{2}, p[:]...)):                   p256k1.ErrRange,
			string(append([]byte{3}, five...)):                   p256k1.ErrNotOnCurve,
			string(make([]byte, 33)):                             p256k1.ErrPrefix,
			string(append(make([]byte, 1), make([]byte, 64)...)): p256k1.ErrPrefix,
		}),
		newForm("p256k1.XOnlyPublicKey", x, x.Bytes(), p256k1.ErrNoKey, []int{32}, map[string]error{
			string(p[:]):             p256k1.ErrRange,
			string(five):             p256k1.ErrNotOnCurve,
			string(make([]byte, 32)): p256k1.ErrNotOnCurve,
		}),
		newForm("ecdsa.Signature", &plain, rs, p256k1.ErrRange, []int{64}, map[string]error{
			string(make([]byte, 64)):                  p256k1.ErrRange,
			string(append(n[:], rs[32:]...)):          p256k1.ErrRange,
			string(append(rs[:32:32], n[:]...)):       p256k1.ErrRange,
			string(append(make([]byte, 32), five...)): p256k1.ErrRange,
		}),
		newForm("ecdsa.RecoverableSignature", &sig, sig.Bytes(), p256k1.ErrRange, []int{65}, map[string]error{
			string(make([]byte, 65)):                       p256k1.ErrRange,
			string(append(sig.Bytes()[:64:64], 4)):         ecdsa.ErrRecoveryID,
			string(sig.BytesEthereum()):                    ecdsa.ErrRecoveryID,
			string(append(append(n[:], rs[32:]...), 0)):    p256k1.ErrRange,
			string(append(append(rs[:32:32], n[:]...), 0)): p256k1.ErrRange,
			string(append(append(n[:], rs[32:]...), 0xff)): ecdsa.ErrRecoveryID,
		}),
	}
}

// TestMarshal marshals a value and the zero value of each type by every method that encodes.
func TestMarshal(t *testing.T) {
	for _, f := range forms(t) {
		text := hex.EncodeToString(f.binary)
		for _, v := range []marshaler{f.value, f.pointer(f.value)} {
			gotText, err1 := v.MarshalText()
			gotBinary, err2 := v.MarshalBinary()
			if err1 != nil || err2 != nil || string(gotText) != text || !bytes.Equal(gotBinary, f.binary) || v.String() != text {
				t.Errorf("%T: text %s (%v), binary %x (%v), string %s, want %s", v, gotText, err1, gotBinary, err2, v.String(), text)
			}
			for _, room := range []int{0, 200} {
				before := append(make([]byte, 0, 7+room), "before "...)
				gotText, err1 = v.AppendText(before)
				gotText = bytes.Clone(gotText)
				gotBinary, err2 = v.AppendBinary(before)
				if err1 != nil || err2 != nil || string(gotText) != "before "+text || string(gotBinary) != "before "+string(f.binary) {
					t.Errorf("%T appended: text %s (%v), binary %q (%v)", v, gotText, err1, gotBinary, err2)
				}
			}
			clear(gotBinary)
			if v.String() != text {
				t.Errorf("%T shares memory with its encoding", v)
			}
		}
		for _, v := range []marshaler{f.zero(), f.pointer(f.zero())} {
			for _, before := range [][]byte{nil, []byte("before")} {
				text, err1 := v.MarshalText()
				binary, err2 := v.MarshalBinary()
				appended, err3 := v.AppendText(before)
				appended2, err4 := v.AppendBinary(before)
				for _, err := range []error{err1, err2, err3, err4} {
					libtest.CheckError(t, err, f.unset, strings.Split(f.name, ".")[0]+": ", "never set")
				}
				if len(text)+len(binary) != 0 || !bytes.Equal(appended, before) || !bytes.Equal(appended2, before) {
					t.Errorf("%T, unset: %s, %x, %s, %s beside the errors", v, text, binary, appended, appended2)
				}
			}
			if want := f.name + "(unset)"; v.String() != want {
				t.Errorf("%T, unset: %s", v, v.String())
			}
		}
	}
}

func TestMarshalAllocs(t *testing.T) {
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("the race detector allocates")
	}
	k := libtest.SecretKey(t)
	pub, x := *k.PublicKey(), *k.PublicKey().XOnly()
	recoverable, err := ecdsa.SignRecoverable(k, digest[:], nil)
	if err != nil {
		t.Fatal(err)
	}
	sig := recoverable.Signature()
	b := make([]byte, 0, 130)
	var text []byte
	for name, f := range map[string]func() error{
		"PublicKey, text":              func() (err error) { text, err = pub.AppendText(b); return err },
		"PublicKey, binary":            func() (err error) { _, err = pub.AppendBinary(b); return err },
		"XOnlyPublicKey, text":         func() (err error) { text, err = x.AppendText(b); return err },
		"XOnlyPublicKey, binary":       func() (err error) { _, err = x.AppendBinary(b); return err },
		"Signature, text":              func() (err error) { text, err = sig.AppendText(b); return err },
		"Signature, binary":            func() (err error) { _, err = sig.AppendBinary(b); return err },
		"RecoverableSignature, text":   func() (err error) { text, err = recoverable.AppendText(b); return err },
		"RecoverableSignature, binary": func() (err error) { _, err = recoverable.AppendBinary(b); return err },
		"PublicKey, parsed":            func() error { text, _ = pub.AppendText(b); return pub.UnmarshalText(text) },
		"XOnlyPublicKey, parsed":       func() error { text, _ = x.AppendText(b); return x.UnmarshalText(text) },
		"Signature, parsed":            func() error { text, _ = sig.AppendText(b); return sig.UnmarshalText(text) },
		"RecoverableSignature, parsed": func() error { text, _ = recoverable.AppendText(b); return recoverable.UnmarshalText(text) },
	} {
		if n := testing.AllocsPerRun(10, func() { err = f() }); n != 0 || err != nil {
			t.Errorf("%s: %v allocations, %v", name, n, err)
		}
	}
}

// TestUnmarshal parses the text and binary forms of each type, and many texts and bytes that are nearly valid. After an
// error the receiver must be unchanged.
func TestUnmarshal(t *testing.T) {
	for _, f := range forms(t) {
		text := hex.EncodeToString(f.binary)
		for _, before := range []marshaler{f.zero(), f.value} {
			check := func(parse func(p unmarshaler) error, input string, want error, words ...string) {
				t.Helper()
				p := f.pointer(before)
				err := parse(p)
				if !errors.Is(err, want) || (want == nil && err != nil) {
					t.Errorf("%s, %q: %v, want %v", f.name, input, err, want)
					return
				}
				if want == nil {
					if !reflect.DeepEqual(p, f.pointer(f.value)) {
						t.Errorf("%s, %q: parsed as %v", f.name, input, p)
					}
					return
				}
				if !reflect.DeepEqual(p, f.pointer(before)) {
					t.Errorf("%s, %q: refused, but %v became %v", f.name, input, before, p)
				}
				for _, w := range append(words, strings.Split(f.name, ".")[0]+": ") {
					if !strings.Contains(err.Error(), w) {
						t.Errorf("%s, %q: error %q does not say %q", f.name, input, err, w)
					}
				}
				if len(err.Error()) > 150 {
					t.Errorf("%s: error %q is too long", f.name, err)
				}
			}
			parseText := func(input string, want error, words ...string) {
				t.Helper()
				check(func(p unmarshaler) error { return p.UnmarshalText([]byte(input)) }, input, want, words...)
			}
			parseBinary := func(input []byte, want error, words ...string) {
				t.Helper()
				check(func(p unmarshaler) error { return p.UnmarshalBinary(input) }, string(input), want, words...)
			}

			parseText(text, nil)
			parseBinary(f.binary, nil)
			digits := strings.Repeat(text, 3)
			for n := range len(digits) + 1 {
				if !slices.Contains(f.bytes, n/2) || n%2 != 0 {
					parseText(digits[:n], p256k1.ErrLength, fmt.Sprintf("%d hexadecimal digits, want %d", n, 2*f.bytes[0]))
				}
			}
			for n := range 101 {
				if !slices.Contains(f.bytes, n) {
					parseBinary(make([]byte, n), p256k1.ErrLength, fmt.Sprintf("%d bytes, want %d", n, f.bytes[0]))
				}
			}
			for i := range text {
				for c := range 256 {
					if strings.IndexByte("0123456789abcdef", byte(c)) >= 0 {
						continue
					}
					want := fmt.Sprintf("%q at byte %d", string([]byte{byte(c)}), i)
					switch {
					case 'A' <= c && c <= 'F':
						want = fmt.Sprintf("upper-case digit at byte %d", i)
					case i == 1 && (c == 'x' || c == 'X') && text[0] == '0':
						want = "begins with 0x"
					}
					parseText(text[:i]+string([]byte{byte(c)})+text[i+1:], p256k1.ErrHex, want)
				}
				parseText(text[:i]+" "+text[i:], p256k1.ErrHex, fmt.Sprintf("%q at byte %d", " ", i))
			}
			parseText("0x"+text, p256k1.ErrHex, "begins with 0x")
			parseText("0X"+text, p256k1.ErrHex, "begins with 0x")
			parseText(text+"\n", p256k1.ErrHex, fmt.Sprintf(`"\n" at byte %d`, len(text)))
			parseText(text+"\x00", p256k1.ErrHex)
			parseText(strings.ToUpper(text), p256k1.ErrHex, "upper-case")
			parseText(`"`+text+`"`, p256k1.ErrHex)
			parseText("null", p256k1.ErrHex)
			parseText("", p256k1.ErrLength, "0 hexadecimal digits")
			for b, want := range f.bad {
				parseText(hex.EncodeToString([]byte(b)), want)
				parseBinary([]byte(b), want)
			}
		}
	}
}

// TestUnmarshalUncompressed reads public keys of 65 bytes, as ParsePublicKey does.
func TestUnmarshalUncompressed(t *testing.T) {
	want := libtest.SecretKey(t).PublicKey()
	b := want.BytesUncompressed()
	var p, q p256k1.PublicKey
	if err := p.UnmarshalText([]byte(hex.EncodeToString(b))); err != nil || !p.Equal(want) || p.String() != hex.EncodeToString(want.Bytes()) {
		t.Errorf("text: %v, %v", p, err)
	}
	if err := q.UnmarshalBinary(b); err != nil || !q.Equal(want) {
		t.Errorf("binary: %v, %v", q, err)
	}
	b[64] ^= 1
	libtest.CheckError(t, p.UnmarshalText([]byte(hex.EncodeToString(b))), p256k1.ErrNotOnCurve, "public key")
}

// held has a field for each place in which an encoder can meet a value of type T and look for its methods.
type held[T any] struct {
	Value   T
	Pointer *T
	Nil     *T
	None    *T `json:",omitempty"`
	Unset   T  `json:",omitzero"`
	Slice   []T
	Array   [2]*T
	Map     map[string]T
	Any     any
}

func testHolders[T any](t *testing.T, f *form) {
	value := any(f.value).(T)
	text := `"` + hex.EncodeToString(f.binary) + `"`
	in := held[T]{
		Value: value, Pointer: &value, Slice: []T{value, value}, Array: [2]*T{&value, nil}, Map: map[string]T{"key": value}, Any: value,
	}
	want := strings.ReplaceAll(`{"Value":K,"Pointer":K,"Nil":null,"Slice":[K,K],"Array":[K,null],"Map":{"key":K},"Any":K}`, "K", text)
	for _, v := range []any{in, &in} {
		b, err := json.Marshal(v)
		if err != nil || string(b) != want {
			t.Errorf("%T in JSON: %s, %v, want %s", v, b, err, want)
		}
	}
	in.Any = nil
	var out held[T]
	b, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &out); err != nil || !reflect.DeepEqual(out, in) {
		t.Errorf("%s from JSON: %v, %v", f.name, out, err)
	}

	// Encoding a value that was never set is an error, unless the field is omitted.
	for _, v := range []any{*new(T), new(T), struct{ T T }{}, &struct{ T *T }{new(T)}, []T{*new(T)}, map[string]T{"": *new(T)}} {
		b, err := json.Marshal(v)
		if !errors.Is(err, f.unset) || b != nil {
			t.Errorf("%T in JSON, unset: %s, %v", v, b, err)
		}
	}
	// Everything that is not a string with the form of a value is an error, and the value is unchanged.
	long := `"` + strings.Repeat("00", 100) + `"`
	for _, s := range []string{`""`, `1`, `true`, `{}`, `[]`, `[1,2]`, `"0x` + text[1:], `" ` + text[1:], strings.ToUpper(text), long} {
		out := struct{ T T }{value}
		err := json.Unmarshal([]byte(`{"T":`+s+`}`), &out)
		if err == nil || !reflect.DeepEqual(out.T, value) {
			t.Errorf("%s from JSON %s: %v, %v", f.name, s, out.T, err)
		}
	}
	// As for other types in encoding/json, null sets a pointer to nil, and leaves other values unchanged.
	set, unset := struct {
		T T
		P *T
	}{value, &value}, struct{ T T }{}
	err1 := json.Unmarshal([]byte(`{"T":null,"P":null}`), &set)
	err2 := json.Unmarshal([]byte(`{"T":null}`), &unset)
	if err1 != nil || err2 != nil || !reflect.DeepEqual(set.T, value) || set.P != nil || !reflect.DeepEqual(unset.T, *new(T)) {
		t.Errorf("%s from the null of JSON: %v, %v, %v, %v", f.name, set, err1, unset, err2)
	}

	// A document has values in elements, attributes and text of XML.
	type document struct {
		XMLName xml.Name `xml:"d"`
		Attr    T        `xml:"a,attr"`
		AttrP   *T       `xml:"p,attr,omitempty"` // without omitempty, package xml calls methods of nil
		Value   T        `xml:"v"`
		Pointer *T       `xml:"w"`
		Slice   []T      `xml:"s"`
	}
	doc := document{xml.Name{Local: "d"}, value, nil, value, &value, []T{value, value}}
	want = strings.ReplaceAll(`<d a="K"><v>K</v><w>K</w><s>K</s><s>K</s></d>`, "K", text[1:len(text)-1])
	b, err = xml.Marshal(doc)
	if err != nil || string(b) != want {
		t.Errorf("%s in XML: %s, %v, want %s", f.name, b, err, want)
	}
	var read document
	if err := xml.Unmarshal(b, &read); err != nil || !reflect.DeepEqual(read, doc) {
		t.Errorf("%s from XML: %v, %v", f.name, read, err)
	}
	if err := xml.Unmarshal([]byte("<d><v></v></d>"), &read); !errors.Is(err, p256k1.ErrLength) || !reflect.DeepEqual(read, doc) {
		t.Errorf("%s from XML: %v, %v", f.name, read, err)
	}
	if b, err := xml.Marshal(document{Attr: value}); !errors.Is(err, f.unset) {
		t.Errorf("%s in XML, unset: %s, %v", f.name, b, err)
	}

	// Package gob omits fields that are zero, and encodes other fields in their binary form.
	type record struct {
		Value   T
		Pointer *T
		Unset   T
		Nil     *T
		Slice   []T
		Map     map[string]T
	}
	rec, got := record{Value: value, Pointer: &value, Slice: []T{value}, Map: map[string]T{"key": value}}, record{}
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(rec); err != nil {
		t.Errorf("%s in gob: %v", f.name, err)
	}
	if n := bytes.Count(buf.Bytes(), f.binary); n != 4 {
		t.Errorf("%s in gob: %d times in %x", f.name, n, buf.Bytes())
	}
	if err := gob.NewDecoder(&buf).Decode(&got); err != nil || !reflect.DeepEqual(got, rec) {
		t.Errorf("%s from gob: %v, %v", f.name, got, err)
	}
	for _, v := range []any{new(T), []T{*new(T)}} {
		if err := gob.NewEncoder(&buf).Encode(v); !errors.Is(err, f.unset) {
			t.Errorf("%T in gob, unset: %v", v, err)
		}
	}
}

func TestEncodingPackages(t *testing.T) {
	for _, f := range forms(t) {
		t.Run(f.name, func(t *testing.T) { f.holders(t, &f) })
	}
}

// TestMapKeys uses signatures, and pointers to public keys, as keys of maps.
func TestMapKeys(t *testing.T) {
	k := libtest.SecretKey(t)
	recoverable, err := ecdsa.SignRecoverable(k, digest[:], nil)
	if err != nil {
		t.Fatal(err)
	}
	sig := recoverable.Signature()
	for _, c := range []struct {
		in, out any
		want    string
	}{
		{map[ecdsa.Signature]int{sig: 1}, new(map[ecdsa.Signature]int), sig.String()},
		{map[ecdsa.RecoverableSignature]int{recoverable: 1}, new(map[ecdsa.RecoverableSignature]int), recoverable.String()},
		{map[*p256k1.PublicKey]int{k.PublicKey(): 1}, nil, k.PublicKey().String()},
		{map[*p256k1.XOnlyPublicKey]int{k.PublicKey().XOnly(): 1}, nil, k.PublicKey().XOnly().String()},
	} {
		b, err := json.Marshal(c.in)
		if err != nil || string(b) != `{"`+c.want+`":1}` {
			t.Errorf("%T: %s, %v", c.in, b, err)
		}
		if c.out == nil {
			continue
		}
		if err := json.Unmarshal(b, c.out); err != nil || !reflect.DeepEqual(reflect.ValueOf(c.out).Elem().Interface(), c.in) {
			t.Errorf("%T: %v, %v", c.in, c.out, err)
		}
		if err := json.Unmarshal([]byte(`{"":1}`), c.out); !errors.Is(err, p256k1.ErrLength) {
			t.Errorf("%T with an empty key: %v", c.in, err)
		}
	}
	if b, err := json.Marshal(map[ecdsa.Signature]int{{}: 1}); err == nil || !strings.Contains(err.Error(), "never set") {
		t.Errorf("a signature that was never set as a key: %s, %v", b, err)
	}
}

// TestFormatPublic compares the output for every verb and flag with package fmt's output for the hexadecimal text or
// for the bytes.
func TestFormatPublic(t *testing.T) {
	for _, f := range forms(t) {
		text := hex.EncodeToString(f.binary)
		for _, format := range libtest.Formats() {
			verb := format[len(format)-1]
			if strings.IndexByte("Tpw", verb) >= 0 {
				continue // fmt does not call Format for %T, %p and %w: see below
			}
			want, unset := fmt.Sprintf("%%!%c(%s=%s)", verb, f.name, text), fmt.Sprintf("%%!%c(%s=unset)", verb, f.name)
			switch none := f.name + "(unset)"; {
			case verb == 'v' && strings.Contains(format, "#"):
				plain := strings.ReplaceAll(format, "#", "")
				want, unset = fmt.Sprintf(plain, f.name+"("+text+")"), fmt.Sprintf(plain, none)
			case verb == 'v', verb == 's', verb == 'q':
				want, unset = fmt.Sprintf(format, text), fmt.Sprintf(format, none)
			case verb == 'x', verb == 'X':
				want, unset = fmt.Sprintf(format, f.binary), none
			}
			for _, v := range []any{f.value, f.pointer(f.value)} {
				if got := fmt.Sprintf(format, v); got != want {
					t.Errorf("%s of %T: %s, want %s", format, v, got, want)
				}
			}
			for _, v := range []any{f.zero(), f.pointer(f.zero())} {
				if got := fmt.Sprintf(format, v); got != unset {
					t.Errorf("%s of %T, unset: %s, want %s", format, v, got, unset)
				}
			}
		}

		// Format writes the same when it is called directly.
		v, null := f.value, reflect.Zero(reflect.TypeOf(f.pointer(f.value))).Interface()
		spaced := strings.ToUpper(hex.EncodeToString(f.binary[:1]) + " " + hex.EncodeToString(f.binary[1:2]) + " ")
		for _, c := range []struct{ got, want string }{
			{fmt.Sprint(v), text},
			{fmt.Sprintf("%v|%s|%+v|%x", v, v, v, v), text + "|" + text + "|" + text + "|" + text},
			{fmt.Sprintf("%X", v), strings.ToUpper(text)},
			{fmt.Sprintf("%q", v), `"` + text + `"`},
			{fmt.Sprintf("%#x", v), "0x" + text},
			{fmt.Sprintf("% X", v)[:6], spaced},
			{fmt.Sprintf("%#v", v), f.name + "(" + text + ")"},
			{fmt.Sprintf("%d", v), "%!d(" + f.name + "=" + text + ")"},
			{fmt.Sprintf("%t", v), "%!t(" + f.name + "=" + text + ")"},
			{fmt.Sprintf("%.8s", v), text[:8]},
			{fmt.Sprintf("%140s", v), strings.Repeat(" ", 140-len(text)) + text},
			{fmt.Sprintf("%-140v|", v), text + strings.Repeat(" ", 140-len(text)) + "|"},
			{fmt.Sprint(null), "<nil>"},
			{fmt.Sprintf("%x %s %d", null, null, null), "<nil> <nil> <nil>"},
			{fmt.Sprint([]any{v}, struct{ K any }{v}), "[" + text + "] {" + text + "}"},
			{fmt.Sprintf("%v", f.zero()), f.name + "(unset)"},
			{fmt.Sprintf("%q", f.zero()), `"` + f.name + `(unset)"`},
			{fmt.Sprintf("%T %T", v, f.pointer(v)), f.name + " *" + f.name},
		} {
			if c.got != c.want {
				t.Errorf("%s: %s, want %s", f.name, c.got, c.want)
			}
		}
		// %p and %w are for pointers and errors: fmt itself reports the misuse.
		for _, format := range []string{"%p", "%w"} {
			if got := fmt.Errorf(format, v).Error(); !strings.HasPrefix(got, "%!"+format[1:]+"("+f.name+"=") {
				t.Errorf("%s of %s: %s", format, f.name, got)
			}
		}
	}
}

// TestLogPublic checks that logs show public keys and signatures.
func TestLogPublic(t *testing.T) {
	for _, f := range forms(t) {
		var out bytes.Buffer
		for _, h := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
			slog.New(h).With("with", f.value).Info("m", "value", f.value, "pointer", f.pointer(f.value), slog.Group("group", "value", f.value))
		}
		text := hex.EncodeToString(f.binary)
		for _, want := range []string{
			"with=" + text + " ", " value=" + text + " ", "pointer=" + text + " ", "group.value=" + text + "\n",
			`"with":"` + text + `"`, `"value":"` + text + `"`, `"pointer":"` + text + `"`, `"group":{"value":"` + text + `"}`,
		} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: no %s in %s", f.name, want, out.String())
			}
		}

		// A value that was never set is logged as an error.
		out.Reset()
		for _, h := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
			slog.New(h).Info("m", "value", f.zero())
		}
		if strings.Count(out.String(), "!ERROR") != 2 || strings.Count(out.String(), "never set") != 2 {
			t.Errorf("%s, unset: %s", f.name, out.String())
		}
	}
}

// FuzzUnmarshalKeys parses texts and their bytes as both kinds of public keys.
func FuzzUnmarshalKeys(f *testing.F) {
	for _, form := range forms(f)[:2] {
		f.Add(hex.EncodeToString(form.binary))
		f.Add("0x" + hex.EncodeToString(form.binary))
		f.Add(strings.ToUpper(hex.EncodeToString(form.binary)))
		for b := range form.bad {
			f.Add(hex.EncodeToString([]byte(b)))
		}
	}
	f.Add(hex.EncodeToString(oracle.G.Uncompressed()))
	f.Add("")
	f.Add("null")
	f.Fuzz(func(t *testing.T, text string) {
		b, err := hex.DecodeString(text)
		isHex := err == nil && strings.ToLower(text) == text
		var key, keyAgain p256k1.PublicKey
		var x, xAgain p256k1.XOnlyPublicKey
		for _, c := range []struct{ v, again unmarshaler }{{&key, &keyAgain}, {&x, &xAgain}} {
			err, errBinary := c.v.UnmarshalText([]byte(text)), c.again.UnmarshalBinary(b)
			if (err == nil) != (isHex && errBinary == nil) {
				t.Fatalf("%T: %q: %v, binary %v", c.v, text, err, errBinary)
			}
			appended, err2 := c.v.AppendText([]byte("a"))
			binary, err3 := c.v.AppendBinary([]byte("b"))
			if err != nil {
				if !reflect.ValueOf(c.v).Elem().IsZero() || len(err.Error()) > 200 || err2 == nil || err3 == nil || len(appended)+len(binary) != 2 {
					t.Fatalf("%T: %q: %v beside the error %v", c.v, text, c.v, err)
				}
				continue
			}
			if string(appended) != "a"+c.v.String() || string(binary) != "b"+string(libtest.Unhex(c.v.String())) || !reflect.DeepEqual(c.v, c.again) {
				t.Fatalf("%T: %q is parsed as %v, its bytes as %v, encoded as %s and %x", c.v, text, c.v, c.again, appended, binary)
			}
			if c.v.String() != text && !(len(text) == 130 && bytes.Equal(key.BytesUncompressed(), b)) {
				t.Fatalf("%T: %q is parsed as %v", c.v, text, c.v)
			}
		}
	})
}

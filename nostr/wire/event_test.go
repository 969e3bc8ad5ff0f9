package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/libtest"
)

// object holds the fields from which a line is made.
type object map[string]any

func (o object) line(t testing.TB) []byte {
	t.Helper()
	line, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// with returns a copy of the object with the field set to value, or without the field if value is nil.
func (o object) with(name string, value any) object {
	changed := make(object)
	for k, v := range o {
		changed[k] = v
	}
	changed[name] = value
	if value == nil {
		delete(changed, name)
	}
	return changed
}

var (
	testKey = strings.Repeat("0123456789abcdef", 4)
	testSig = strings.Repeat("fedcba9876543210", 8)
)

// eventObject returns an event whose id is computed by a second implementation. The signature is not valid.
func eventObject(createdAt, kind int64, tags [][]string, content string, escapes *strings.Replacer) object {
	id := sha256.Sum256([]byte(libtest.NIP01Serialization(testKey, createdAt, kind, tags, content, escapes)))
	return object{
		"id": hex.EncodeToString(id[:]), "pubkey": testKey, "created_at": createdAt, "kind": kind,
		"tags": tags, "content": content, "sig": testSig,
	}
}

// readEvent reads an event and checks its id.
func readEvent(r *Reader, line []byte) (e Event, err error) {
	var f Fields
	if err := r.Object(line, Names[:], f[:]); err != nil {
		return e, err
	}
	for i, v := range f {
		if v == nil {
			return e, &failure{ErrFormat, "no " + Names[i]}
		}
	}
	if err := r.Event(&e, &f); err != nil {
		return e, err
	}
	return e, r.CheckID(&e)
}

func TestEvent(t *testing.T) {
	var r Reader
	for name, o := range map[string]object{
		"ordinary":       eventObject(1700000000, 1, [][]string{{"e", "a", ""}, {}, {"\"\n"}}, "hello", libtest.NIP01Escapes),
		"empty":          eventObject(0, 0, [][]string{}, "", libtest.NIP01Escapes),
		"lowest":         eventObject(math.MinInt64, math.MaxUint16, [][]string{{""}}, " ", libtest.NIP01Escapes),
		"all characters": eventObject(math.MaxInt64, 30023, [][]string{{libtest.Everything, libtest.Everything}, {"", libtest.Everything}}, libtest.Everything, libtest.NIP01Escapes),
		"other fields":   eventObject(1, 1, nil, "", libtest.NIP01Escapes).with("tags", []int{}).with("seen_on", []string{"a"}).with("ID", 1),
	} {
		e, err := readEvent(&r, o.line(t))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if hex.EncodeToString(e.ID[:]) != o["id"] || hex.EncodeToString(e.PubKey[:]) != testKey || hex.EncodeToString(e.Sig[:]) != testSig ||
			e.CreatedAt != o["created_at"] || int64(e.Kind) != o["kind"] || string(r.Text(e.Content)) != o["content"] || e.Sum != e.ID {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// TestErrors changes an event in many ways, and checks the error and its kind.
func TestErrors(t *testing.T) {
	event := eventObject(1700000000, 1, [][]string{{"e", "a"}}, "hello", libtest.NIP01Escapes)
	zeros := strings.Repeat("0", 64)
	for _, c := range []struct {
		object object
		kind   error
		want   string
	}{
		{event.with("kind", "1"), ErrFormat, "kind is a string, want a number"},
		{event.with("tags", "[]"), ErrFormat, "tags is a string, want an array"},
		{event.with("tags", object{}), ErrFormat, "tags is an object, want an array"},
		{event.with("content", 7), ErrFormat, "content is a number, want a string"},
		{event.with("content", json.RawMessage("null")), ErrFormat, "content is null, want a string"},
		{event.with("sig", true), ErrFormat, "sig is a boolean, want a string"},
		{event.with("created_at", 1.5), ErrFormat, "created_at is 1.5, want an integer of 64 bits"},
		{event.with("created_at", json.RawMessage("1e9")), ErrFormat, "created_at is 1e9, want an integer of 64 bits"},
		{event.with("created_at", json.RawMessage("1E9")), ErrFormat, "created_at is 1E9, want an integer of 64 bits"},
		{event.with("created_at", json.RawMessage("1.0")), ErrFormat, "created_at is 1.0, want an integer of 64 bits"},
		{event.with("created_at", json.RawMessage("-0")), ErrFormat, "created_at is -0, want an integer of 64 bits"},
		{event.with("created_at", json.RawMessage("9223372036854775808")), ErrFormat, "created_at is 9223372036854775808, want"},
		{event.with("created_at", json.RawMessage("-9223372036854775809")), ErrFormat, "created_at is -9223372036854775809, want"},
		{event.with("created_at", json.RawMessage(strings.Repeat("9", 100))), ErrFormat, "created_at is a number of 100 bytes, want"},
		{event.with("kind", 65536), ErrFormat, "kind is 65536, want an integer from 0 to 65535"},
		{event.with("kind", -1), ErrFormat, "kind is -1, want an integer from 0 to 65535"},
		{event.with("tags", []any{"e"}), ErrFormat, "tags has a string, want arrays of strings"},
		{event.with("tags", []any{[]any{"e", 1}}), ErrFormat, "a tag has a number, want strings"},
		{event.with("tags", []any{[]any{"e", []any{}}}), ErrFormat, "a tag has an array, want strings"},
		{event.with("tags", []any{[]any{json.RawMessage("null")}}), ErrFormat, "a tag has null, want strings"},
		{event.with("pubkey", "x").with("kind", -1), ErrFormat, "kind is -1, want"},
		{event.with("pubkey", "x").with("tags", []int{1}), ErrFormat, "tags has a number, want"},

		{event.with("id", strings.ToUpper(event["id"].(string))), ErrField, "id has the upper-case"},
		{event.with("id", zeros[2:]), ErrField, "id has 31 bytes, want 32"},
		{event.with("id", "0x"+zeros), ErrField, "id begins with 0x, want"},
		{event.with("pubkey", "x"), ErrField, "pubkey has 1 hexadecimal digit, an odd number"},
		{event.with("pubkey", "xy"), ErrField, "pubkey has 1 byte, want 32"},
		{event.with("pubkey", "日"+zeros[3:]), ErrField, `pubkey has "日" at 1, want a hexadecimal digit`},
		{event.with("sig", event["id"]), ErrField, "sig has 32 bytes, want 64"},
		{event.with("sig", ""), ErrField, "sig has 0 bytes, want 64"},

		{event.with("id", zeros), ErrID, "id is not the SHA-256 of the event, which is "},
		{event.with("content", "Hello"), ErrID, "id is not the SHA-256 of the event, which is "},
		{event.with("created_at", 1700000001), ErrID, "id is not the SHA-256 of the event, which is "},
		{event.with("kind", 2), ErrID, "id is not the SHA-256 of the event, which is "},
		{event.with("tags", [][]string{{"e"}}), ErrID, "id is not the SHA-256 of the event, which is "},
		{event.with("tags", [][]string{{"e", "a"}, {}}), ErrID, "id is not the SHA-256 of the event, which is "},
		{event.with("pubkey", zeros), ErrID, "id is not the SHA-256 of the event, which is "},
	} {
		var r Reader
		_, err := readEvent(&r, c.object.line(t))
		if err == nil || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 200 {
			t.Errorf("%.200s: %v, want %s", c.object.line(t), err, c.want)
		}
	}
}

// TestOtherSerializers checks that events are refused if their ids are hashes of serializations other than NIP-01's.
func TestOtherSerializers(t *testing.T) {
	const hint = `; it is that with control characters as \u00xx, which NIP-01 wants verbatim`
	for name, c := range libtest.OtherSerializers() {
		var r Reader
		_, err := readEvent(&r, eventObject(1, 1, [][]string{{"t", libtest.Everything}}, libtest.Everything, c.Escapes).line(t))
		if !errors.Is(err, ErrID) || strings.HasSuffix(err.Error(), hint) != c.Controls {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestBuffers checks that the memory for a long line is released.
func TestBuffers(t *testing.T) {
	var r Reader
	long := eventObject(1, 1, [][]string{}, strings.Repeat("\n", 2*maxKept), libtest.NIP01Escapes).line(t)
	if _, err := readEvent(&r, long); err != nil {
		t.Fatal(err)
	}
	if _, err := readEvent(&r, eventObject(1, 1, [][]string{}, "", libtest.NIP01Escapes).line(t)); err != nil {
		t.Fatal(err)
	}
	if n := cap(r.text) + cap(r.event); n > maxKept {
		t.Errorf("%d bytes kept", n)
	}
}

// FuzzEvent compares the parsed event and its serialization with a second implementation.
func FuzzEvent(f *testing.F) {
	for _, o := range []object{
		eventObject(1, 1, [][]string{{"e", "\n"}}, libtest.Everything, libtest.NIP01Escapes),
		eventObject(math.MinInt64, math.MaxUint16, [][]string{{}, {libtest.Everything, ""}}, "", libtest.NIP01Escapes),
		eventObject(1, 1, [][]string{}, "", libtest.NIP01Escapes).with("content", "another"),
	} {
		f.Add(o.line(f))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var r Reader
		e, err := readEvent(&r, line)
		if err != nil && !errors.Is(err, ErrID) {
			if (!errors.Is(err, ErrFormat) && !errors.Is(err, ErrField)) || len(err.Error()) > 300 {
				t.Fatal(err)
			}
			return
		}
		var theirs struct {
			ID, PubKey, Content, Sig string
			CreatedAt                int64 `json:"created_at"`
			Kind                     int64
			Tags                     [][]string
		}
		var raw map[string]json.RawMessage // a map, because package json matches field names in any case
		if err := json.Unmarshal(line, &raw); err != nil {
			t.Fatalf("accepted what is invalid: %v", err)
		}
		for name, v := range map[string]any{
			"id": &theirs.ID, "pubkey": &theirs.PubKey, "created_at": &theirs.CreatedAt, "kind": &theirs.Kind,
			"tags": &theirs.Tags, "content": &theirs.Content, "sig": &theirs.Sig,
		} {
			if err := json.Unmarshal(raw[name], v); err != nil {
				t.Fatalf("accepted what is invalid: %v", err)
			}
		}
		want := libtest.NIP01Serialization(theirs.PubKey, theirs.CreatedAt, theirs.Kind, theirs.Tags, theirs.Content, libtest.NIP01Escapes)
		got, serr := r.serialize(&e)
		if string(got) != want || serr != nil {
			t.Fatalf("%s, %v\nwant %s", got, serr, want)
		}
		sum := sha256.Sum256([]byte(want))
		if e.Sum != sum || (err == nil) != (theirs.ID == hex.EncodeToString(sum[:])) || theirs.Sig != hex.EncodeToString(e.Sig[:]) ||
			theirs.CreatedAt != e.CreatedAt || theirs.Kind != int64(e.Kind) {
			t.Fatalf("%+v, %v, want %+v", e, err, theirs)
		}
	})
}

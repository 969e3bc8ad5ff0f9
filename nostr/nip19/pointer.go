package nip19

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf8"

	"p256k1.mleku.dev/v2"
)

const (
	profilePrefix = "nprofile"
	eventPrefix   = "nevent"
	addressPrefix = "naddr"
)

// maxPointer is the largest number of characters in the text of a pointer, as NIP-19 suggests.
const maxPointer = 5000

// A Profile is a public key with relays that may have events of its owner (nprofile). Encoders such as encoding/json
// write it as an nprofile.
type Profile struct {
	PubKey [32]byte // x only, BIP-340
	Relays []string
}

// An Event is the id of an event with relays that may have the event (nevent). Encoders such as encoding/json write it
// as an nevent.
type Event struct {
	ID     [32]byte
	Relays []string
	Author *[32]byte // x-only public key, or nil if the text has no author
	Kind   *uint32   // nil if the text has no kind; nil if the text has no kind; it has 32 bits here and 16 in nostr.Event, so compare as uint32
}

// An Address identifies a replaceable event, and names relays that may have its newest version (naddr). Encoders such
// as encoding/json write it as an naddr.
type Address struct {
	Identifier string // the event's d tag; empty for kinds of events without a d tag
	PubKey     [32]byte
	Kind       uint32 // NIP-19 has 32 bits for it, and nostr.Event 16: no event has a kind above 65535
	Relays     []string
}

// EncodeNote returns the id of an event as a note.
func EncodeNote(id [32]byte) string { return string(AppendEncode(nil, Note, &id)) }

// ParseNote returns the id that a note encodes. The error is ErrPrefix or ErrFormat.
func ParseNote(text string) (id [32]byte, err error) {
	return id, Decode(&id, Note, []byte(text))
}

// EncodePublicKey returns the npub of a key. The error is p256k1.ErrNoKey if pub is invalid.
func EncodePublicKey(pub *p256k1.XOnlyPublicKey) (string, error) {
	text, err := AppendPublicKey(nil, pub)
	return string(text), err
}

// Encode returns the profile as an nprofile. The error is ErrFormat if a relay is not UTF-8 or has more than 255 bytes,
// or if the result would have more than 5,000 characters.
func (p Profile) Encode() (string, error) {
	w := writer{prefix: profilePrefix}
	w.add(special, p.PubKey[:])
	w.addRelays(p.Relays)
	return w.text()
}

// Encode returns the event as an nevent. The error is ErrFormat if a relay is not UTF-8 or has more than 255 bytes, or
// if the result would have more than 5,000 characters.
func (e Event) Encode() (string, error) {
	w := writer{prefix: eventPrefix}
	w.add(special, e.ID[:])
	w.addRelays(e.Relays)
	if e.Author != nil {
		w.add(author, e.Author[:])
	}
	if e.Kind != nil {
		w.add(kind, binary.BigEndian.AppendUint32(nil, *e.Kind))
	}
	return w.text()
}

// Encode returns the address as an naddr. The error is ErrFormat if the identifier or a relay is not UTF-8 or has more
// than 255 bytes, or if the result would have more than 5,000 characters.
func (a Address) Encode() (string, error) {
	w := writer{prefix: addressPrefix}
	w.add(special, []byte(a.Identifier))
	w.addRelays(a.Relays)
	w.add(author, a.PubKey[:])
	w.add(kind, binary.BigEndian.AppendUint32(nil, a.Kind))
	return w.text()
}

// ParseProfile returns the contents of an nprofile. The error is ErrPrefix or ErrFormat. A text of more than 5,000
// characters is refused with ErrFormat. ParseProfile does not check whether the public key is on the curve.
func ParseProfile(text string) (p Profile, err error) {
	err = parse(profilePrefix, text, func(r *record) error {
		p.Relays = r.relays
		return r.fixed(special, p.PubKey[:])
	})
	if err != nil {
		return Profile{}, err
	}
	return p, nil
}

// ParseEvent returns the contents of an nevent. The error is ErrPrefix or ErrFormat. A text of more than 5,000
// characters is refused with ErrFormat.
func ParseEvent(text string) (e Event, err error) {
	err = parse(eventPrefix, text, func(r *record) error {
		e.Relays = r.relays
		if r.values[author] != nil {
			e.Author = new([32]byte)
			if err := r.fixed(author, e.Author[:]); err != nil {
				return err
			}
		}
		if r.values[kind] != nil {
			var b [4]byte
			if err := r.fixed(kind, b[:]); err != nil {
				return err
			}
			number := binary.BigEndian.Uint32(b[:])
			e.Kind = &number
		}
		return r.fixed(special, e.ID[:])
	})
	if err != nil {
		return Event{}, err
	}
	return e, nil
}

// ParseAddress returns the contents of an naddr. The error is ErrPrefix or ErrFormat. A text of more than 5,000
// characters is refused with ErrFormat.
func ParseAddress(text string) (a Address, err error) {
	err = parse(addressPrefix, text, func(r *record) error {
		a.Relays, a.Identifier = r.relays, string(r.values[special])
		var b [4]byte
		if err := r.fixed(kind, b[:]); err != nil {
			return err
		}
		a.Kind = binary.BigEndian.Uint32(b[:])
		if r.values[special] == nil || !utf8.ValidString(a.Identifier) {
			return fmt.Errorf("%w: no identifier, or not UTF-8", ErrFormat)
		}
		return r.fixed(author, a.PubKey[:])
	})
	if err != nil {
		return Address{}, err
	}
	return a, nil
}

// These are the types of the fields of a pointer. A field consists of a byte with the type, a byte with the length of
// the value, and the value.
const (
	special = iota // the id, the public key or the identifier
	relay          // may occur any number of times
	author
	kind
	types
)

// writer appends fields one after another.
type writer struct {
	prefix string
	fields []byte
	err    error
}

func (w *writer) add(field byte, value []byte) {
	if len(value) > 255 || (!utf8.Valid(value) && (field == relay || (w.prefix == addressPrefix && field == special))) {
		w.err = fmt.Errorf("nip19: %w: a text of %d bytes, want UTF-8 of 255 or fewer", ErrFormat, len(value))
		return
	}
	w.fields = append(append(w.fields, field, byte(len(value))), value...)
}

func (w *writer) addRelays(relays []string) {
	for _, r := range relays {
		w.add(relay, []byte(r))
	}
}

// text returns the bech32 text of the fields.
func (w *writer) text() (string, error) {
	if w.err != nil {
		return "", w.err
	}
	sum := begin(w.prefix)
	text := []byte(w.prefix + "1")
	put := func(v uint32) {
		sum = sum.add(v)
		text = append(text, charset[v])
	}
	acc, bits := uint32(0), 0
	for _, b := range w.fields {
		for acc, bits = acc<<8|uint32(b), bits+8; bits >= 5; bits -= 5 {
			put(acc >> (bits - 5) & 31)
		}
	}
	if bits > 0 {
		put(acc << (5 - bits) & 31)
	}
	for range checkValues {
		sum = sum.add(0)
	}
	sum ^= 1
	for i := range checkValues {
		text = append(text, charset[uint32(sum)>>(5*(checkValues-1-i))&31])
	}
	if len(text) > maxPointer {
		return "", fmt.Errorf("nip19: %w: %d characters, more than %d", ErrFormat, len(text), maxPointer)
	}
	return string(text), nil
}

// record holds the fields of a pointer. Fields of unknown types are ignored, as NIP-19 recommends.
type record struct {
	values [types][]byte // the first value of each type except relay, or nil if there is none
	relays []string
}

// fixed copies the value of the given type into the slice to. It returns an error unless the value is present and has
// the length of that slice.
func (r *record) fixed(field int, to []byte) error {
	if len(r.values[field]) != len(to) {
		return fmt.Errorf("%w: field %d has %d bytes, want %d", ErrFormat, field, len(r.values[field]), len(to))
	}
	copy(to, r.values[field])
	return nil
}

// parse reads the fields of a pointer and calls use with them.
func parse(prefix, text string, use func(*record) error) error {
	fields, err := decodeFields(prefix, text)
	if err != nil {
		return err
	}
	var r record
	for len(fields) > 0 {
		if len(fields) < 2 || len(fields) < 2+int(fields[1]) {
			return fmt.Errorf("nip19: %w: an %s whose last field is cut off", ErrFormat, prefix)
		}
		field, value := fields[0], fields[2:2+int(fields[1])]
		fields = fields[2+len(value):]
		switch {
		case field == relay && !utf8.Valid(value):
			return fmt.Errorf("nip19: %w: an %s with a relay that is not UTF-8", ErrFormat, prefix)
		case field == relay:
			r.relays = append(r.relays, string(value))
		case field < types && r.values[field] == nil:
			r.values[field] = value
		}
	}
	if err := use(&r); err != nil {
		return fmt.Errorf("nip19: %s: %w", prefix, err)
	}
	return nil
}

// decodeFields returns the bytes that a bech32 text of at most maxPointer characters encodes.
func decodeFields(prefix, text string) ([]byte, error) {
	lower := strings.ToLower(text)
	switch {
	case !Is(prefix, []byte(text)):
		return nil, errPrefix(prefix, []byte(text))
	case len(text) > maxPointer:
		return nil, fmt.Errorf("nip19: %w: %d characters, more than %d", ErrFormat, len(text), maxPointer)
	case len(lower) != len(text): // such as the Kelvin sign, which has three bytes and the lower case k
		return nil, errBech32
	case text != lower && text != strings.ToUpper(text):
		return nil, errBech32
	}
	sum := begin(prefix)
	fields := make([]byte, 0, len(text)*5/8)
	acc, bits := uint32(0), 0
	for i, c := range []byte(lower[len(prefix)+1:]) {
		v := strings.IndexByte(charset, c)
		if v < 0 {
			return nil, errBech32
		}
		sum = sum.add(uint32(v))
		if i >= len(text)-len(prefix)-1-checkValues {
			continue
		}
		if acc, bits = acc<<5|uint32(v), bits+5; bits >= 8 {
			bits -= 8
			fields = append(fields, byte(acc>>bits))
			acc &= 1<<bits - 1
		}
	}
	if sum != 1 || bits >= 5 || acc != 0 {
		return nil, errBech32
	}
	return fields, nil
}

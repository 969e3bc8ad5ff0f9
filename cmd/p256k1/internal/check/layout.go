package check

import (
	"fmt"
	"strings"

	"p256k1.mleku.dev/v2/nostr/wire"
)

// A field identifies a JSON name or a CSV column that one of the shapes uses.
type field uint8

// The names of an event's fields come first, as in wire.Names.
const (
	fieldID field = iota
	fieldPubkey
	fieldCreatedAt
	fieldKind
	fieldTags
	fieldContent
	fieldSig
	fieldT
	fieldPub
	fieldH
	fieldInternal
	fieldTweak
	fieldOutput
	fieldParity
	numFields
)

var fieldNames = append(wire.Names[:], "t", "pub", "h", "internal", "tweak", "output", "parity")

func (f field) String() string { return fieldNames[f] }

// kind returns the type that the value of a field must have.
func (f field) kind() byte {
	switch f {
	case fieldCreatedAt, fieldKind, fieldParity:
		return wire.Number
	case fieldTags:
		return wire.Array
	}
	return wire.String
}

// A layout is the set of fields that a line of some shape must have. The line may have other fields as well.
type layout struct {
	name   string
	fields []field
	check  func(*Checker) Result
}

var layouts = [...]layout{
	{"a Nostr event", []field{fieldID, fieldPubkey, fieldCreatedAt, fieldKind, fieldTags, fieldContent, fieldSig}, (*Checker).checkEvent},
	{"a signature row", []field{fieldT, fieldPub, fieldH, fieldSig}, (*Checker).checkRow},
	{"a tweak", []field{fieldInternal, fieldTweak, fieldOutput, fieldParity}, (*Checker).checkTweak},
}

// A fieldSet is a set of fields.
type fieldSet uint16

func (s fieldSet) has(f field) bool { return s>>f&1 != 0 }

// present returns the set of fields that the current line has.
func (c *Checker) present() (s fieldSet) {
	for f, value := range c.values {
		if value != nil {
			s |= 1 << f
		}
	}
	return s
}

// layoutOf returns the layout of a line with the given fields, or the reason why the line has no layout.
func layoutOf(present fieldSet) (found *layout, reason string) {
	var nearest *layout
	var most int
	for i := range layouts {
		l := &layouts[i]
		has, missing := l.count(present)
		switch {
		case missing > 0:
			if has > most {
				nearest, most = l, has
			}
		case found != nil:
			return nil, fmt.Sprintf("has the fields both of %s and of %s", found.name, l.name)
		default:
			found = l
		}
	}
	if found != nil {
		return found, ""
	}
	if nearest == nil {
		return nil, "neither a Nostr event nor a signature row nor a tweak: none of their fields"
	}
	var missing []string
	for _, f := range nearest.fields {
		if !present.has(f) {
			missing = append(missing, `"`+f.String()+`"`)
		}
	}
	return nil, fmt.Sprintf("not %s: no field %s", nearest.name, strings.Join(missing, ", "))
}

// count returns how many fields of the layout are present and how many are missing. The signature is not counted as
// present, because two layouts have it.
func (l *layout) count(present fieldSet) (has, missing int) {
	for _, f := range l.fields {
		switch {
		case !present.has(f):
			missing++
		case f != fieldSig:
			has++
		}
	}
	return has, missing
}

// wrongKind returns a reason if a field of the layout has the wrong type, or "" otherwise.
func (c *Checker) wrongKind(l *layout) (reason string) {
	for _, f := range l.fields {
		if err := wire.Expect(f.String(), c.values[f], f.kind()); err != nil {
			return err.Error()
		}
	}
	return ""
}

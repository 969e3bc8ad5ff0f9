package check

import (
	"fmt"
	"strings"

	"p256k1.mleku.dev/nostr/wire"
)

// field is a name that one of the shapes gives a meaning to.
type field uint8

// Those of an event come first, as in wire.Names.
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

func (f field) String() string {
	return fieldNames[f]
}

// kind returns what the value of a field has to be.
func (f field) kind() byte {
	switch f {
	case fieldCreatedAt, fieldKind, fieldParity:
		return wire.Number
	case fieldTags:
		return wire.Array
	}
	return wire.String
}

// A layout is the set of fields that a line must have to be checked in some way.
// It may have others.
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

// layout returns the layout of the line that has been read, or why it has none.
func (c *Checker) layout() (found *layout, reason string) {
	var nearest *layout
	var most int
	for i := range layouts {
		l := &layouts[i]
		present, missing := c.count(l)
		switch {
		case missing > 0:
			if present > most {
				nearest, most = l, present
			}
		case found != nil:
			return nil, fmt.Sprintf("has the fields both of %s and of %s", found.name, l.name)
		default:
			found = l
		}
	}
	if found != nil {
		return found, c.wrongKind(found)
	}
	if nearest == nil {
		return nil, "neither a Nostr event nor a signature row nor a tweak: none of their fields"
	}
	var missing []string
	for _, f := range nearest.fields {
		if c.values[f] == nil {
			missing = append(missing, `"`+f.String()+`"`)
		}
	}
	return nil, fmt.Sprintf("not %s: no field %s", nearest.name, strings.Join(missing, ", "))
}

// count returns how many fields of a layout the line has and has not. The
// signature, which two layouts have, does not count as present.
func (c *Checker) count(l *layout) (present, missing int) {
	for _, f := range l.fields {
		switch {
		case c.values[f] == nil:
			missing++
		case f != fieldSig:
			present++
		}
	}
	return present, missing
}

// wrongKind returns which field of a layout is not what it has to be.
func (c *Checker) wrongKind(l *layout) (reason string) {
	for _, f := range l.fields {
		if err := wire.Expect(f.String(), c.values[f], f.kind()); err != nil {
			return err.Error()
		}
	}
	return ""
}

package wire

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Message holds what a message between clients and relays says about an event, without the label.
type Message struct {
	Subscription string // of ["EVENT", subscription, event]
	Event        []byte // the event as JSON, not checked yet; nil in a message without an event
}

// Message reads a message, which is an array that begins with a label. The event of a message is
//
//   - after the label EVENT and an optional subscription id, which may be any string, the last element (NIP-01),
//   - after the label AUTH, the second element, unless it is another value than an object, such as a challenge
//     (NIP-42),
//   - otherwise the element, at most one, that is an object with the name "sig". No NIP defines such a message, but an
//     event in it must not pass as verified.
//
// Objects inside other elements are not events. Messages are read to their end, as strictly as Object reads lines,
// except for the event of an EVENT or AUTH message. The error is of the kind ErrFormat.
func (r *Reader) Message(line []byte) (label string, m Message, err error) {
	r.trim()
	d := r.decode(line)
	first, err := d.ReadToken()
	if err != nil {
		return "", m, syntax(err)
	}
	if kind := first.Kind(); kind != jsontext.KindBeginArray {
		return "", m, at(len(line)-len(bytes.TrimLeft(line, space)), describe(kind)+", want an object or an array")
	}
	text, err := r.stringIn(line)
	if err != nil {
		return "", m, err
	}
	label = string(text)
	if label != "EVENT" && (label != "AUTH" || d.PeekKind() != jsontext.KindBeginObject) {
		m.Event, err = r.rest(line)
		return label, m, err
	}
	if d.PeekKind() == jsontext.KindString {
		text, err := r.stringIn(line)
		if err != nil {
			return "", m, err
		}
		m.Subscription = string(text)
	}
	from := int(d.InputOffset())
	event := bytes.TrimLeft(line[from:], ","+space)
	start := len(line) - len(event)
	if kind := d.PeekKind(); kind != jsontext.KindBeginObject {
		if kind == jsontext.KindInvalid {
			_, err := d.ReadToken()
			return "", m, syntax(err)
		}
		return "", m, at(start, describe(kind)+", want an event")
	}
	event = bytes.TrimRight(event, space)
	if event[len(event)-1] != ']' {
		return "", m, at(len(line), "no end of the array")
	}
	// Text between the event and the end of the array is detected later, when the event is read.
	m.Event = bytes.TrimRight(event[:len(event)-1], space)
	return label, m, nil
}

// stringIn reads the next element of the message, which must be a string.
func (r *Reader) stringIn(line []byte) ([]byte, error) {
	d := &r.decoder
	if kind := d.PeekKind(); kind != jsontext.KindString && kind != jsontext.KindInvalid {
		rest := bytes.TrimLeft(line[d.InputOffset():], ","+space)
		return nil, at(len(line)-len(rest), describe(kind)+", want a string")
	}
	v, err := d.ReadValue()
	if err != nil {
		return nil, syntax(err)
	}
	return r.Text(v), nil
}

// rest reads the message to its end, and returns the element that is an object with the name "sig", or nil.
func (r *Reader) rest(line []byte) (event []byte, err error) {
	d := &r.decoder
	start, isSigned := 0, false // of the element that is being read, if it is an object
	for d.StackDepth() > 0 {
		token, err := d.ReadToken()
		if err != nil {
			return nil, syntax(err)
		}
		offset, depth := int(d.InputOffset()), d.StackDepth()
		if depth > 1+maxDepth {
			return nil, at(offset-1, "nested too deep")
		}
		kind, n := d.StackIndex(depth)
		if kind == jsontext.KindBeginObject && n > 2*maxNames {
			return nil, at(offset-1, "too many names")
		}
		switch {
		case depth == 2 && token.Kind() == jsontext.KindBeginObject:
			start, isSigned = offset-1, false
		case depth == 2 && kind == jsontext.KindBeginObject && n%2 == 1: // a name
			isSigned = isSigned || token.String() == "sig"
		case depth == 1 && token.Kind() == jsontext.KindEndObject && isSigned:
			if event != nil {
				return nil, at(start, "a second event")
			}
			event = line[start:offset:offset]
		}
	}
	if rest := bytes.TrimLeft(line[d.InputOffset():], space); len(rest) > 0 {
		return nil, at(len(line)-len(rest), "text after the array")
	}
	return event, nil
}

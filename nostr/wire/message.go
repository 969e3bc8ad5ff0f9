package wire

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Message holds the contents of an EVENT message between clients and relays (NIP-01), without the label.
type Message struct {
	Subscription string
	Event        []byte // the event as JSON, not checked yet
}

// Message reads a message, which is an array that begins with a label. The label EVENT is followed by an optional
// subscription id, which may be any string, and by an event. Messages with other labels are read to their end, as
// strictly as Object reads lines. The error is of the kind ErrFormat.
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
	if label = string(text); label != "EVENT" {
		return label, m, r.rest(line)
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

// rest reads the message to its end.
func (r *Reader) rest(line []byte) error {
	d := &r.decoder
	for d.StackDepth() > 0 {
		if _, err := d.ReadToken(); err != nil {
			return syntax(err)
		}
		if d.StackDepth() > 1+maxDepth {
			return at(int(d.InputOffset())-1, "nested too deep")
		}
		if kind, n := d.StackIndex(d.StackDepth()); kind == jsontext.KindBeginObject && n > 2*maxNames {
			return at(int(d.InputOffset())-1, "too many names")
		}
	}
	if rest := bytes.TrimLeft(line[d.InputOffset():], space); len(rest) > 0 {
		return at(len(line)-len(rest), "text after the array")
	}
	return nil
}

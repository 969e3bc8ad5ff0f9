package check

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Limits of what stands in a line, below those of jsontext: they keep it from
// taking many times its length of memory.
const (
	maxDepth = 256  // of arrays and objects in the object of the line
	maxNames = 1024 // of an object
)

// space is the white space of JSON.
const space = " \t\r\n"

// read sets the fields to those of the object that line holds, to which they
// refer, or returns where and why it holds none.
func (c *Checker) read(line []byte) (reason string) {
	clear(c.fields[:])
	d := c.decode(line)
	first, err := d.ReadToken()
	if err != nil {
		return syntax(err)
	}
	if kind := first.Kind(); kind != jsontext.KindBeginObject {
		return at(len(line)-len(bytes.TrimLeft(line, space)), describe(kind)+", want an object")
	}
	for d.PeekKind() != jsontext.KindEndObject {
		name, reason := c.next(line)
		if reason != "" {
			return reason
		}
		v, reason := c.next(line)
		if reason != "" {
			return reason
		}
		if f, ok := fieldNamed(c.unquote(name)); ok {
			c.fields[f] = v
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return syntax(err)
	}
	if rest := bytes.TrimLeft(line[d.InputOffset():], space); len(rest) > 0 {
		return at(len(line)-len(rest), "text after the object")
	}
	return ""
}

// decode returns the decoder, which is going to read text.
func (c *Checker) decode(text []byte) *jsontext.Decoder {
	c.input = *bytes.NewBuffer(text)
	c.decoder.Reset(&c.input)
	return &c.decoder
}

// next reads a name or a value of the object that line holds, and returns it as
// it stands there. It goes by tokens, to find soon what exceeds the limits.
func (c *Checker) next(line []byte) (v jsontext.Value, reason string) {
	d := &c.decoder
	start := d.InputOffset()
	for {
		if _, err := d.ReadToken(); err != nil {
			return nil, syntax(err)
		}
		end := d.InputOffset()
		depth := d.StackDepth()
		if depth > 1+maxDepth {
			return nil, at(int(end)-1, fmt.Sprintf("nested deeper than %d", maxDepth))
		}
		if kind, n := d.StackIndex(depth); kind == jsontext.KindBeginObject && n > 2*maxNames {
			return nil, at(int(end)-1, fmt.Sprintf("more than %d names", maxNames))
		}
		if depth == 1 {
			return bytes.TrimLeft(line[start:end], ",:"+space), ""
		}
	}
}

// syntax returns the reason for a line that led to an error of the decoder.
func syntax(err error) (reason string) {
	e, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case !ok: // io.EOF
		return at(0, "nothing, want an object")
	case e.Err == io.ErrUnexpectedEOF:
		return at(int(e.ByteOffset), "unexpected end of the line")
	case e.Err == jsontext.ErrDuplicateName:
		return at(int(e.ByteOffset), "duplicate name "+quote([]byte(e.JSONPointer.LastToken())))
	}
	return at(int(e.ByteOffset), e.Err.Error())
}

// at returns the reason for what is wrong at an offset in the line.
func at(offset int, what string) (reason string) {
	return fmt.Sprintf("column %d: %s", offset+1, what)
}

package jsonline

import (
	"fmt"
	"unicode/utf8"
)

// maxDepth is how deep arrays and objects may be nested in the object of a line.
const maxDepth = 256

// A cursor walks over JSON text that is valid UTF-8. Its methods expect no white
// space before what they read and leave none read after it.
type cursor struct {
	b []byte
	i int
}

// end is what peek returns at the end. The byte 0 can also stand in the text,
// where it is as wrong as the end is.
const end = 0

func (c *cursor) peek() byte {
	if c.i < len(c.b) {
		return c.b[c.i]
	}
	return end
}

func (c *cursor) space() {
	for c.i < len(c.b) {
		switch c.b[c.i] {
		case ' ', '\t', '\n', '\r':
			c.i++
		default:
			return
		}
	}
}

// value reads a value that stands depth levels below the object of the line.
func (c *cursor) value(depth int) (Value, error) {
	v := Value{}
	start := c.i
	var err error
	switch b := c.peek(); {
	case b == '"':
		v.kind = String
		v.escaped, err = c.string()
	case b == '-' || '0' <= b && b <= '9':
		v.kind = Number
		err = c.number()
	case b == '{':
		v.kind = Object
		err = c.object(depth, nil)
	case b == '[':
		v.kind = Array
		err = c.array(depth, nil)
	case b == 't':
		v.kind = Bool
		err = c.literal("true")
	case b == 'f':
		v.kind = Bool
		err = c.literal("false")
	case b == 'n':
		v.kind = Null
		err = c.literal("null")
	default:
		err = c.errorf("%s, want a value", c.here())
	}
	if err != nil {
		return Value{}, err
	}
	v.raw = c.b[start:c.i]
	return v, nil
}

// object reads an object and calls member, which may be nil, with each name and
// where it stands, and its value.
func (c *cursor) object(depth int, member func(at int, name, v Value) error) error {
	if depth > maxDepth {
		return c.errorf("nested deeper than %d", maxDepth)
	}
	c.i++ // {
	c.space()
	if c.peek() == '}' {
		c.i++
		return nil
	}
	for {
		if c.peek() != '"' {
			return c.errorf("%s, want a name in quotation marks", c.here())
		}
		at := c.i
		name, err := c.value(depth)
		if err != nil {
			return err
		}
		c.space()
		if c.peek() != ':' {
			return c.errorf("%s, want a colon after a name", c.here())
		}
		c.i++
		c.space()
		v, err := c.value(depth + 1)
		if err != nil {
			return err
		}
		if member != nil {
			if err := member(at, name, v); err != nil {
				return err
			}
		}
		c.space()
		switch c.peek() {
		case ',':
			c.i++
			c.space()
		case '}':
			c.i++
			return nil
		default:
			return c.errorf("%s, want a comma or the end of the object", c.here())
		}
	}
}

// array reads an array and calls element, which may be nil, with each value
// until it returns false.
func (c *cursor) array(depth int, element func(Value) bool) error {
	if depth > maxDepth {
		return c.errorf("nested deeper than %d", maxDepth)
	}
	c.i++ // [
	c.space()
	if c.peek() == ']' {
		c.i++
		return nil
	}
	for {
		v, err := c.value(depth + 1)
		if err != nil {
			return err
		}
		if element != nil && !element(v) {
			return nil
		}
		c.space()
		switch c.peek() {
		case ',':
			c.i++
			c.space()
		case ']':
			c.i++
			return nil
		default:
			return c.errorf("%s, want a comma or the end of the array", c.here())
		}
	}
}

func (c *cursor) number() error {
	if c.peek() == '-' {
		c.i++
	}
	if c.peek() == '0' {
		c.i++
		if b := c.peek(); '0' <= b && b <= '9' {
			return c.errorf("a number with a leading zero")
		}
	} else if err := c.digits(); err != nil {
		return err
	}
	if c.peek() == '.' {
		c.i++
		if err := c.digits(); err != nil {
			return err
		}
	}
	if b := c.peek(); b == 'e' || b == 'E' {
		c.i++
		if b := c.peek(); b == '+' || b == '-' {
			c.i++
		}
		return c.digits()
	}
	return nil
}

func (c *cursor) digits() error {
	start := c.i
	for b := c.peek(); '0' <= b && b <= '9'; b = c.peek() {
		c.i++
	}
	if c.i == start {
		return c.errorf("%s in a number, want a digit", c.here())
	}
	return nil
}

func (c *cursor) literal(want string) error {
	for k := range len(want) {
		if c.peek() != want[k] {
			return c.errorf("%s, want the %q of %s", c.here(), want[k], want)
		}
		c.i++
	}
	return nil
}

// here describes what stands at the cursor.
func (c *cursor) here() string {
	if c.i >= len(c.b) {
		return "the end of the line"
	}
	if r, n := utf8.DecodeRune(c.b[c.i:]); r != utf8.RuneError || n > 1 {
		return fmt.Sprintf("%q", r)
	}
	return fmt.Sprintf("the byte %#02x", c.b[c.i])
}

func (c *cursor) errorf(format string, args ...any) error {
	return &SyntaxError{c.i, fmt.Sprintf(format, args...)}
}

// invalidUTF8 returns the error for a text that is not valid UTF-8.
func (c *cursor) invalidUTF8() error {
	for c.i < len(c.b) {
		r, n := utf8.DecodeRune(c.b[c.i:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		c.i += n
	}
	return c.errorf("invalid UTF-8: %s", c.here())
}

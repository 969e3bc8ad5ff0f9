package check

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"p256k1.mleku.dev/v2/nostr/wire"
)

// Header maps the columns of a CSV file (RFC 4180) to fields. Values with newlines are not accepted, so a row is always
// one line, and can be read without the lines before it.
type Header struct {
	layout *layout
	fields []field // numFields marks a column that the layouts do not use
}

// MaxHeader is the largest length of a header line.
const MaxHeader = 64 << 10

// NewHeader parses a line as a CSV header. It returns nil and no error for a line that is not a header, because it
// names no field, has only one column, or is longer than MaxHeader. The error says what is wrong with a header.
func NewHeader(line []byte) (*Header, error) {
	if len(line) > MaxHeader {
		return nil, nil
	}
	h := new(Header)
	var present fieldSet
	var wrong string
	for rest, more := line, true; more && wrong == ""; {
		var name []byte
		if name, rest, more, wrong = cutValue(rest); wrong != "" {
			wrong = fmt.Sprintf("name %d: %s", len(h.fields)+1, wrong)
			break
		}
		f := numFields // no field of a layout
		if i := slices.Index(fieldNames, string(name)); i >= 0 {
			f = field(i)
		}
		if f != numFields && present.has(f) {
			wrong = fmt.Sprintf("duplicate name %q", f.String())
		} else if f != numFields {
			present |= 1 << f
		}
		h.fields = append(h.fields, f)
	}
	if present == 0 || bytes.IndexByte(line, ',') < 0 {
		return nil, nil
	}
	if wrong == "" {
		h.layout, wrong = layoutOf(present)
	}
	if wrong == "" && h.layout.fields[0] == fieldID {
		wrong = "events are read from JSON only"
	}
	if wrong != "" {
		return nil, fmt.Errorf("the CSV header: %s", wrong)
	}
	return h, nil
}

// csv judges a CSV row.
func (c *Checker) csv(line []byte) Result {
	if !utf8.Valid(line) {
		return unreadable(None, "invalid UTF-8")
	}
	c.row = c.row[:0]
	fields, n := c.Header.fields, 0
	for rest, more := line, true; more; n++ {
		var value []byte
		var wrong string
		if value, rest, more, wrong = cutValue(rest); wrong != "" {
			return unreadable(None, fmt.Sprintf("value %d: %s", n+1, wrong))
		}
		if n < len(fields) && fields[n] != numFields {
			c.set(fields[n], value)
		}
	}
	if n != len(fields) {
		return unreadable(None, fmt.Sprintf("%d values, want %d, the number of names in the header", n, len(fields)))
	}
	return c.Header.layout.check(c)
}

// set sets the value of a field to a value from a row.
func (c *Checker) set(f field, value []byte) {
	if f.kind() == wire.Number && (string(value) == "0" || string(value) == "1") {
		c.values[f] = value // the only numbers that a row may have
		return
	}
	start := len(c.row)
	if bytes.IndexByte(value, '"') < 0 && bytes.IndexByte(value, '\\') < 0 {
		c.row = append(c.row, '"')
		c.row = append(c.row, value...)
		c.row = append(c.row, '"')
	} else {
		c.row = wire.AppendJSON(c.row, string(bytes.ReplaceAll(value, []byte(`""`), []byte(`"`))))
	}
	c.values[f] = c.row[start:]
}

// cutValue returns the first value of a row, the text after the comma that follows the value, and whether there is such
// a comma. If the value is malformed, wrong says why. cutValue removes the quotation marks around the value, but
// quotation marks in the value stay doubled. Package encoding/csv reads the same values, but allocates some 25 bytes
// for each comma, and a long line may consist of commas.
func cutValue(row []byte) (value, rest []byte, comma bool, wrong string) {
	if len(row) == 0 || row[0] != '"' {
		value, rest, comma = bytes.Cut(row, []byte{','})
		if bytes.IndexByte(value, '"') >= 0 {
			wrong = "a quotation mark inside"
		}
		return value, rest, comma, wrong
	}
	for end := 1; ; end += 2 {
		k := bytes.IndexByte(row[end:], '"')
		if k < 0 {
			return nil, nil, false, "no quotation mark at its end (a row has to be one line)"
		}
		end += k
		switch {
		case end+1 == len(row):
			return row[1:end], nil, false, ""
		case row[end+1] == ',':
			return row[1:end], row[end+2:], true, ""
		case row[end+1] != '"':
			return nil, nil, false, "text after its closing quotation mark"
		}
	}
}

package check

// textOf returns the text of a string field. It is valid until the next call.
func (c *Checker) textOf(f field) []byte {
	return c.reader.Text(c.values[f])
}

// hexInto fills dst with the bytes that a field holds as lower-case hexadecimal
// digits.
func (c *Checker) hexInto(dst []byte, f field) (reason string) {
	if err := c.reader.Hex(dst, f.String(), c.values[f]); err != nil {
		return err.Error()
	}
	return ""
}

// hexUpTo is hexInto for any number of bytes that fits into dst, and returns
// the part of dst that was filled.
func (c *Checker) hexUpTo(dst []byte, f field) (b []byte, reason string) {
	b, err := c.reader.HexUpTo(dst, f.String(), c.values[f])
	if err != nil {
		return nil, err.Error()
	}
	return b, ""
}

package wire

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// scan does the same as tokens in less time for lines of the most frequent form, and reports whether the line has this
// form. Such a line has no white space outside strings. Its names are one or more different elements of names, all its
// escape sequences are short (isShort), and all its values are strings, integers or arrays of arrays of strings. If
// scan returns false, the contents of values are undefined. All values must be nil before the call.
func scan(line []byte, names []string, values [][]byte) bool {
	s := scanner{line: line}
	if s.take() != '{' {
		return false
	}
	for i := 0; ; i++ {
		name := s.string()
		if name == nil || s.take() != ':' {
			return false
		}
		if i = indexFrom(i, names, name[1:len(name)-1]); i < 0 || values[i] != nil { // unknown or repeated
			return false
		}
		if values[i] = s.value(); values[i] == nil {
			return false
		}
		switch s.take() {
		case ',':
		case '}':
			return s.pos == len(line)
		default:
			return false
		}
	}
}

// indexFrom returns the index of name in names, or −1 if name is not in names. The search begins at i, because lines
// often have the fields in the order of names.
func indexFrom(i int, names []string, name []byte) int {
	for range names {
		if i >= len(names) {
			i = 0
		}
		if names[i] == string(name) {
			return i
		}
		i++
	}
	return -1
}

// scanner is a line and the position up to which it has been read.
type scanner struct {
	line []byte
	pos  int
}

// take returns the byte at s.pos and moves past it, or returns 0 at the end of the line.
func (s *scanner) take() byte {
	if s.pos == len(s.line) {
		return 0
	}
	s.pos++
	return s.line[s.pos-1]
}

// value returns the value that begins at s.pos and moves past it, or returns nil if there is no value of a known form.
func (s *scanner) value() []byte {
	if s.pos == len(s.line) {
		return nil
	}
	switch s.line[s.pos] {
	case '"':
		return s.string()
	case '[':
		return s.lists()
	}
	return s.integer()
}

// integer returns the integer that begins at s.pos and moves past it, or returns nil if there is no integer.
func (s *scanner) integer() []byte {
	start := s.pos
	if s.line[s.pos] == '-' {
		s.pos++
	}
	first := s.pos
	for s.pos < len(s.line) && '0' <= s.line[s.pos] && s.line[s.pos] <= '9' {
		s.pos++
	}
	if s.pos == first || (s.line[first] == '0' && s.pos-first > 1) {
		return nil
	}
	return s.line[start:s.pos]
}

// lists returns the array of arrays of strings that begins at s.pos and moves past it, or returns nil if there is none.
func (s *scanner) lists() []byte {
	start := s.pos
	if !s.array(func() bool { return s.array(func() bool { return s.string() != nil }) }) {
		return nil
	}
	return s.line[start:s.pos]
}

// array moves past the array that begins at s.pos, or returns false if there is no array. For each element it calls
// element, which must move past the element, or return false if there is no element.
func (s *scanner) array(element func() bool) bool {
	if s.take() != '[' {
		return false
	}
	if s.pos < len(s.line) && s.line[s.pos] == ']' {
		s.pos++
		return true
	}
	for element() {
		switch s.take() {
		case ',':
		case ']':
			return true
		default:
			return false
		}
	}
	return false
}

const (
	low  = 0x0101010101010101
	high = 0x8080808080808080
)

// string returns the string that begins at s.pos and moves past it, or returns nil if there is no string of a known
// form.
func (s *scanner) string() []byte {
	line, start := s.line, s.pos
	if start == len(line) || line[start] != '"' {
		return nil
	}
	i := start + 1
	var seen uint64 // OR of all bytes so far; a bit of high is set if a byte is not ASCII
	for {
		if i+8 <= len(line) {
			x := binary.LittleEndian.Uint64(line[i:])
			q := x ^ low*'"'
			b := x ^ low*'\\'
			// Only the lowest bit of high in stop is reliable, because borrows propagate upwards.
			stop := ((q-low)&^q | (b-low)&^b | (x-low*' ')&^x) & high
			if stop == 0 {
				seen |= x
				i += 8
				continue
			}
			n := bits.TrailingZeros64(stop) &^ 7
			seen |= x & (1<<n - 1)
			i += n / 8
		} else {
			for i < len(line) && line[i] != '"' && line[i] != '\\' && line[i] >= ' ' {
				seen |= uint64(line[i])
				i++
			}
			if i == len(line) {
				return nil
			}
		}
		switch line[i] {
		case '"':
			s.pos = i + 1
			if seen&high != 0 && !utf8.Valid(line[start:s.pos]) {
				return nil
			}
			return line[start:s.pos]
		case '\\':
			if i+1 == len(line) || !isShort(line[i+1]) {
				return nil
			}
			i += 2
		default:
			return nil
		}
	}
}

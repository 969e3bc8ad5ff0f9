package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// size is a flag for a number of bytes.
type size int

// maxSize fits into the memory of 32-bit machines.
const maxSize = 1 << 30

// units are the letters that may follow, and their factors as powers of two.
var units = []struct {
	letter string
	shift  int
}{{"K", 10}, {"M", 20}, {"G", 30}}

// String implements pflag.Value.
func (s *size) String() string {
	n := int(*s)
	for i := len(units) - 1; i >= 0; i-- {
		if u := units[i]; n >= 1<<u.shift && n%(1<<u.shift) == 0 {
			return strconv.Itoa(n>>u.shift) + u.letter
		}
	}
	return strconv.Itoa(n)
}

// Set implements pflag.Value.
func (s *size) Set(text string) error {
	digits, shift := text, 0
	for _, u := range units {
		if rest, ok := strings.CutSuffix(strings.ToUpper(text), u.letter); ok {
			digits, shift = rest, u.shift
		}
	}
	n, err := strconv.ParseUint(digits, 10, 63)
	switch {
	case err != nil:
		return fmt.Errorf("want a number of bytes, such as 4096, 512K or 16M")
	case n == 0:
		return errors.New("want at least 1")
	case n > maxSize>>shift:
		return errors.New("want at most 1G")
	}
	*s = size(n << shift)
	return nil
}

// Type implements pflag.Value.
func (s *size) Type() string {
	return "size"
}

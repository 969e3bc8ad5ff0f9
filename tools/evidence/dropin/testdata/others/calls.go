package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
)

// This file has the code that the programs in the folders below share. Each program is built with it, and has the
// functions play, which makes a round of calls, and show, which formats a value as text.

var (
	out   = bufio.NewWriterSize(os.Stdout, 1<<16)
	r     *rand.Rand
	round int
	p     = hexadecimal("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f")
	n     = hexadecimal("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
)

func hexadecimal(s string) *big.Int {
	v, _ := new(big.Int).SetString(s, 16)
	return v
}

// say prints a line: the call and its results.
func say(name string, results ...any) {
	fmt.Fprintf(out, "%d %s:", round, name)
	for _, v := range results {
		switch v := v.(type) {
		case error:
			kind := errors.Unwrap(v)
			fmt.Fprintf(out, " error %T %q of %T %v", v, v, kind, kind)
		case []byte: // may have bytes beyond its length, which append would overwrite
			fmt.Fprintf(out, " %x, %d more", v, cap(v)-len(v))
		default:
			fmt.Fprintf(out, " %v", show(v))
		}
	}
	out.WriteByte('\n')
}

// try calls f, and prints the panic if f panics.
func try(name string, f func()) {
	defer func() {
		if v := recover(); v != nil {
			say(name, "panics:", v)
		}
	}()
	f()
}

// number returns 32 bytes, often an edge case.
func number() []byte {
	b := make([]byte, 32)
	v := new(big.Int)
	switch r.IntN(12) {
	case 0:
		v.SetInt64(int64(r.IntN(9)))
	case 1:
		v.Add(p, big.NewInt(int64(r.IntN(9)-4)))
	case 2:
		v.Add(n, big.NewInt(int64(r.IntN(9)-4)))
	case 3:
		v.Add(v.Rsh(n, 1), big.NewInt(int64(r.IntN(9)-4)))
	case 4:
		v.Add(v.Sub(p, n), big.NewInt(int64(r.IntN(9)-4)))
	case 5:
		v.Sub(v.Lsh(big.NewInt(1), 256), big.NewInt(int64(1+r.IntN(9))))
	case 6: // runs of equal bits
		for i, bit := 0, byte(0); i < 256; i++ {
			if r.IntN(20) == 0 {
				bit ^= 1
			}
			b[i/8] |= bit << (i % 8)
		}
		return b
	case 7: // 0, 1 or 2 with one more bit set
		return v.SetBit(big.NewInt(int64(r.IntN(3))), r.IntN(256), 1).FillBytes(b)
	default:
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	return v.FillBytes(b)
}

// text returns bytes of any length up to 80, often 32.
func text() []byte {
	b := append(append(number(), number()...), number()...)
	if r.IntN(2) == 0 {
		return b[:32]
	}
	return b[:r.IntN(81)]
}

// mutate returns a copy of b, in five of six cases with a random change.
func mutate(b []byte) []byte {
	b = bytes.Clone(b)
	switch r.IntN(6) {
	case 0:
		b[r.IntN(len(b))] ^= 1 << r.IntN(8)
	case 1:
		b[r.IntN(min(len(b), 6))] = byte(r.Uint32())
	case 2:
		b = b[:r.IntN(len(b))]
	case 3:
		b = append(b, number()[:1+r.IntN(9)]...)
	case 4:
		if i := r.IntN(len(b)); r.IntN(2) == 0 {
			copy(b[i:], number())
		} else {
			b = append(b[:i:i], append([]byte{0}, b[i:]...)...)
		}
	}
	return b
}

// der returns an encoded signature, nearly always with an error in it.
func der() []byte {
	integer := func() []byte {
		b := number()
		if r.IntN(2) == 0 {
			b = b[r.IntN(32):]
		}
		b = bytes.TrimLeft(b, "\x00")
		if len(b) == 0 || b[0]&0x80 != 0 && r.IntN(4) > 0 {
			b = append([]byte{0}, b...)
		}
		switch r.IntN(12) {
		case 0:
			b = append(make([]byte, r.IntN(5)), b...)
		case 1:
			b = append(make([]byte, r.IntN(200)), b...)
		case 2:
			b = number()
		case 3:
			b = append(b, number()...)
		case 4:
			b = nil
		case 5:
			b = []byte{byte(r.IntN(3))}
		case 6:
			b = []byte{0, byte(r.Uint32())}
		}
		return append([]byte{2, byte(len(b))}, b...)
	}
	b := append(integer(), integer()...)
	if r.IntN(8) == 0 {
		b = append(b, number()[:r.IntN(4)]...)
	}
	b = append([]byte{0x30, byte(len(b))}, b...)
	if r.IntN(20) == 0 { // a length to which adding 2 overflows a byte
		b = append(b, make([]byte, 256)...)
		b[1] = byte(254 + r.IntN(2))
	}
	if r.IntN(3) == 0 {
		b[r.IntN(min(len(b), 8))] += byte(r.IntN(5) - 2)
	}
	return mutate(b)
}

// The arguments are a seed and the number of rounds.
func main() {
	defer out.Flush()
	number := func(s string) uint64 {
		v, err := strconv.ParseUint(strings.ReplaceAll(s, "_", ""), 10, 64)
		if err != nil {
			panic(err)
		}
		return v
	}
	seed := number(os.Args[1])
	for round = range int(number(os.Args[2])) {
		r = rand.New(rand.NewPCG(seed, uint64(round)))
		play()
	}
}

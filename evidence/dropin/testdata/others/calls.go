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

// What the programs of the folders below share: each is built together with this file. It has
// play, a round of calls, and show, which makes a text of a value of its types.

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

// say prints a line: what was called, and what came back.
func say(name string, results ...any) {
	fmt.Fprintf(out, "%d %s:", round, name)
	for _, v := range results {
		switch v := v.(type) {
		case error:
			kind := errors.Unwrap(v)
			fmt.Fprintf(out, " error %T %q of %T %v", v, v, kind, kind)
		case []byte:
			fmt.Fprintf(out, " %x", v)
		default:
			fmt.Fprintf(out, " %v", show(v))
		}
	}
	out.WriteByte('\n')
}

// try calls f, and prints the panic if there is one.
func try(name string, f func()) {
	defer func() {
		if v := recover(); v != nil {
			say(name, "panics:", v)
		}
	}()
	f()
}

// number returns 32 bytes, often at an edge.
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
	default:
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	return v.FillBytes(b)
}

// text returns bytes of any length up to 80, often of 32.
func text() []byte {
	b := append(append(number(), number()...), number()...)
	if r.IntN(2) == 0 {
		return b[:32]
	}
	return b[:r.IntN(81)]
}

// mutate changes b, now and then.
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

// The arguments are a seed and how many rounds.
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

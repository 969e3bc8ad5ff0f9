package curve

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"math/big"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2/internal/field"
	"p256k1.mleku.dev/v2/internal/opaque"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// expanded returns expand_message_xmd of RFC 9380, section 5.3.1, computed line by line as written there.
func expanded(n int, msg, dst []byte) []byte {
	hash := func(parts ...[]byte) []byte {
		sum := sha256.Sum256(bytes.Join(parts, nil))
		return sum[:]
	}
	if len(dst) > 255 {
		dst = hash([]byte("H2C-OVERSIZE-DST-"), dst)
	}
	prime := append(bytes.Clone(dst), byte(len(dst)))
	b0 := hash(make([]byte, 64), msg, binary.BigEndian.AppendUint16(nil, uint16(n)), []byte{0}, prime)
	b := hash(b0, []byte{1}, prime)
	uniform := bytes.Clone(b)
	for i := 2; len(uniform) < n; i++ {
		x := new(big.Int).Xor(oracle.Int(b0), oracle.Int(b))
		b = hash(x.FillBytes(make([]byte, 32)), []byte{byte(i)}, prime)
		uniform = append(uniform, b...)
	}
	return uniform[:n]
}

func TestExpandMessageXMD(t *testing.T) {
	short, long := []byte("QUUX-V01-CS02-with-expander-SHA256-128"), []byte("QUUX-V01-CS02-with-expander-SHA256-128-long-DST-"+strings.Repeat("1", 208))
	for _, v := range []struct { // RFC 9380, appendices K.1 and K.2
		msg  string
		dst  []byte
		want string
	}{
		{"", short, "68a985b87eb6b46952128911f2a4412bbc302a9d759667f87f7a21d803f07235"},
		{"abc", short, "d8ccab23b5985ccea865c6c97b6e5b8350e794e603b4b97902f53a8a0d605615"},
		{"", long, "e8dc0c8b686b7ef2074086fbdd2f30e3f8bfbd3bdf177f73f04b97ce618a3ed3"},
	} {
		want, _ := new(big.Int).SetString(v.want, 16)
		out := make([]byte, 32)
		if err := ExpandMessageXMD(out, []byte(v.msg), v.dst); err != nil || oracle.Int(out).Cmp(want) != 0 {
			t.Errorf("%q by %d bytes: %x, %v, want %s", v.msg, len(v.dst), out, err, v.want)
		}
	}
	for _, n := range []int{1, 31, 32, 33, 48, 96, 255, 256, 257, 8159, 8160} {
		for _, size := range []int{1, 2, 254, 255, 256, 257, 1000} {
			dst, msg := bytes.Repeat([]byte{byte(n)}, size), bytes.Repeat([]byte("m"), n%200)
			out := make([]byte, n)
			if err := ExpandMessageXMD(out, msg, dst); err != nil || !bytes.Equal(out, expanded(n, msg, dst)) {
				t.Errorf("%d bytes by %d: %v, or others", n, size, err)
			}
		}
	}
	long = bytes.Repeat([]byte("long"), 20_000)
	out := make([]byte, 96)
	if err := ExpandMessageXMD(out, long, long[1:]); err != nil || !bytes.Equal(out, expanded(len(out), long, long[1:])) {
		t.Errorf("a message and a tag of %d bytes: %v, or others", len(long), err)
	}
	for _, n := range []int{0, 8161, 65536 + 32} {
		out := bytes.Repeat([]byte{7}, n)
		if err := ExpandMessageXMD(out, nil, short); !errors.Is(err, ErrLength) || !bytes.Equal(out, bytes.Repeat([]byte{7}, n)) {
			t.Errorf("%d bytes: %v, or they changed", n, err)
		}
	}
}

// TestExpandInPlace checks that out may overlap msg and dst.
func TestExpandInPlace(t *testing.T) {
	for _, size := range []int{1, 32, 100, 255, 256, 300} {
		for _, from := range []int{0, 1, 40, size} {
			memory := bytes.Repeat([]byte("message, tag"), 60)
			msg, dst, out := memory[:from], memory[from:from+size], memory[:96]
			want := expanded(len(out), bytes.Clone(msg), bytes.Clone(dst))
			if err := ExpandMessageXMD(out, msg, dst); err != nil || !bytes.Equal(out, want) {
				t.Errorf("a tag of %d bytes at %d: %v, or other bytes", size, from, err)
			}
		}
	}
}

// TestHashWithoutTag checks that an empty tag is refused, and that the receiver is unchanged.
func TestHashWithoutTag(t *testing.T) {
	var p Point
	p.SetGenerator()
	for _, dst := range [][]byte{nil, {}} {
		q, err := p.HashToCurve([]byte("m"), dst)
		r, err2 := p.EncodeToCurve([]byte("m"), dst)
		if q != nil || r != nil || !errors.Is(err, ErrLength) || !errors.Is(err2, ErrLength) || !p.is(oracle.G) {
			t.Errorf("%v, %v", err, err2)
		}
		if err := ExpandMessageXMD(make([]byte, 32), nil, dst); !errors.Is(err, ErrLength) {
			t.Error(err)
		}
	}
}

// TestHashToCurve compares HashToCurve and EncodeToCurve with their definitions, with receivers that have a table. The
// suites' vectors are tested in tools/evidence/conformance, and the map to the curve is tested in internal/group.
func TestHashToCurve(t *testing.T) {
	dst := []byte("p256k1 test")
	u := func(b []byte) *Point {
		limbs := oracle.Limbs(oracle.Fp.Reduce(oracle.Int(b)))
		e := field.FromLimbs(limbs[0], limbs[1], limbs[2], limbs[3])
		var q Point
		q.p().MapToCurve(&e)
		return &q
	}
	for i := range 300 {
		msg := bytes.Repeat([]byte{byte(i)}, i)
		var p, q Point
		p.SetGenerator().PrecomputeVartime()
		q.Set(&p)
		uniform := expanded(96, msg, dst)
		if got, err := p.HashToCurve(msg, dst); err != nil || got != &p || p.Equal(new(Point).Add(u(uniform[:48]), u(uniform[48:]))) != 1 || *p.known() != (opaque.Known{}) {
			t.Fatalf("HashToCurve of %x: %x, %v", msg, p.Bytes(), err)
		}
		if got, err := q.EncodeToCurve(msg, dst); err != nil || got != &q || q.Equal(u(expanded(48, msg, dst))) != 1 || *q.known() != (opaque.Known{}) {
			t.Fatalf("EncodeToCurve of %x: %x, %v", msg, q.Bytes(), err)
		}
	}
	// setU is tested on edge cases of 48-byte integers directly, because no message is known that hashes to them.
	for _, low := range oracle.FieldEdges() {
		for _, high := range [][16]byte{{}, {15: 1}, [16]byte(bytes.Repeat([]byte{0xff}, 16)), [16]byte(low[:16])} {
			b := append(high[:], low[:]...)
			var e field.Element
			setU(&e, (*[sizeOfU]byte)(b))
			var got [32]byte
			e.FillBytes(&got)
			if want := oracle.Bytes(oracle.Fp.Reduce(oracle.Int(b))); got != want {
				t.Fatalf("%x modulo p is %x, want %x", b, got, want)
			}
		}
	}
}

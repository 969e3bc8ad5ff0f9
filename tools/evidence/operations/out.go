package operations

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unsafe"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
)

// An Out takes the results of an operation. Its methods keep no reference to their arguments, and few of them allocate.
type Out struct {
	Pause func()   // called while the operation holds results; nil calls nothing
	End   []func() // called by Reset, to end goroutines whose stacks have to stay until then
	buf   []byte   // results, each with a header; it never grows, since that would leave a copy
}

// outSize is the number of bytes that the results of an operation may take, with their headers.
const outSize = 16 << 10

// NewOut returns an empty Out.
func NewOut() *Out { return &Out{buf: make([]byte, 0, outSize)} }

// Reset makes room for another operation.
func (o *Out) Reset() {
	clear(o.buf)
	for _, end := range o.End {
		end()
	}
	o.buf, o.End = o.buf[:0], o.End[:0]
}

// Raw returns all results as bytes, which ParseResults reads.
func (o *Out) Raw() []byte { return o.buf }

// Results returns all results.
func (o *Out) Results() Results { return ParseResults(o.buf) }

// Each part in the buffer has a header: its length, how many of its bytes depend on a secret, whether it differs in
// every run (fresh), and, for a bit with a required value, this value.
const (
	headerSize = 6
	anyBit     = 2
)

func (o *Out) header(size, secret int, fresh bool, want byte) {
	if len(o.buf)+headerSize+size > cap(o.buf) {
		panic("operations: results of more than outSize bytes")
	}
	o.buf = binary.LittleEndian.AppendUint16(o.buf, uint16(size))
	o.buf = binary.LittleEndian.AppendUint16(o.buf, uint16(secret))
	flag := byte(0)
	if fresh {
		flag = 1
	}
	o.buf = append(o.buf, flag, want)
}

func (o *Out) put(b []byte, secret int, fresh bool) {
	o.header(len(b), secret, fresh, anyBit)
	o.buf = append(o.buf, b...)
}

// take moves b to the results byte by byte, so that no register holds more than a byte of it.
func (o *Out) take(b []byte, fresh bool) {
	o.header(len(b), len(b), fresh, anyBit)
	for i := range b {
		o.buf = append(o.buf, b[i])
		b[i] = 0
	}
}

// hold is called by operations that hold secrets on the heap.
func (o *Out) hold() {
	if o.Pause != nil {
		o.Pause()
	}
}

// Refused takes an error and fails the operation if it is nil.
func (o *Out) Refused(err error) {
	o.True(err != nil)
	if err != nil {
		o.put([]byte(err.Error()), 0, false)
	}
}

// Bytes takes public results. If the operation is on secrets, all their bytes depend on them.
func (o *Out) Bytes(results ...[]byte) { o.whole(results, false) }

// Fresh takes public results that differ in every run.
func (o *Out) Fresh(results ...[]byte) { o.whole(results, true) }

func (o *Out) whole(results [][]byte, fresh bool) {
	for _, b := range results {
		o.put(b, len(b), fresh)
	}
}

// Some takes a public result with at least n bytes that depend on secrets.
func (o *Out) Some(b []byte, n int) { o.put(b, n, false) }

// FreshSome takes a public result that differs in every run and has at least n bytes that depend on secrets.
func (o *Out) FreshSome(b []byte, n int) { o.put(b, n, true) }

// Secret moves a secret result out of b, which it clears.
func (o *Out) Secret(b []byte) { o.take(b, false) }

// FreshSecret moves a secret result that differs in every run out of b, which it clears.
func (o *Out) FreshSecret(b []byte) { o.take(b, true) }

// Key moves private keys to the results and adds their public keys. It wipes the keys.
func (o *Out) Key(keys ...*p256k1.PrivateKey) {
	for _, k := range keys {
		o.key(k, false)
	}
}

// FreshKey moves private keys that differ in every run to the results and adds their public keys. It wipes the keys.
func (o *Out) FreshKey(keys ...*p256k1.PrivateKey) {
	for _, k := range keys {
		o.key(k, true)
	}
}

// Nonces takes the two secret nonces of MuSig2 or FROST with which the state of a SecretNonce begins.
func (o *Out) Nonces(secret unsafe.Pointer) {
	for i := range 2 {
		o.FreshSecret((*[2]curve.Scalar)(**(**unsafe.Pointer)(secret))[i].Bytes())
	}
}

func (o *Out) key(k *p256k1.PrivateKey, fresh bool) {
	o.hold()
	b := k.Bytes()
	o.hold()
	o.take(b, fresh)
	o.put(k.PublicKey().Bytes(), 33, fresh)
	k.Zero()
}

// Bool takes results that are true or false.
func (o *Out) Bool(results ...bool) {
	for i := range results {
		o.Bit(int(*(*byte)(unsafe.Pointer(&results[i])))) // converted without a branch
	}
}

// Bit takes results that are 0 or 1.
func (o *Out) Bit(results ...int) {
	for _, v := range results {
		o.header(1, 1, false, anyBit)
		o.buf = append(o.buf, byte(v))
	}
}

// True takes conditions that must be true.
func (o *Out) True(conditions ...bool) { o.truth(conditions, 1) }

// False takes conditions that must be false.
func (o *Out) False(conditions ...bool) { o.truth(conditions, 0) }

func (o *Out) truth(conditions []bool, want byte) {
	for i := range conditions {
		o.header(1, 0, false, want)
		o.buf = append(o.buf, *(*byte)(unsafe.Pointer(&conditions[i])))
	}
}

// Values takes public results of any type, formatted as text.
func (o *Out) Values(results ...any) {
	var b strings.Builder
	for _, v := range results {
		switch v := v.(type) {
		case nil, bool, int, string, []int, []bool:
			fmt.Fprintf(&b, "%v\n", v)
		case interface{ Bytes() []byte }: // keys, scalars, points and signatures
			fmt.Fprintf(&b, "%x\n", v.Bytes())
		default:
			fmt.Fprintf(&b, "%x\n", v)
		}
	}
	o.put([]byte(b.String()), 0, false)
}

// Results are what an operation returned, with one or two parts for each call of a method of Out.
type Results []Part

// A Part is one result.
type Part struct {
	Bytes  []byte
	Secret int  // minimum number of bytes that depend on secrets
	Fresh  bool // whether it differs in every run
	want   byte
}

// ParseResults parses the bytes that Raw returned.
func ParseResults(raw []byte) (r Results) {
	for len(raw) > 0 {
		size := headerSize + int(binary.LittleEndian.Uint16(raw))
		r = append(r, Part{raw[headerSize:size], int(binary.LittleEndian.Uint16(raw[2:])), raw[4] == 1, raw[5]})
		raw = raw[size:]
	}
	return r
}

// Wrong returns the first condition of the operation that does not hold, or "" if all hold.
func (r Results) Wrong() string {
	for i, p := range r {
		if p.want != anyBit && p.Bytes[0] != p.want {
			return fmt.Sprintf("result %d is %t", i, p.want == 0)
		}
	}
	return ""
}

// Stable returns, as text, the results that are the same in every run.
func (r Results) Stable() string {
	var b strings.Builder
	for _, p := range r {
		if !p.Fresh {
			fmt.Fprintf(&b, "%x\n", p.Bytes)
		}
	}
	return b.String()
}

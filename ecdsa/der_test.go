package ecdsa

import (
	"bytes"
	"encoding/asn1"
	"encoding/hex"
	"math/big"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// strictDER is a second implementation of BIP-66, based on encoding/asn1. Bytes are strict DER if they decode to two
// integers that encode to the same bytes.
func strictDER(b []byte) (r, s *big.Int, ok bool) {
	var v struct{ R, S *big.Int }
	rest, err := asn1.Unmarshal(b, &v)
	if err != nil || len(rest) > 0 {
		return nil, nil, false
	}
	again, err := asn1.Marshal(v)
	return v.R, v.S, err == nil && bytes.Equal(again, b)
}

// checkDER compares ParseDER with strictDER and returns the result of ParseDER.
func checkDER(t testing.TB, b []byte) (sig Signature, ok bool) {
	t.Helper()
	sig, err := ParseDER(b)
	r, s, strict := strictDER(b)
	if want := strict && inRange(r) && inRange(s); (err == nil) != want {
		t.Fatalf("%x: %v, but valid is %v", b, err, want)
	}
	if err == nil {
		if sig != raw(r, s) || !bytes.Equal(sig.DER(), b) {
			t.Fatalf("%x is parsed as %x and encoded as %x", b, sig, sig.DER())
		}
		return sig, true
	}
	if sig != (Signature{}) {
		t.Fatalf("%x: a signature beside the error %v", b, err)
	}
	positive := strict && r.Sign() >= 0 && s.Sign() >= 0
	switch {
	case positive && len(b) < 130: // so short that each length fits into one byte
		libtest.CheckErrorIs(t, err, p256k1.ErrRange, "ecdsa: signature: ", " not in [1, n-1]")
	case !strict && !wide(b):
		libtest.CheckErrorIs(t, err, ErrDER, "ecdsa: signature: ", "at byte ")
	}
	return sig, false
}

// wide reports whether the length of r or s is more than 32 bytes, so that ParseDER may report it as out of range
// before it finds an error in the DER.
func wide(b []byte) bool {
	if len(b) < 4 {
		return false
	}
	n := int(b[3])
	return n > 32 || (len(b) > 5+n && b[5+n] > 32)
}

func TestStrictDER(t *testing.T) {
	for s, want := range map[string]bool{
		"3006020101020101": true, "300602017f020101": true, "30070202008002017f": true, "3006020180020101": true,
		"300702020001020101": false, "300702028001020101": true, "30080202ff80020101": false, "30810602010102010100": false,
		"30060201010201": false, "308106020101020101": false, "3006020101020101ff": false,
	} {
		b, err := hex.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, ok := strictDER(b); ok != want {
			t.Errorf("%s: %v", s, ok)
		}
	}
}

var nine = bytes.Repeat([]byte{0x09}, 33)

// derRules lists strict encodings, encodings that break the rules of BIP-66, and strict encodings whose r or s is out
// of range.
var derRules = []struct {
	b      string
	want   error
	offset string
}{
	{"3006020101020101", nil, ""},
	{"3006020102020103", nil, ""},
	{"3007020200ff020101", nil, ""},
	{"3007020101020200ff", nil, ""},

	{"", ErrDER, "at byte 0: ends within the header"},
	{"30", ErrDER, "at byte 1: ends within the header"},
	{"3106020101020101", ErrDER, "at byte 0: type 0x31"},
	{"0206020101020101", ErrDER, "at byte 0: type 0x02"},
	{"3005020101020101", ErrDER, "at byte 1: length 5 of the sequence, but 6 bytes follow"},
	{"3007020101020101", ErrDER, "at byte 1: length 7 of the sequence, but 6 bytes follow"},
	{"3000", ErrDER, "at byte 2: ends within the header of r"},
	{"3080020101020101", ErrDER, "at byte 1: length byte 0x80"}, // indefinite
	{"30800201010201010000", ErrDER, "at byte 1: length byte 0x80"},
	{"308106020101020101", ErrDER, "at byte 1: length byte 0x81"}, // long form
	{"30820006020101020101", ErrDER, "at byte 1: length byte 0x82"},
	{"30ff020101020101", ErrDER, "at byte 1: length byte 0xff"},
	{"300602010102010100", ErrDER, "at byte 1: length 6 of the sequence, but 7 bytes follow"},
	{"300702010102010100", ErrDER, "at byte 8: 1 bytes after s"},
	{"3008020101020101" + "0500", ErrDER, "at byte 8: 2 bytes after s"},

	{"3006030101020101", ErrDER, "at byte 2: type 0x03, want an integer (0x02) for r"},
	{"3006020101030101", ErrDER, "at byte 5: type 0x03, want an integer (0x02) for s"},
	{"30030201" + "01", ErrDER, "at byte 5: ends within the header of s"},
	{"3004020101" + "02", ErrDER, "at byte 5: ends within the header of s"},
	{"300102", ErrDER, "at byte 2: ends within the header of r"},
	{"30050200020101", ErrDER, "at byte 3: r has no bytes"},
	{"30050201010200", ErrDER, "at byte 6: s has no bytes"},
	{"3006020501020101", ErrDER, "at byte 3: length 5 of r, but 4 bytes follow"},
	{"3006020101020201", ErrDER, "at byte 6: length 2 of s, but 1 bytes follow"},
	{"3007028101" + "01020101", ErrDER, "at byte 3: length 129 of r, but 5 bytes follow"},
	{"300702010102810101", ErrDER, "at byte 6: length 129 of s, but 2 bytes follow"},
	{"3006020181020101", ErrDER, "at byte 4: r is negative"},
	{"3006020101020180", ErrDER, "at byte 7: s is negative"},
	{"300702020001020101", ErrDER, "at byte 4: r has a superfluous leading zero"},
	{"30070201010202007f", ErrDER, "at byte 7: s has a superfluous leading zero"},
	{"300702020000020101", ErrDER, "at byte 4: r has a superfluous leading zero"},
	{"30070202ffff020101", ErrDER, "at byte 4: r is negative"}, // also too long

	{"3006020100020101", p256k1.ErrRange, "r out of range"},
	{"3006020101020100", p256k1.ErrRange, "s out of range"},
	{"3026" + "0221" + hex.EncodeToString(nine) + "020101", p256k1.ErrRange, "r out of range"},
	{"3026" + "020101" + "0221" + hex.EncodeToString(nine), p256k1.ErrRange, "s out of range"},
	{"307f" + "0221" + hex.EncodeToString(nine) + "025a" + strings.Repeat("09", 90), p256k1.ErrRange, "r out of range"}, // the longest input whose length fits into one byte
	{"3027" + "02220080" + hex.EncodeToString(nine[1:]) + "020101", p256k1.ErrRange, "r out of range"},
	{"3026" + "022100fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141" + "020101", p256k1.ErrRange, "r out of range"},
	{"3026" + "020101" + "022100fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", p256k1.ErrRange, "s out of range"},
	{"3026" + "020101" + "022100fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140", nil, ""},
	{"3026" + "022100ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff" + "020101", p256k1.ErrRange, "r out of range"},
}

func TestParseDERRules(t *testing.T) {
	for _, c := range derRules {
		b, err := hex.DecodeString(c.b)
		if err != nil {
			t.Fatal(err)
		}
		_, err = ParseDER(b)
		libtest.CheckErrorIs(t, err, c.want)
		if c.want != nil {
			libtest.CheckErrorIs(t, err, c.want, "ecdsa: signature: ", c.offset)
		}
		checkDER(t, b)
	}
}

// TestDERLengths encodes and parses integers of every length, with and without the leading zero that makes them
// positive.
func TestDERLengths(t *testing.T) {
	var integers []*big.Int
	for n := 1; n <= 32; n++ {
		for _, first := range []byte{0x01, 0x7f, 0x80, 0xfe} {
			integers = append(integers, oracle.Int(append([]byte{first}, bytes.Repeat([]byte{0xab}, n-1)...)))
		}
		integers = append(integers, new(big.Int).Lsh(big.NewInt(1), uint(8*n-8)))
	}
	lengths := make(map[int]bool)
	for _, r := range integers {
		for _, s := range integers {
			want, err := asn1.Marshal(struct{ R, S *big.Int }{r, s})
			if err != nil {
				t.Fatal(err)
			}
			got := raw(r, s).DER()
			if !bytes.Equal(got, want) {
				t.Fatalf("(%x, %x) is encoded as %x, want %x", r, s, got, want)
			}
			if sig, err := ParseDER(got); err != nil || sig != raw(r, s) {
				t.Fatalf("%x is parsed as %x (%v)", got, sig, err)
			}
			lengths[len(got)] = true
		}
	}
	for n := 8; n <= maxDER; n++ {
		if !lengths[n] {
			t.Errorf("no encoding of %d bytes", n)
		}
	}
}

// TestDERTruncated truncates encodings after every byte, from both ends, and inserts bytes.
func TestDERTruncated(t *testing.T) {
	rand := oracle.New(t)
	for range 10 {
		b := raw(rand.ValidScalar(), rand.ValidScalar()).DER()
		for n := range b {
			_, err := ParseDER(b[:n])
			libtest.CheckErrorIs(t, err, ErrDER, "at byte ")
			if n > 0 {
				checkDER(t, b[n:])
			}
			shortened := bytes.Clone(b[:n]) // with the sequence's length corrected
			if n >= 2 {
				shortened[1] = byte(n - 2)
				_, err := ParseDER(shortened)
				libtest.CheckErrorIs(t, err, ErrDER, "at byte ")
			}
			for _, v := range []byte{0x00, 0x01, 0x02, 0x80, 0xff} {
				longer := append(append(bytes.Clone(b[:n]), v), b[n:]...)
				checkDER(t, longer)
				if n >= 2 {
					longer[1]++
					checkDER(t, longer)
				}
			}
		}
	}
}

// TestDERMutated compares the errors for slightly damaged encodings with the result of strictDER.
func TestDERMutated(t *testing.T) {
	rand := oracle.New(t)
	interesting := []byte{0x00, 0x01, 0x02, 0x03, 0x20, 0x21, 0x22, 0x30, 0x44, 0x45, 0x46, 0x7f, 0x80, 0x81, 0x82, 0xff}
	rounds, accepted := 20000, 0
	if testing.Short() {
		rounds = 3000
	}
	for range rounds {
		short := func() *big.Int {
			return oracle.Int(rand.Bytes(1 + rand.IntN(33))[:])
		}
		r, s := short(), short()
		if rand.IntN(2) == 0 {
			r, s = rand.Scalar(), rand.Scalar()
		}
		b, err := asn1.Marshal(struct{ R, S *big.Int }{r, s})
		if err != nil {
			t.Fatal(err)
		}
		for range rand.IntN(4) {
			i := rand.IntN(len(b))
			v := interesting[rand.IntN(len(interesting))]
			switch rand.IntN(6) {
			case 0:
				b[i] ^= 1 << rand.IntN(8)
			case 1:
				b[i] = v
			case 2:
				b = append(b[:i:i], append([]byte{v}, b[i:]...)...)
			case 3:
				b = append(b[:i:i], b[i+1:]...)
			case 4: // the first integer and the sequence become one byte longer, with matching lengths
				if len(b) > 5 {
					b = append(b[:4:4], append([]byte{v}, b[4:]...)...)
					b[1]++
					b[3]++
				}
			case 5:
				if len(b) > 1 {
					b[1] = byte(len(b) - 2)
				}
			}
			if len(b) == 0 {
				b = []byte{v}
			}
		}
		if _, ok := checkDER(t, b); ok {
			accepted++
		}
	}
	if accepted < rounds/20 || accepted > rounds*9/10 {
		t.Errorf("%d of %d accepted: the mutations do not test much", accepted, rounds)
	}
}

package p256k1_test

import (
	"bytes"
	"crypto"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/libtest"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestNewPublicKeyShape parses encodings of 0 to 100 bytes with every prefix or, if the length is wrong, with the
// prefixes 00 to 09. The coordinates are those of G, truncated or padded.
func TestNewPublicKeyShape(t *testing.T) {
	for n := range 101 {
		b := append(oracle.G.Uncompressed(), make([]byte, 36)...)[:n]
		for prefix := range 256 {
			if n > 0 {
				b[0] = byte(prefix)
			}
			k, err := p256k1.ParsePublicKey(b)
			switch {
			case n == 33 && (prefix == 2 || prefix == 3):
				libtest.CheckError(t, err, nil)
				if want := oracle.G.Compressed(); (prefix == 2 && !bytes.Equal(k.Bytes(), want)) || k.IsYOdd() != (prefix == 3) {
					t.Errorf("%x: parsed as %x", b, k.Bytes())
				}
			case n == 65 && prefix == 4:
				libtest.CheckError(t, err, nil)
			case n == 33:
				libtest.CheckError(t, err, p256k1.ErrPrefix, "public key", fmt.Sprintf("%02x", prefix), "want 02 or 03")
			case n == 65: // includes the hybrid form, prefixes 06 and 07
				libtest.CheckError(t, err, p256k1.ErrPrefix, "public key", fmt.Sprintf("%02x", prefix), "want 04")
			default:
				libtest.CheckError(t, err, p256k1.ErrLength, "public key", fmt.Sprintf("%d bytes, want 33 or 65", n))
			}
			if err != nil && k != nil {
				t.Fatalf("%x: a key beside the error", b)
			}
			if n == 0 || (prefix > 8 && n != 33 && n != 65) {
				break
			}
		}
	}
}

// twistX lists x coordinates of points of small order, 3, 13 and 3319, on the quadratic twist. Attackers send them to
// implementations that do not check whether a point is on the curve.
var twistX = [][]byte{
	make([]byte, 32),
	libtest.Unhex("eb1f7200aecaa86682376fb1c13cd12b732221e774f553b0a0857f88fa20f86d"),
	libtest.Unhex("709858a4c121e4a84eb59c0ded0261093c71e8ca29efeef21a6161c447bcaf9f"),
}

func TestBadX(t *testing.T) {
	for _, x := range twistX {
		if _, ok := oracle.LiftX(oracle.Int(x)); ok {
			t.Fatalf("%x is not on the twist", x)
		}
	}
	bad := twistX
	for _, x := range oracle.BadX() {
		bad = append(bad, x[:])
	}
	for _, x := range bad {
		want := p256k1.ErrNotOnCurve
		if oracle.Int(x).Cmp(oracle.P) >= 0 {
			want = p256k1.ErrRange
		}
		for _, prefix := range []byte{2, 3} {
			_, err := p256k1.ParsePublicKey(append([]byte{prefix}, x...))
			libtest.CheckError(t, err, want, "public key", "x ")
		}
		_, err := p256k1.ParseXOnlyPublicKey(x)
		libtest.CheckError(t, err, want, "x-only public key", "x ")
		for _, y := range []*big.Int{new(big.Int), big.NewInt(1), oracle.G.Y} {
			y := oracle.Bytes(y)
			_, err := p256k1.ParsePublicKey(append(append([]byte{4}, x...), y[:]...))
			libtest.CheckError(t, err, want, "public key")
		}
	}
}

func TestNewPublicKeyCoordinates(t *testing.T) {
	encode := func(x, y *big.Int) []byte {
		return oracle.Point{X: x, Y: y}.Uncompressed()
	}
	plus := func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }
	one, top := big.NewInt(1), new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))

	// For these points, adding p to y or to x gives a second encoding below 2²⁵⁶.
	smallY := oracle.Point{X: oracle.Int(libtest.Unhex("1fe1e5ef3fceb5c135ab7741333ce5a6e80d68167653f6b2b24bcbcfaaaff507")), Y: one}
	smallX, _ := oracle.LiftX(one)
	for _, c := range []struct {
		x, y *big.Int
		want error
		word string
	}{
		{smallY.X, one, nil, ""},
		{smallY.X, plus(one, oracle.P), p256k1.ErrRange, "y "},
		{smallX.X, smallX.Y, nil, ""},
		{plus(one, oracle.P), smallX.Y, p256k1.ErrRange, "x "},
		{oracle.P, oracle.G.Y, p256k1.ErrRange, "x "},
		{top, oracle.G.Y, p256k1.ErrRange, "x "},
		{oracle.G.X, oracle.P, p256k1.ErrRange, "y "},
		{oracle.G.X, top, p256k1.ErrRange, "y "},
		{oracle.G.X, plus(oracle.G.Y, one), p256k1.ErrNotOnCurve, ""},
		{plus(oracle.G.X, one), oracle.G.Y, p256k1.ErrNotOnCurve, ""},
		{oracle.G.Y, oracle.G.X, p256k1.ErrNotOnCurve, ""},
		{oracle.G.X, new(big.Int), p256k1.ErrNotOnCurve, ""},
		{new(big.Int), new(big.Int), p256k1.ErrNotOnCurve, ""}, // infinity, as some libraries encode it
	} {
		k, err := p256k1.ParsePublicKey(encode(c.x, c.y))
		libtest.CheckError(t, err, c.want)
		if c.want != nil {
			libtest.CheckError(t, err, c.want, "public key", c.word)
		} else if !bytes.Equal(k.BytesUncompressed(), encode(c.x, c.y)) {
			t.Errorf("(%x, %x) is parsed as %x", c.x, c.y, k.BytesUncompressed())
		}
	}

	// A point with a random y is on some curve y² = x³ + b with b ≠ 7, for which the formulas hold as well.
	r := oracle.New(t)
	for range 50 {
		p := oracle.Point{X: r.Field(), Y: r.Field()}
		if _, err := p256k1.ParsePublicKey(p.Uncompressed()); !p.OnCurve() {
			libtest.CheckError(t, err, p256k1.ErrNotOnCurve, "public key")
		}
	}
}

func TestPublicKeyEncodings(t *testing.T) {
	r := oracle.New(t)
	points := oracle.EdgePoints()
	for range 50 {
		points = append(points, r.Point())
	}
	for _, p := range points {
		k := libtest.Public(t, p)
		x := oracle.Bytes(p.X)
		if !bytes.Equal(k.Bytes(), p.Compressed()) || !bytes.Equal(k.BytesUncompressed(), p.Uncompressed()) {
			t.Fatalf("%x: encoded as %x and %x", p, k.Bytes(), k.BytesUncompressed())
		}
		if odd := p.Y.Bit(0) == 1; k.IsYOdd() != odd || k.Negate().IsYOdd() == odd {
			t.Fatalf("%x: parity", p)
		}
		if !bytes.Equal(k.Negate().BytesUncompressed(), p.Neg().Uncompressed()) {
			t.Fatalf("%x: negated as %x", p, k.Negate().BytesUncompressed())
		}
		other, err := p256k1.ParsePublicKey(k.Bytes())
		if err != nil || !other.Equal(k) || !k.Equal(other) || k.Equal(k.Negate()) {
			t.Fatalf("%x: the compressed encoding is of another key (%v)", p, err)
		}
		other, err = p256k1.NewPublicKey(k.Point())
		if err != nil || !other.Equal(k) {
			t.Fatalf("%x does not survive as a point: %v", p, err)
		}

		xonly, err := p256k1.ParseXOnlyPublicKey(x[:])
		if err != nil {
			t.Fatal(err)
		}
		even := xonly.PublicKey()
		if even.IsYOdd() || !bytes.Equal(even.Bytes()[1:], x[:]) || !bytes.Equal(xonly.Bytes(), x[:]) {
			t.Fatalf("%x: x-only %x, lifted to %x", p, xonly.Bytes(), even.Bytes())
		}
		if !k.XOnly().Equal(xonly) || !k.Negate().XOnly().Equal(xonly) || even.Point().Equal(xonly.Point()) != 1 ||
			!bytes.Equal(k.XOnly().PublicKey().BytesUncompressed(), even.BytesUncompressed()) {
			t.Fatalf("%x: the x-only keys of the two parities differ", p)
		}
	}
}

// TestPrecomputed compares keys with a table to the same keys without a table.
func TestPrecomputed(t *testing.T) {
	r := oracle.New(t)
	for i, p := range []oracle.Point{oracle.G, oracle.G.Neg(), r.Point(), r.Point().Neg(), oracle.EdgePoints()[0]} {
		plain := libtest.Public(t, p)
		k := plain.Precomputed()
		x := plain.XOnly().Precomputed()
		if !k.Point().IsPrecomputed() || !x.Point().IsPrecomputed() || plain.Point().IsPrecomputed() || plain.XOnly().Point().IsPrecomputed() {
			t.Fatalf("%x: with a table: %v, %v; without: %v", p, k.Point().IsPrecomputed(), x.Point().IsPrecomputed(), plain.Point().IsPrecomputed())
		}
		if k.Precomputed() != k || x.Precomputed() != x {
			t.Errorf("%x: a key with a table is copied", p)
		}
		if !k.Equal(plain) || !plain.Equal(k) || !x.Equal(plain.XOnly()) || !plain.XOnly().Equal(x) || k.IsYOdd() != plain.IsYOdd() {
			t.Errorf("%x is another key with a table", p)
		}
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d"} {
			if a, b := fmt.Sprintf(verb+verb, *k, *x), fmt.Sprintf(verb+verb, *plain, *plain.XOnly()); a != b {
				t.Errorf("%s with a table, %s without", a, b)
			}
		}
		if !bytes.Equal(k.Bytes(), plain.Bytes()) || !bytes.Equal(k.BytesUncompressed(), plain.BytesUncompressed()) || !bytes.Equal(x.Bytes(), plain.XOnly().Bytes()) {
			t.Errorf("%x has another encoding with a table", p)
		}

		// Keys that share the table use it with the correct sign.
		copied := *k
		fromPoint, err := p256k1.NewPublicKey(k.Point())
		if err != nil {
			t.Fatal(err)
		}
		a, b := libtest.Scalar(t, r.ValidScalar()), libtest.Scalar(t, r.ValidScalar())
		for j, tabled := range []*curve.Point{
			k.Point(), copied.Point(), fromPoint.Point(), k.Negate().Point(), k.Negate().Negate().Point(), k.XOnly().Point(), k.XOnly().PublicKey().Point(),
			k.Negate().XOnly().Point(), x.Point(), x.PublicKey().Negate().Point(),
		} {
			bare, err := p256k1.ParsePublicKey(tabled.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			var got, want curve.Point
			got.DoubleScalarBaseMultVartime(a, tabled, b)
			want.DoubleScalarBaseMultVartime(a, bare.Point(), b)
			if !tabled.IsPrecomputed() || got.Equal(&want) != 1 {
				t.Errorf("key %d, way %d: has a table %v, %x, want %x", i, j, tabled.IsPrecomputed(), got.Bytes(), want.Bytes())
			}
		}

		// Keys that are decoded into this key's variable, or computed from it, do not have its table.
		other := libtest.Public(t, r.Point())
		tweaked, err := k.TweakAdd(make([]byte, 32))
		if err != nil {
			t.Fatal(err)
		}
		if err := copied.UnmarshalBinary(other.Bytes()); err != nil {
			t.Fatal(err)
		}
		if !copied.Equal(other) || copied.Point().IsPrecomputed() || tweaked.Point().IsPrecomputed() || !k.Equal(plain) {
			t.Errorf("%x: another key has its table", p)
		}
	}
	if k, x := new(p256k1.PublicKey).Precomputed(), new(p256k1.XOnlyPublicKey).Precomputed(); k.Point().IsInfinity() != 1 || x.Point().IsInfinity() != 1 ||
		k.Point().IsPrecomputed() || x.Point().IsPrecomputed() {
		t.Error("the zero value is a key with a table")
	}
}

// TestUnnormalizedPoint computes keys from points in many representations.
func TestUnnormalizedPoint(t *testing.T) {
	var p, q curve.Point
	p.SetGenerator()
	for i := range int64(20) {
		q.Set(&p)
		k, err := p256k1.NewPublicKey(&q)
		if want := oracle.G.Mul(big.NewInt(i + 1)); err != nil || !bytes.Equal(k.BytesUncompressed(), want.Uncompressed()) {
			t.Fatalf("%d·G: %v", i+1, err)
		}
		q.Zero()
		if k.Point().IsInfinity() == 1 {
			t.Fatal("the key shares memory with the point")
		}
		p.Add(&p, new(curve.Point).SetGenerator())
	}
	_, err := p256k1.NewPublicKey(p.Sub(&p, &p))
	libtest.CheckError(t, err, p256k1.ErrInfinity, "public key")
	_, err = p256k1.NewPublicKey(new(curve.Point))
	libtest.CheckError(t, err, p256k1.ErrInfinity, "public key")
}

func TestPublicKeyEqual(t *testing.T) {
	k := libtest.Public(t, oracle.G)
	x := k.XOnly()
	g2 := libtest.Public(t, oracle.G.Double())
	for _, c := range []struct {
		a    interface{ Equal(crypto.PublicKey) bool }
		b    crypto.PublicKey
		want bool
	}{
		{k, k, true}, {k, libtest.Public(t, oracle.G), true}, {k, libtest.Private(t, big.NewInt(1)).PublicKey(), true},
		{k, k.Negate(), false}, {k, g2, false}, {k, new(p256k1.PublicKey), false}, {k, (*p256k1.PublicKey)(nil), false},
		{k, nil, false}, {k, *k, false}, {k, x, false}, {k, k.Bytes(), false}, {k, libtest.Private(t, big.NewInt(1)), false},
		{x, x, true}, {x, k.Negate().XOnly(), true},
		{x, g2.XOnly(), false}, {x, new(p256k1.XOnlyPublicKey), false}, {x, (*p256k1.XOnlyPublicKey)(nil), false},
		{x, nil, false}, {x, *x, false}, {x, k, false}, {x, x.Bytes(), false},
		{new(p256k1.PublicKey), k, false}, {new(p256k1.XOnlyPublicKey), x, false},
		{new(p256k1.PublicKey), new(p256k1.PublicKey), false}, {new(p256k1.XOnlyPublicKey), new(p256k1.XOnlyPublicKey), false},
	} {
		if c.a.Equal(c.b) != c.want {
			t.Errorf("%T.Equal(%T): %v", c.a, c.b, !c.want)
		}
	}
}

// TestHints passes what people pass instead of keys. The error must say what it is, and nothing that is untrue of it.
func TestHints(t *testing.T) {
	k := libtest.SecretKey(t)
	pub := k.PublicKey()
	compressed, uncompressed := pub.Bytes(), pub.BytesUncompressed()
	x, xy := compressed[1:], uncompressed[1:]
	spki := append(libtest.Unhex("3056301006072a8648ce3d020106052b8104000a034200"), uncompressed...)
	short := append(libtest.Unhex("3036301006072a8648ce3d020106052b8104000a032200"), compressed...)
	p256 := append(libtest.Unhex("3059301306072a8648ce3d020106082a8648ce3d030107034200"), uncompressed...) // another curve
	text := func(b []byte) []byte { return hex.AppendEncode(nil, b) }
	base := func(b []byte) []byte { return base64.StdEncoding.AppendEncode(nil, b) }
	const digits, based, der, lines, nip19 = "hexadecimal digits must be decoded", "base64 must be decoded", "keyformat.ParsePKIXPublicKey", "keyformat reads PEM", "nip19"
	for _, c := range []struct {
		what        string
		in          []byte
		public, xOf string // words of the errors, or "-" if the bytes are accepted
	}{
		{"an address", x[:20], "no hash gives a key", "no hash gives a key"},
		{"x", x, "ParseXOnlyPublicKey", "-"},
		{"compressed", compressed, "-", "XOnly"},
		{"X‖Y", xy, "X‖Y, the prefix 04 is missing", "X‖Y, the first 32 bytes"},
		{"uncompressed", uncompressed, "-", "XOnly"},
		{"digits of x", text(x), digits, digits},
		{"digits of x with 0x", append([]byte("0x"), text(x)...), digits, digits},
		{"digits, compressed", text(compressed), digits, digits},
		{"capital digits and a line end", append(bytes.ToUpper(text(compressed)), '\n'), digits, digits},
		{"digits of X‖Y", text(xy), digits, digits},
		{"digits, uncompressed", text(uncompressed), digits, digits},
		{"SubjectPublicKeyInfo", spki, der, der},
		{"SubjectPublicKeyInfo, compressed", short, der, der},
		{"SubjectPublicKeyInfo of P-256", p256, der, der},
		{"base64 of x", base(x), based, based},
		{"base64", base(compressed), based, based},
		{"base64, uncompressed", base(uncompressed), based, based},
		{"base64 of SubjectPublicKeyInfo", base(spki), based, based},
		{"base64url without padding", base64.RawURLEncoding.AppendEncode(nil, compressed), based, based},
		{"PEM", []byte("-----BEGIN PUBLIC KEY-----\nMFYw\n-----END PUBLIC KEY-----\n"), lines, lines},
		{"npub", []byte("npub1" + strings.Repeat("q", 58)), nip19, nip19},
		{"an extended key", []byte("xpub" + strings.Repeat("6", 107)), "a text", "a text"},
		{"34 bytes", append(compressed, 0), "34 bytes, want 33 or 65", "34 bytes, want 32"},
		{"nothing", nil, "0 bytes, want 33 or 65", "0 bytes, want 32"},
	} {
		_, err := p256k1.ParsePublicKey(c.in)
		_, errX := p256k1.ParseXOnlyPublicKey(c.in)
		for _, c := range []struct {
			err  error
			want string
		}{{err, c.public}, {errX, c.xOf}} {
			switch {
			case c.want == "-":
				libtest.CheckErrorIs(t, c.err, nil)
			case !errors.Is(c.err, p256k1.ErrLength) || !strings.Contains(c.err.Error(), c.want):
				t.Errorf("%v, want %q", c.err, c.want)
			}
		}
		if text := fmt.Sprint(err, errX); strings.Contains(text, "hexadecimal") != (c.public == digits) || strings.Contains(text, "base64") != (c.public == based) {
			t.Errorf("%s: %s", c.what, text)
		}
		for _, v := range []unmarshaler{new(p256k1.PublicKey), new(p256k1.XOnlyPublicKey)} { // the same as texts
			err := v.UnmarshalText(text(c.in))
			if (c.public == "X‖Y, the prefix 04 is missing" && !strings.Contains(fmt.Sprint(err), "X‖Y")) || (c.what == "SubjectPublicKeyInfo" && !strings.Contains(fmt.Sprint(err), der)) {
				t.Errorf("digits of %s: %v", c.what, err)
			}
			if err := v.UnmarshalText(c.in); (c.public == lines && !strings.Contains(fmt.Sprint(err), lines)) || (c.public == based && !strings.Contains(fmt.Sprint(err), based)) {
				t.Errorf("%s: %v", c.what, err)
			}
		}
	}

	// The error for a private key depends on the number of bytes alone.
	for n, want := range map[int]string{
		0: "want 32", 20: "no hash gives a key", 31: "FillBytes", 33: "public key", 34: "WIF", 38: "WIF", 44: "base64", 51: "WIF", 52: "WIF", 63: "nsec",
		64: "hexadecimal", 65: "public key", 66: "hexadecimal", 88: "keyformat", 118: "keyformat", 128: "hexadecimal", 130: "hexadecimal", 135: "keyformat", 237: "keyformat",
	} {
		texts := make(map[string]bool)
		for _, fill := range []byte{0, '0', 'q', 0x30, 0xff} {
			_, err := p256k1.ParsePrivateKey(bytes.Repeat([]byte{fill}, n))
			if texts[fmt.Sprint(err)] = true; !errors.Is(err, p256k1.ErrLength) || !strings.Contains(err.Error(), want) || len(texts) != 1 {
				t.Errorf("%d bytes: %v, want %q", n, err, want)
			}
		}
	}
}

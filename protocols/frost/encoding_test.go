package frost

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	std "strings"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/curve"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// TestGroupEncoding changes every part of a group's encoding, which must be refused, and stores groups as JSON.
func TestGroupEncoding(t *testing.T) {
	_, group, shares := deal(t, 2, 3)
	b := group.Bytes()
	if len(b) != 42+33*3 || !bytes.Equal(b[:9], []byte{1, 0, 0, 0, 2, 0, 0, 0, 3}) || !bytes.Equal(b[9:42], group.PublicKey().Bytes()) ||
		!bytes.Equal(b[42:75], group.PublicShare(0).Bytes()) {
		t.Errorf("encoding %x", b)
	}
	read, err := ParseGroup(b, nil)
	if err != nil || !reflect.DeepEqual(read, group) || !read.Has(shares[2]) {
		t.Errorf("read %v, %v", read, err)
	}
	set := func(place int, data ...byte) []byte {
		return slices.Replace(bytes.Clone(b), place, place+len(data), data...)
	}
	_, other, _ := deal(t, 2, 3)
	p := oracle.Bytes(oracle.P)
	for what, c := range map[string]struct {
		b    []byte
		want error
	}{
		"empty":                {nil, p256k1.ErrLength},
		"another version":      {set(0, 2), p256k1.ErrPrefix},
		"version 0":            {set(0, 0), p256k1.ErrPrefix},
		"cut off":              {b[:len(b)-1], p256k1.ErrLength},
		"a share fewer":        {b[:len(b)-33], p256k1.ErrLength},
		"the head alone":       {b[:9], p256k1.ErrLength},
		"trailing byte":        {append(bytes.Clone(b), 0), p256k1.ErrLength},
		"trailing share":       {append(bytes.Clone(b), b[9:42]...), p256k1.ErrLength},
		"n too large":          {set(5, 0xff, 0xff, 0xff, 0xff), p256k1.ErrLength},
		"t = 0":                {set(1, 0, 0, 0, 0), ErrThreshold},
		"t = 1":                {set(1, 0, 0, 0, 1), ErrShare},
		"t > n":                {set(1, 0, 0, 0, 4), ErrThreshold},
		"t = 2³²−1":            {set(1, 0xff, 0xff, 0xff, 0xff), ErrThreshold},
		"n = 0":                {[]byte{1, 0, 0, 0, 0, 0, 0, 0, 0}, p256k1.ErrLength},
		"n = 0, with a key":    {append([]byte{1, 0, 0, 0, 0, 0, 0, 0, 0}, b[9:42]...), ErrThreshold},
		"the key infinity":     {set(9, make([]byte, 33)...), p256k1.ErrPrefix},
		"a share infinity":     {set(42, make([]byte, 33)...), p256k1.ErrPrefix},
		"a hybrid prefix":      {set(42, 6), p256k1.ErrPrefix},
		"x not below p":        {set(42, append([]byte{2}, p[:]...)...), p256k1.ErrRange},
		"x of no point":        {set(42, append(append([]byte{2}, make([]byte, 31)...), 5)...), p256k1.ErrNotOnCurve},
		"a negated share":      {set(42, b[42]^1), ErrShare},
		"the key of others":    {set(9, other.PublicKey().Bytes()...), ErrShare},
		"shares in turn":       {slices.Concat(b[:42], b[75:108], b[42:75], b[108:]), ErrShare},
		"parameters, not keys": {b[:9+33], p256k1.ErrLength},
	} {
		before := *group
		if g, err := ParseGroup(c.b, nil); !errors.Is(err, c.want) || g != nil {
			t.Errorf("%s: %v, %v, want %v", what, g, err, c.want)
		}
		if err := before.UnmarshalText([]byte(hex.EncodeToString(c.b))); !errors.Is(err, c.want) || !reflect.DeepEqual(&before, group) {
			t.Errorf("%s, as text: %v, want %v", what, err, c.want)
		}
	}

	large, _, err := Deal(newKey(t), 2, MaxParticipants+1, &Options{Large: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ParseGroup(large.Bytes(), nil); !errors.Is(err, ErrThreshold) {
		t.Errorf("large: %v", err)
	}
	if read, err := ParseGroup(large.Bytes(), &Options{Large: true}); err != nil || !reflect.DeepEqual(read, large) {
		t.Errorf("large, with the option: %v", err)
	}
	if text, err := json.Marshal(large); !errors.Is(err, ErrThreshold) {
		t.Errorf("large: %s, %v", text, err)
	}
	var none *Group
	if none.Bytes() != nil || new(Group).Bytes() != nil {
		t.Error("the encoding of no group")
	}
}

// TestTexts stores messages as JSON, and refuses texts that differ from the encoding in any way.
func TestTexts(t *testing.T) {
	_, group, shares := deal(t, 2, 3)
	signers, err := group.Signers(0, 2)
	if err != nil {
		t.Fatal(err)
	}
	resharing, err := NewResharing(signers, 2, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	dealing, _, err := resharing.Deal(shares[0])
	if err != nil {
		t.Fatal(err)
	}
	part, err := Agree(shares[1], newKey(t).PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	round := newRound(t, signers, shares, nil)
	sum := AggregateNonce{round.session.pairOf(round.nonces)}
	type stored struct {
		Group   *Group
		Value   Group
		Dealing []Dealing
		Parts   map[string]AgreementShare
		None    *Group
	}
	in := stored{group, *group, []Dealing{dealing}, map[string]AgreementShare{"1": part}, nil}
	text, err := json.Marshal(in)
	var out stored
	if err != nil || json.Unmarshal(text, &out) != nil || !reflect.DeepEqual(out.Group, group) || !out.Value.Has(shares[0]) ||
		!bytes.Equal(out.Dealing[0].Bytes(), dealing.Bytes()) || out.Parts["1"].Proof != part.Proof || !out.Parts["1"].Point.Equal(part.Point) {
		t.Errorf("%s, %v: %v", text, err, out)
	}
	for _, c := range []struct {
		v interface {
			encoding.TextMarshaler
			encoding.TextUnmarshaler
		}
		bytes []byte
	}{{group, group.Bytes()}, {&dealing, dealing.Bytes()}, {&part, part.Bytes()}, {&round.nonces[0], round.nonces[0].Bytes()},
		{&sum, sum.Bytes()}, {&round.sigs[0], round.sigs[0].Bytes()}} {
		good, err := c.v.MarshalText()
		if err != nil || string(good) != hex.EncodeToString(c.bytes) {
			t.Errorf("%T: %s, %v, want %x", c.v, good, err, c.bytes)
		}
		for bad, want := range map[string]error{
			"": p256k1.ErrLength, string(good[1:]): p256k1.ErrLength, string(good[2:]): p256k1.ErrLength, string(good) + "00": p256k1.ErrLength,
			"0x" + string(good[2:]): p256k1.ErrHex, std.ToUpper(string(good)): p256k1.ErrHex, string(good[:len(good)-2]) + "\"\"": p256k1.ErrHex,
		} {
			if err := c.v.UnmarshalText([]byte(bad)); err == nil || (!errors.Is(err, want) && !errors.Is(err, p256k1.ErrPrefix)) {
				t.Errorf("%T from %.20q of %d: %v, want %v", c.v, bad, len(bad), err, want)
			}
		}
		if again, err := c.v.MarshalText(); err != nil || string(again) != string(good) || c.v.UnmarshalText(good) != nil {
			t.Errorf("%T changed: %s, %v", c.v, again, err)
		}
	}
	bad := part
	bad.Proof = [64]byte(bytes.Repeat([]byte{0xff}, 64)) // s is not below n
	for want, v := range map[error]any{p256k1.ErrRange: bad, p256k1.ErrNoKey: AgreementShare{}, p256k1.ErrMarshal: signers} {
		if text, err := json.Marshal(v); !errors.Is(err, want) {
			t.Errorf("%T: %s, %v", v, text, err)
		}
	}
	if _, err := ParseAgreementShare(append(part.Point.Bytes(), bad.Proof[:]...)); !errors.Is(err, p256k1.ErrRange) {
		t.Errorf("a proof out of range: %v", err)
	}
	if _, err := ParseAgreementShare(append(make([]byte, 33), part.Proof[:]...)); !errors.Is(err, p256k1.ErrPrefix) {
		t.Errorf("infinity: %v", err)
	}
	for _, v := range []any{Group{}, Dealing{}, &AgreementShare{Point: new(p256k1.PublicKey)}} {
		if text, err := json.Marshal(v); !errors.Is(err, p256k1.ErrNoKey) {
			t.Errorf("%T, never set: %s, %v", v, text, err)
		}
	}

	if err := sum.UnmarshalText(make([]byte, 2*66)); !errors.Is(err, p256k1.ErrHex) {
		t.Errorf("no digits: %v", err)
	}
	read1, read2 := new(PublicNonce), new(AggregateNonce)
	text1, _ := round.nonces[0].MarshalText()
	text2, _ := sum.MarshalText()
	if read1.UnmarshalText(text1) != nil || !bytes.Equal(read1.Bytes(), round.nonces[0].Bytes()) || read2.UnmarshalText(text2) != nil ||
		!bytes.Equal(read2.Bytes(), sum.Bytes()) {
		t.Errorf("%s and %s are read as %x and %x", text1, text2, read1.Bytes(), read2.Bytes())
	}

	// A dealing whose points, except the first, are infinity.
	zeros := Dealing{make([]curve.Point, 3)}
	zeros.c[0].Set(group.PublicKey().Point())
	var read Dealing
	if text, err := zeros.MarshalText(); err != nil || read.UnmarshalText(text) != nil || !bytes.Equal(read.Bytes(), zeros.Bytes()) {
		t.Errorf("%s, %v", text, err)
	}
}

// FuzzParseGroup checks that a group has one encoding.
func FuzzParseGroup(f *testing.F) {
	g, _, err := Deal(newKey(f), 1, 2, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(g.Bytes())
	f.Add(binary.BigEndian.AppendUint64([]byte{1}, 1<<32))
	f.Fuzz(func(t *testing.T, b []byte) {
		if g, err := ParseGroup(b, nil); err == nil && !bytes.Equal(g.Bytes(), b) {
			t.Errorf("%x is read as %x", b, g.Bytes())
		}
	})
}

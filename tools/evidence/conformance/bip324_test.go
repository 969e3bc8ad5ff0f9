package conformance

import (
	"bytes"
	"errors"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/internal/vectors"
)

// The inverses of XSwiftEC are tested in internal/group, because they are not public.

func TestBIP324Decode(t *testing.T) {
	count := tally{}
	for _, row := range readCSV(t, "bip324/ellswift_decode_test_vectors.csv") {
		count.add("decoded")
		e := unhex64(row[0])
		pub := ellswift.Decode(e)
		if !bytes.Equal(pub.XOnly().Bytes(), unhex(row[1])) {
			t.Errorf("%s (%s): %x, want %s", row[0], row[2], pub.XOnly().Bytes(), row[1])
		}
		if again, err := ellswift.Encode(pub, unhex32(row[1])); err != nil || !ellswift.Decode(&again).Equal(pub) {
			t.Errorf("%s (%s): encoded as %x, %v", row[0], row[2], again, err)
		}
		// Every flipped bit must change the point, unless the changed u or t encodes the same point, as u = 0 and u = 1
		// do.
		x, odd := pub.XOnly().Bytes(), pub.IsYOdd()
		for i := range 512 {
			f := flip(e[:], i)
			u, v := oracle.Int(f[:32]), oracle.Int(f[32:])
			same := bytes.Equal(x, oracle.XSwiftEC(u, v).FillBytes(make([]byte, 32))) && odd == (oracle.Fp.Reduce(v).Bit(0) == 1)
			if same {
				count.add("other encodings of the same")
			}
			if ellswift.Decode((*[64]byte)(f)).Equal(pub) != same {
				t.Errorf("%s (%s): with bit %d flipped, the point should change if and only if the encoding is of another point", row[0], row[2], i)
			}
		}
	}
	count.want(t, "76 decoded, 26 other encodings of the same")
}

// checkExchange computes the shared secret of a vector in both roles. x is the expected shared x coordinate, or nil.
func checkExchange(t *testing.T, priv []byte, ours, theirs *[64]byte, initiator bool, x, want []byte) {
	t.Helper()
	key := func() *ellswift.PrivateKey {
		k, err := ellswift.NewPrivateKey(privateKey(priv), ours)
		if err != nil {
			t.Fatalf("key %x with %x: %v", priv, ours, err)
		}
		return k
	}
	if got, err := key().ECDH(theirs, initiator); err != nil || !bytes.Equal(got[:], want) {
		t.Errorf("key %x: %x, %v, want %x", priv, got, err, want)
	}
	if got, err := key().ECDH(theirs, !initiator); err != nil || bytes.Equal(got[:], want) {
		t.Errorf("key %x: %x (%v) in the other role", priv, got, err)
	}
	if got, err := key().X(theirs); x != nil && (err != nil || !bytes.Equal(got[:], x)) {
		t.Errorf("key %x: x is %x, %v, want %x", priv, got, err, x)
	}
	// A flipped bit in the encoding of either side, or in the key, must lead to another secret or to an error.
	other := func(p *p256k1.PrivateKey, encoding []byte, of string, i int) {
		t.Helper()
		if _, err := ellswift.NewPrivateKey(p, (*[64]byte)(encoding)); !errors.Is(err, ellswift.ErrEncoding) {
			t.Errorf("key %x: %v with bit %d of its %s flipped", priv, err, i, of)
		}
	}
	for i := range 512 {
		if got, err := key().ECDH((*[64]byte)(flip(theirs[:], i)), initiator); err != nil || bytes.Equal(got[:], want) {
			t.Errorf("key %x: %x (%v) with bit %d of the peer's flipped", priv, got, err, i)
		}
		other(privateKey(priv), flip(ours[:], i), "encoding", i)
	}
	for i := range 256 {
		if p, err := p256k1.ParsePrivateKey(flip(priv, i)); err == nil {
			other(p, ours[:], "number", i)
		}
	}
}

// TestBIP324Packets tests only the key exchange in the vectors for packets. protocols/bip324 tests the packets.
func TestBIP324Packets(t *testing.T) {
	count := tally{}
	for _, row := range readCSV(t, "bip324/packet_encoding_test_vectors.csv") {
		priv, ours, theirs := unhex(row[1]), unhex64(row[2]), unhex64(row[3])
		initiator := row[4] == "1"
		if initiator {
			count.add("begun")
		} else {
			count.add("answered")
		}
		xOurs, xTheirs := unhex(row[9]), unhex(row[10])
		if got := ellswift.Decode(ours).XOnly().Bytes(); !bytes.Equal(got, xOurs) || !bytes.Equal(got, privateKey(priv).PublicKey().XOnly().Bytes()) {
			t.Errorf("%s: x is %x, want %x", row[0], got, xOurs)
		}
		if got := ellswift.Decode(theirs).XOnly().Bytes(); !bytes.Equal(got, xTheirs) {
			t.Errorf("%s: x of the peer is %x, want %x", row[0], got, xTheirs)
		}
		checkExchange(t, priv, ours, theirs, initiator, unhex(row[11]), unhex(row[12]))
	}
	count.want(t, "4 begun, 3 answered")
}

func TestLibsecp256k1Ellswift(t *testing.T) {
	var file []struct {
		Priv       string `json:"priv_ours"`
		Ours       string `json:"ellswift_ours"`
		Theirs     string `json:"ellswift_theirs"`
		Initiating int
		Secret     string `json:"shared_secret"`
	}
	vectors.JSON(t, "libsecp256k1/ellswift_xdh_bip324.json", &file)
	count := tally{}
	for _, c := range file {
		count.add("secrets")
		checkExchange(t, unhex(c.Priv), unhex64(c.Ours), unhex64(c.Theirs), c.Initiating == 1, nil, unhex(c.Secret))
	}
	count.want(t, "7 secrets")
}

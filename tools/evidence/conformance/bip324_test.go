package conformance

import (
	"bytes"
	"errors"
	"testing"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/internal/oracle"
)

// The inverses of XSwiftEC are tested in internal/group, because they are not public.

func TestBIP324Decode(t *testing.T) {
	const want = "76 decoded, 26 other encodings of the same"
	each(t, "bip324/ellswift_decode_test_vectors.csv", want, func(r *report, row []string) {
		r.add("decoded")
		e := unhex64(row[0])
		pub := ellswift.Decode(e)
		r.same("x", pub.XOnly(), unhex(row[1]))
		again := must(ellswift.Encode(pub, unhex32(row[1])))
		r.is(ellswift.Decode(&again).Equal(pub), "%x encodes the same point", again)
		// Every flipped bit must change the point, unless the changed u or t encodes the same point, as u = 0 and u = 1
		// do.
		x, odd := pub.XOnly().Bytes(), pub.IsYOdd()
		for i := range 512 {
			f := flip(e[:], i)
			u, v := oracle.Int(f[:32]), oracle.Int(f[32:])
			same := bytes.Equal(x, pad32(oracle.XSwiftEC(u, v).Bytes())) && odd == (oracle.Fp.Reduce(v).Bit(0) == 1)
			if same {
				r.add("other encodings of the same")
			}
			if ellswift.Decode((*[64]byte)(f)).Equal(pub) != same {
				r.errorf("bit %d, flipped, leads to the same point: %v, want %v", i, !same, same)
			}
		}
	})
}

// checkExchange computes the shared secret of a vector in both roles. x is the expected shared x coordinate, or nil.
func checkExchange(r *report, priv []byte, ours, theirs *[64]byte, initiator bool, x, want []byte) {
	r.Helper()
	// ECDH uses its key up.
	key := func() *ellswift.PrivateKey { return must(ellswift.NewPrivateKey(privateKey(priv), ours)) }
	r.same("secret", result(key().ECDH(theirs, initiator)), want)
	differs := func(theirs *[64]byte, initiator bool, how string, i int) {
		got, err := key().ECDH(theirs, initiator)
		r.is(err == nil && !bytes.Equal(got[:], want), "there is another secret %s %d: %x, %v", how, i, got, err)
	}
	differs(theirs, !initiator, "in the other role", 0)
	if x != nil {
		r.same("x", result(key().X(theirs)), x)
	}
	// A flipped bit in the encoding of either side, or in the key, must lead to another secret or to an error.
	refused := func(p *p256k1.PrivateKey, encoding []byte, what string, i int) {
		_, err := ellswift.NewPrivateKey(p, (*[64]byte)(encoding))
		r.is(errors.Is(err, ellswift.ErrEncoding), "a key with bit %d of its %s flipped is refused: %v", i, what, err)
	}
	for i := range 512 {
		differs((*[64]byte)(flip(theirs[:], i)), initiator, "with a flipped bit of the peer's:", i)
		refused(privateKey(priv), flip(ours[:], i), "encoding", i)
	}
	for i := range 256 {
		if p, err := p256k1.ParsePrivateKey(flip(priv, i)); err == nil {
			refused(p, ours[:], "number", i)
		}
	}
}

// TestBIP324Packets tests only the key exchange in the vectors for packets. protocols/bip324 tests the packets.
func TestBIP324Packets(t *testing.T) {
	each(t, "bip324/packet_encoding_test_vectors.csv", "4 begun, 3 answered", func(r *report, row []string) {
		priv, ours, theirs, initiator := unhex(row[1]), unhex64(row[2]), unhex64(row[3]), row[4] == "1"
		r.verdict(initiator, "begun", "answered")
		r.same("x", ellswift.Decode(ours).XOnly(), unhex(row[9]))
		r.same("x of the key", privateKey(priv).PublicKey().XOnly(), unhex(row[9]))
		r.same("x of the peer", ellswift.Decode(theirs).XOnly(), unhex(row[10]))
		checkExchange(r, priv, ours, theirs, initiator, unhex(row[11]), unhex(row[12]))
	})
}

func TestLibsecp256k1Ellswift(t *testing.T) {
	type exchange struct {
		Priv       string `json:"priv_ours"`
		Ours       string `json:"ellswift_ours"`
		Theirs     string `json:"ellswift_theirs"`
		Initiating int
		Secret     string `json:"shared_secret"`
	}
	each(t, "libsecp256k1/ellswift_xdh_bip324.json", "7 secrets", func(r *report, c exchange) {
		r.add("secrets")
		checkExchange(r, unhex(c.Priv), unhex64(c.Ours), unhex64(c.Theirs), c.Initiating == 1, nil, unhex(c.Secret))
	})
}

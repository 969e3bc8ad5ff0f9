package conformance

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/btcsuite/btcd/v2transport"

	"p256k1.mleku.dev/v2"
	"p256k1.mleku.dev/v2/ellswift"
	"p256k1.mleku.dev/v2/internal/oracle"
	"p256k1.mleku.dev/v2/protocols/bip324"
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
			r.addIf(same, "other encodings of the same")
			if ellswift.Decode((*[64]byte)(f)).Equal(pub) != same {
				r.errorf("bit %d, flipped, leads to the same point: %v, want %v", i, !same, same)
			}
		}
	})
}

// checkExchange computes the shared secret of a vector in both roles.
func checkExchange(r *report, priv []byte, ours, theirs *[64]byte, initiator bool, want []byte) {
	// ECDH uses its key up.
	key := func() *ellswift.PrivateKey { return must(ellswift.NewPrivateKey(privateKey(priv), ours)) }
	r.same("secret", result(key().ECDH(theirs, initiator)), want)
	differs := func(theirs *[64]byte, initiator bool, how string, i int) {
		got, err := key().ECDH(theirs, initiator)
		r.is(err == nil && !bytes.Equal(got[:], want), "there is another secret %s %d: %x, %v", how, i, got, err)
	}
	differs(theirs, !initiator, "in the other role", 0)
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
		checkExchange(r, unhex(c.Priv), unhex64(c.Ours), unhex64(c.Theirs), c.Initiating == 1, unhex(c.Secret))
	})
}

// tcp returns both ends of a connection.
func tcp() (dialed, accepted net.Conn) {
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	defer l.Close()
	dialed = must(net.Dial("tcp", l.Addr().String())) // the kernel connects before Accept returns the connection
	return dialed, must(l.Accept())
}

// TestBIP324 connects protocols/bip324 with btcd's v2transport over TCP, in both roles. Packets of many lengths,
// including decoys, go both ways at once, through three changes of keys.
func TestBIP324(t *testing.T) {
	rounds := choose(testing.Short(), 4, 20)
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	for round := range rounds {
		ours, theirs := tcp()
		initiator := round%2 == 0
		if !initiator {
			ours, theirs = theirs, ours
		}
		deadline := time.Now().Add(time.Minute)
		theirs.SetDeadline(deadline)
		magic := [4]byte{byte(r.Uint32()), byte(r.Uint32()), byte(r.Uint32()), 1}
		config := &bip324.Config{Magic: magic, Decoys: []int{r.IntN(100), r.IntN(100)}[:r.IntN(3)]}
		network := v2transport.BitcoinNet(binary.LittleEndian.Uint32(magic[:]))
		garbage := []int{0, bip324.MaxGarbage, r.IntN(bip324.MaxGarbage)}[r.IntN(3)]

		sent := make([][]byte, 3*224+10)
		for i := range sent {
			sent[i] = make([]byte, r.IntN(200))
			for j := range sent[i] {
				sent[i][j] = byte(r.Uint32())
			}
		}
		// talk sends all packets while it receives the packets of the other side, except decoys.
		talk := func(side string, send func(i int) error, receive func() ([]byte, error), isDecoy func(i int) bool) {
			var sending sync.WaitGroup
			sending.Go(func() {
				for i := range sent {
					if err := send(i); err != nil {
						t.Errorf("round %d, packet %d from %s: %v", round, i, side, err)
						return
					}
				}
			})
			defer sending.Wait()
			for i := range sent {
				if isDecoy(i) {
					continue
				}
				got, err := receive()
				if err != nil || !bytes.Equal(got, sent[i]) {
					t.Errorf("round %d, packet %d to %s: %x, %v", round, i, side, got, err)
				}
				if err != nil {
					return
				}
			}
		}
		isTheirDecoy := func(i int) bool { return i%7 == 6 }

		var theirSide sync.WaitGroup
		theirSide.Go(func() {
			defer theirs.Close()
			p := v2transport.NewPeer()
			p.UseReadWriter(theirs)
			var err error
			if initiator {
				err = p.RespondV2Handshake(garbage, network)
			} else {
				err = p.InitiateV2Handshake(garbage)
			}
			if err == nil {
				err = p.CompleteHandshake(!initiator, []int{1, 50}[:garbage%3], network)
			}
			if err != nil {
				t.Errorf("round %d, btcd's handshake: %v", round, err)
				return
			}
			talk("btcd", func(i int) error {
				_, _, err := p.V2EncPacket(sent[i], nil, isTheirDecoy(i))
				return err
			}, func() ([]byte, error) { return p.V2ReceivePacket(nil) }, func(int) bool { return false })
			p.V2ReceivePacket(nil) // returns when our side closes the connection
		})
		ctx, cancel := context.WithDeadline(t.Context(), deadline)
		begin := choose(initiator, bip324.Client, bip324.Server)
		c, err := begin(ctx, ours, config)
		cancel()
		if err != nil {
			t.Errorf("round %d: %v", round, err)
			theirSide.Wait()
			continue
		}
		buf := make([]byte, 300)
		talk("us", func(i int) error {
			if i%5 == 4 {
				if err := c.WriteDecoy(i); err != nil {
					return err
				}
			}
			return c.WritePacket(sent[i])
		}, func() ([]byte, error) { return c.ReadPacket(buf) }, isTheirDecoy)
		ours.(*net.TCPConn).CloseWrite() // ends the call of V2ReceivePacket in which btcd's side waits for more packets
		theirSide.Wait()
		c.Close()
	}
	t.Logf("result: BIP-324: %d connections with btcd's v2transport", rounds)
}

package conformance

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/btcsuite/btcd/v2transport"

	"p256k1.mleku.dev/v2/protocols/bip324"
)

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
	rounds := 20
	if testing.Short() {
		rounds = 4
	}
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
		begin := bip324.Server
		if initiator {
			begin = bip324.Client
		}
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

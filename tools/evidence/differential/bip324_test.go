package differential

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

	"p256k1.mleku.dev/v2/protocols/bip324"
)

// TestBIP324 connects protocols/bip324 with btcd's v2transport over TCP, in both roles: packets of many lengths go both ways at
// once, decoys among them, through three changes of keys.
func TestBIP324(t *testing.T) {
	rounds := 20
	if testing.Short() {
		rounds = 4
	}
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	for round := range rounds {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		accepted := make(chan net.Conn, 1)
		go func() {
			c, _ := l.Accept()
			accepted <- c
		}()
		dialed, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		ours, theirs := dialed, <-accepted
		l.Close()
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
		var group sync.WaitGroup
		check := func(what string, i int, got []byte, err error) bool {
			if err != nil || !bytes.Equal(got, sent[i]) {
				t.Errorf("round %d, packet %d, %s: %x, %v", round, i, what, got, err)
			}
			return err == nil
		}
		group.Go(func() { // btcd's side
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
			var writing sync.WaitGroup
			writing.Go(func() {
				for i := range sent {
					if _, _, err := p.V2EncPacket(sent[i], nil, i%7 == 6); err != nil {
						t.Errorf("round %d, btcd's packet %d: %v", round, i, err)
						return
					}
				}
			})
			for i := range sent {
				got, err := p.V2ReceivePacket(nil)
				if !check("from us", i, got, err) {
					break
				}
			}
			writing.Wait()
			p.V2ReceivePacket(nil) // until our side closes
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
			group.Wait()
			continue
		}
		var writing sync.WaitGroup
		writing.Go(func() {
			for i := range sent {
				var err error
				if i%5 == 4 {
					err = c.WriteDecoy(i)
				}
				if err = errors.Join(err, c.WritePacket(sent[i])); err != nil {
					t.Errorf("round %d, packet %d: %v", round, i, err)
					return
				}
			}
		})
		buf := make([]byte, 300)
		for i := range sent {
			if i%7 == 6 {
				continue // a decoy of btcd's
			}
			got, err := c.ReadPacket(buf)
			if !check("from btcd", i, got, err) {
				break
			}
		}
		writing.Wait()
		ours.(*net.TCPConn).CloseWrite() // btcd's side has waited for more
		group.Wait()
		c.Close()
	}
	t.Logf("result: BIP-324: %d connections with btcd's v2transport", rounds)
}
